//! The page's own files, inside the binary: no build step, no internet.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::{Problem, packaged};
use sha2::{Digest, Sha256};
use telling::{Catalogue, Language, tell};

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// The page that loads everything else.
pub(super) async fn index(headers: HeaderMap) -> Response {
    serve("index.html", &headers)
}

/// The icon, where browsers look for one by themselves: a sheet names none.
pub(super) async fn icon(headers: HeaderMap) -> Response {
    serve("icon.svg", &headers)
}

/// Any other file.
pub(super) async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    serve(&path, &headers)
}

/// The page's texts in a language, made of its catalogue once.
fn texts(path: &str) -> Option<&'static (String, String)> {
    static ALL: LazyLock<Vec<(String, (String, String))>> = LazyLock::new(|| {
        let made = Language::ALL.into_iter().map(|language| {
            let texts = Catalogue::of(language).for_the_page();
            let texts = serde_json::to_string(&texts).unwrap_or_default();
            let path = format!("lang/{}.json", language.code());
            (path, (tag_of(&Sha256::digest(&texts)), texts))
        });
        made.collect()
    });
    let known = ALL.iter().find(|(known, _)| known == path);
    known.map(|(_, texts)| texts)
}

/// What the page's style is made of, in this order.
const STYLE: [&str; 5] = ["base", "frame", "grid", "panels", "display"];

/// The page's style in one piece: nothing is painted before all of it is there, and each file by
/// itself would be a way to the base station and back.
fn style() -> String {
    let files = STYLE.into_iter();
    let files = files.filter_map(|name| Assets::get(&format!("css/{name}.css")));
    files
        .map(|file| String::from_utf8_lossy(&file.data).into_owned())
        .collect()
}

fn serve(path: &str, headers: &HeaderMap) -> Response {
    if path == "css/page.css" {
        let style = style();
        return kept(path, headers, &tag_of(&Sha256::digest(&style)), style);
    }
    if let Some((tag, texts)) = texts(path) {
        return kept(path, headers, tag, texts.as_str());
    }
    if let Some(font) = packaged::font(path) {
        // Its version is in its name: it never changes, and a page that is loaded again has it.
        let for_ever = "public, max-age=31536000, immutable";
        let headers = [
            (header::CACHE_CONTROL, for_ever),
            (header::CONTENT_TYPE, "font/ttf"),
        ];
        return (headers, font).into_response();
    }
    if path == "icons.svg" {
        let (tag, icons) = packaged::icons();
        return kept(path, headers, tag, icons);
    }
    let Some(file) = Assets::get(path) else {
        return Problem::not_found(tell!(Asked::ThereNoSuchFile)).into_response();
    };
    kept(path, headers, &entity_tag(&file), file.data)
}

/// A file that a browser keeps and asks about.
fn kept(path: &str, headers: &HeaderMap, tag: &str, content: impl IntoResponse) -> Response {
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok());
    // "no-cache" asks every time, so that a page after an update is never made of two versions.
    let kept = [
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag.to_owned()),
    ];
    if known == Some(tag) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let kind = if kind.type_() == mime_guess::mime::TEXT {
        format!("{kind}; charset=utf-8")
    } else {
        kind.to_string()
    };
    (kept, [(header::CONTENT_TYPE, kind)], content).into_response()
}

fn entity_tag(file: &EmbeddedFile) -> String {
    tag_of(&file.metadata.sha256_hash())
}

/// The beginning of a hash, as browsers are told what they have.
fn tag_of(hash: &[u8]) -> String {
    let start = hash.first_chunk().copied().map_or(0, u128::from_be_bytes);
    format!("\"{start:032x}\"")
}
