//! The page's own files, inside the binary: no build step, no internet.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::Problem;

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// The page that loads everything else.
pub(super) async fn index(headers: HeaderMap) -> Response {
    serve("index.html", &headers)
}

/// Any other file.
pub(super) async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    serve(&path, &headers)
}

fn serve(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Assets::get(path) else {
        return Problem::not_found("There is no such file here. Go back to the first page.")
            .into_response();
    };
    let tag = entity_tag(&file);
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok());
    // "no-cache" asks every time, so that a page after an update is never made of two versions.
    let kept = [
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if known == Some(tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let kind = if kind.type_() == mime_guess::mime::TEXT {
        format!("{kind}; charset=utf-8")
    } else {
        kind.to_string()
    };
    (kept, [(header::CONTENT_TYPE, kind)], file.data).into_response()
}

fn entity_tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let start = hash.first_chunk().copied().map_or(0, u128::from_be_bytes);
    format!("\"{start:032x}\"")
}
