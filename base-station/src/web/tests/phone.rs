//! The page of a phone, its policy, and what is refused there.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::json;
use tower::ServiceExt;

use super::Site;
use crate::web::phone::SCRIPTS;

async fn policy(site: &Site, path: &str) -> (StatusCode, String, String) {
    let request = Request::get(path).body(Body::empty()).expect("a request");
    let answer = site.router.clone().oneshot(request).await.expect("answers");
    let text = |name| {
        let value = answer.headers().get(name);
        value
            .and_then(|it| it.to_str().ok())
            .unwrap_or_default()
            .to_owned()
    };
    let (policy, kind) = (
        text(header::CONTENT_SECURITY_POLICY),
        text(header::CONTENT_TYPE),
    );
    (answer.status(), policy, kind)
}

#[tokio::test]
async fn only_the_phones_page_compiles_webassembly_and_nothing_is_inline() {
    let site = Site::open().await;
    let (status, phone, _) = policy(&site, "/phone").await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        phone.contains("script-src 'self' 'wasm-unsafe-eval';"),
        "{phone}"
    );
    assert!(!phone.contains("'unsafe-inline'") && !phone.contains("'unsafe-eval'"));
    let (_, others, _) = policy(&site, "/").await;
    assert!(!others.contains("wasm"), "{others}");
    let (status, _, kind) = policy(&site, "/phone/pad.wasm").await;
    if phone_image::IMAGE.is_empty() {
        assert_eq!(status, StatusCode::NOT_FOUND);
    } else {
        assert_eq!(
            (status, kind.as_str()),
            (StatusCode::OK, "application/wasm")
        );
        assert!(phone_image::IMAGE.starts_with(b"\0asm"));
    }
}

#[tokio::test]
async fn a_base_without_a_receiver_for_phones_says_so() {
    let site = Site::open().await;
    let join = json!({"code": "1-A-1-0", "device": "00", "proof": "00"});
    let (status, said) = site.ask("POST", "/phone/join", Some(join)).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{said}");
    let (status, _) = site.ask("GET", "/phone/line", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let request = Request::get("/phone").body(Body::empty()).expect("one");
    let page = site.router.clone().oneshot(request).await.expect("answers");
    let page = axum::body::to_bytes(page.into_body(), usize::MAX).await;
    let page = String::from_utf8(page.expect("a page").to_vec()).expect("text");
    assert!(page.contains("data-missing=\"This base station has no receiver for phones.\""));
    let (status, phones) = site.ask("GET", "/api/phones", None).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(phones["tables"], json!([]));
    assert_eq!(phones["address"], json!(null), "this machine only");
}

#[test]
fn every_word_of_the_phones_page_is_there() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/phone");
    let words = telling::Catalogue::of(telling::Language::English);
    let known: Vec<&str> = words.ids().collect();
    let mut found = 0;
    for file in std::fs::read_dir(folder).expect("scripts") {
        let script = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        for piece in script.split("word(\"").skip(1) {
            let key = piece.split('"').next().unwrap_or_default();
            assert!(known.contains(&key), "no text for {key}");
            found += 1;
        }
    }
    assert!(found > 20, "only {found} words were found");
}

/// A script that the page does not name is fetched late, and one that the worker does not keep is
/// not there without network.
#[test]
fn every_script_of_the_phones_page_is_fetched_at_once_and_kept() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/phone");
    let worker = include_str!("../../../assets/phone/worker.js");
    for file in std::fs::read_dir(folder).expect("scripts") {
        let name = file.expect("a file").file_name().into_string();
        let name = name.expect("a plain name");
        if name == "worker.js" {
            continue;
        }
        let path = format!("/assets/phone/{name}");
        assert!(SCRIPTS.contains(&path.as_str()), "{path} is not preloaded");
        let stem = name.trim_end_matches(".js");
        assert!(
            worker.contains(&format!("\"{stem}\"")),
            "{path} is not kept"
        );
    }
}
