//! Deal files of other programs, through the interface.

use axum::http::StatusCode;
use base64::Engine as _;
use serde_json::{Value, json};

use super::Site;

fn file(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/deals");
    let bytes = std::fs::read(path.join(name)).expect("a sample");
    let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
    // Names lie.
    json!({"file": "monday.doc", "base64": base64})
}

#[tokio::test]
async fn a_dealing_machines_file_is_taken_whatever_its_name_and_comes_out_as_pbn() {
    let site = Site::open().await;
    site.set_up().await;
    let mut written = Vec::new();
    for (name, format) in [
        ("test.dup", "DUP"),
        ("test.lin", "LIN"),
        ("test.csv", "CSV"),
    ] {
        let looked = site.does("/api/deals/look", file(name)).await;
        assert_eq!(looked["format"], format);
        let read = site.does("/api/deals", file(name)).await;
        assert_eq!(
            read,
            json!({"boards": 16, "range": "1-16", "format": format})
        );
        let (status, pbn) = site.ask("GET", "/api/export/deals.pbn", None).await;
        assert_eq!(status, StatusCode::OK);
        written.push(pbn);
    }
    assert_eq!(written[0], written[1]);
    assert_eq!(written[0], written[2]);
    let looked = site.does("/api/deals/look", file("LICENSE")).await;
    assert_eq!(looked["format"], Value::Null);
    let (status, refused) = site.ask("POST", "/api/deals", Some(file("LICENSE"))).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let said = refused["problem"].as_str().expect("a sentence");
    assert!(said.contains("no deal file"), "{said}");
}
