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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::Assets;

    fn sources(folder: &Path, all: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, all);
            } else if path.extension().is_some_and(|name| name == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                // A literal that goes on in the next line is one literal.
                let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
                all.push_str(&lines.join("\n").replace("\\\n", ""));
            }
        }
    }

    #[test]
    fn every_sentence_that_is_translated_is_one_that_the_base_still_says() {
        let mut said = String::new();
        // The base station's own sources and those of the packages that stand in its folder.
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let inside = std::fs::read_dir(here).expect("a folder").flatten();
        for folder in inside.map(|entry| entry.path().join("src")) {
            if folder.is_dir() {
                sources(&folder, &mut said);
            }
        }
        sources(&here.join("src"), &mut said);
        sources(
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/src")),
            &mut said,
        );
        let file = Assets::get("lang/de.said.json").expect("the German sentences");
        let phrases: BTreeMap<String, String> =
            serde_json::from_slice(&file.data).expect("readable");
        let mut gone = Vec::new();
        for english in phrases.keys() {
            // What stands between the parts that change, sentence by sentence.
            let fixed = english.split(['{', '}']).step_by(2);
            for piece in fixed.flat_map(|piece| piece.split_inclusive(". ")) {
                let piece = piece.trim_matches([' ', ':', ';', ',', '(', ')']);
                if piece.len() > 3 && !said.contains(piece) {
                    gone.push(format!("{english}: \"{piece}\""));
                }
            }
        }
        assert!(gone.is_empty(), "nobody says any more: {gone:#?}");
    }

    #[test]
    fn a_translated_sentence_keeps_every_part_of_the_original() {
        let file = Assets::get("lang/de.said.json").expect("the German sentences");
        let phrases: BTreeMap<String, String> =
            serde_json::from_slice(&file.data).expect("readable");
        let parts = |text: &str| {
            let mut parts: Vec<String> = text
                .split(['{', '}'])
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect();
            parts.sort();
            parts
        };
        for (english, german) in &phrases {
            assert_eq!(parts(english), parts(german), "{english}");
        }
    }
}
