//! A phone or tablet as a pad: its page, the way it joins, and its line to the base.
//!
//! Nobody signs in here. Whoever has read the code of a table can join once; what comes over a line
//! counts only if it is sealed with the keys that were given then, like everything on the air.

mod line;
pub(super) mod screens;

use std::fmt::Write as _;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use maud::{DOCTYPE, PreEscaped, html};
use protocol::phone::{Code, CodeSecret, Device, Proof};
use protocol::words::PadId;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use telling::{Catalogue, Told, tell};

use super::{Body, Problem, Reads, Web};
use crate::reports::{Language, Words};
use crate::session::{DeviceKind, Joined, OwnPhone, PairId, TableId, Trust};

/// Our own files, and among them this one WebAssembly: nothing else is compiled from bytes.
const CONTENT_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// What the page's script asks for; a test compares it with the folder.
pub(super) const SCRIPTS: [&str; 11] = [
    "/assets/phone/main.js",
    "/assets/js/dom.js",
    "/assets/js/edges.js",
    "/assets/phone/machine.js",
    "/assets/phone/keep.js",
    "/assets/phone/line.js",
    "/assets/phone/notes.js",
    "/assets/phone/own.js",
    "/assets/phone/second.js",
    "/assets/phone/face.js",
    "/assets/phone/words.js",
];

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/phone", get(page))
        .route("/phone/pad.wasm", get(image))
        .route("/phone/join", post(join))
        .route("/phone/line", get(line::line))
        .route("/phone/worker.js", get(worker))
        .route("/phone/manifest.webmanifest", get(manifest))
}

/// The page. It is the same for every table: the code stands in the part of the address that is
/// not sent.
async fn page(State(web): State<Web>, Reads(language): Reads) -> Response {
    let words = Words::of(language);
    let texts = |language: Language| -> serde_json::Map<String, serde_json::Value> {
        let texts = serde_json::to_value(Catalogue::of(language).for_the_page());
        let texts = texts.unwrap_or_default();
        let own = texts.as_object().into_iter().flatten();
        own.filter(|(key, _)| key.starts_with("phone_"))
            .map(|(key, text)| (key.clone(), text.clone()))
            .collect()
    };
    let all: serde_json::Map<String, serde_json::Value> = Language::ALL
        .into_iter()
        .map(|language| (language.code().to_owned(), texts(language).into()))
        .collect();
    // Inside a script element only its own end would be read as markup.
    let all = serde_json::Value::from(all)
        .to_string()
        .replace('<', "\\u003c");
    let missing = if web.phones().is_none() {
        words.say(&tell!(Asked::NoReceiverForPhones))
    } else if phone_image::MISSING.is_empty() {
        String::new()
    } else {
        words.say(&lacking())
    };
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                meta name="theme-color" content="#14532d";
                meta name="mobile-web-app-capable" content="yes";
                title { (words.text("phone_title")) " – Byestand" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="manifest" href="/phone/manifest.webmanifest";
                link rel="stylesheet" href="/assets/css/phone.css";
                // All at once, instead of one after the other: a slow network is asked once.
                @for script in SCRIPTS {
                    link rel="modulepreload" href=(script);
                }
                @if missing.is_empty() {
                    link rel="preload" href="/phone/pad.wasm" as="fetch" crossorigin;
                }
                script type="application/json" id="words" { (PreEscaped(all)) }
                script type="module" src="/assets/phone/main.js" {}
            }
            body data-missing=(missing) {
                header #status {
                    span #place {}
                    span #alert role="status" {}
                    span #net role="status" {}
                    span #full role="alert" {}
                    button #larger type="button" aria-pressed="false" { "A" }
                }
                main #page tabindex="-1" { p { (words.text("phone_loading")) } }
                noscript { p { (words.text("phone_no_script")) } }
            }
        }
    };
    let policy = [(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY)];
    (policy, Html(page.into_string())).into_response()
}

/// Why this program has no pad for browsers.
fn lacking() -> Told {
    tell!(Asked::BuiltWithoutPhones {
        cause: phone_image::MISSING
    })
}

/// The pad's own program.
async fn image(headers: HeaderMap) -> Response {
    if phone_image::IMAGE.is_empty() {
        return Problem::not_found(lacking()).into_response();
    }
    let tag = format!("\"{}-{}\"", env!("CARGO_PKG_VERSION"), image_mark());
    let kept = [
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    let known = headers.get(header::IF_NONE_MATCH);
    if known.and_then(|known| known.to_str().ok()) == Some(tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let kind = [(header::CONTENT_TYPE, "application/wasm")];
    (kept, kind, phone_image::IMAGE).into_response()
}

fn image_mark() -> u32 {
    static MARK: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(phone_image::IMAGE)
    });
    *MARK
}

/// Keeps the page for a phone that is started without network. Browsers take it over TLS only.
async fn worker() -> Response {
    let headers = [
        (header::CONTENT_TYPE.as_str(), "text/javascript"),
        (header::CACHE_CONTROL.as_str(), "no-cache"),
        ("service-worker-allowed", "/phone"),
    ];
    (headers, include_str!("../../../assets/phone/worker.js")).into_response()
}

async fn manifest(Reads(language): Reads) -> Response {
    let words = Words::of(language);
    let manifest = serde_json::json!({
        "name": words.text("phone_title"),
        "short_name": "Byestand",
        "start_url": "/phone",
        "scope": "/phone",
        "display": "standalone",
        "background_color": "#f6f5f1",
        "theme_color": "#14532d",
        "icons": [{ "src": "/assets/icon.svg", "sizes": "any", "type": "image/svg+xml" }],
    });
    let kind = [(header::CONTENT_TYPE, "application/manifest+json")];
    (kind, manifest.to_string()).into_response()
}

/// A phone has scanned a code.
#[derive(Debug, Deserialize)]
struct Join {
    code: String,
    /// What the phone drew, as 32 hexadecimal digits.
    device: String,
    /// That it has read the code, as 32 hexadecimal digits.
    proof: String,
}

/// What the phone is given, readable for nobody else.
#[derive(Debug, Serialize)]
struct Given {
    sealed: String,
    /// Of which table it is the pad.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u16>,
    /// Whose own phone it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<PairId>,
}

async fn join(
    State(web): State<Web>,
    headers: HeaderMap,
    Body(input): Body<Join>,
) -> Result<Json<Given>, Problem> {
    let phones = web
        .phones()
        .ok_or_else(|| Problem::not_found(tell!(Asked::NoReceiverForPhones)))?;
    let (device, proof): (Device, Proof) = digits(&input.device)
        .zip(digits(&input.proof))
        .ok_or_else(|| Problem::unreadable(tell!(Asked::Expected32Digits)))?;
    let proven = |secret: &CodeSecret| {
        let refusal = || Problem::forbidden(tell!(Asked::NotACodeOfClub));
        secret
            .is_proven(&device, &proof)
            .then_some(())
            .ok_or_else(refusal)
    };
    let seal = |secret: &CodeSecret, phone: PadId| {
        let sealed = secret.seal(&device, &phones.grant(phone));
        let sealed = sealed.map(|sealed| hexadecimal(&sealed));
        sealed.ok_or_else(|| Problem::fault("the keys could not be sealed"))
    };
    let kind = kind_of(&headers);
    if let Some((session, pair, number)) = screens::read_own_code(&input.code) {
        let secret = phones.own_secret(&input.code);
        proven(&secret)?;
        let own = OwnPhone {
            phone: new_identity()?,
            session,
            pair,
            number,
            device: mark_of(&device),
            kind,
        };
        let phone = admit_own(&web, own).await?;
        return Ok(Json(Given {
            sealed: seal(&secret, phone)?,
            section: None,
            table: None,
            pair: Some(pair),
        }));
    }
    let code: Code = input.code.parse()?;
    let table = TableId {
        section: code.section,
        table: code.table,
    };
    let (_, secret) = phones.code(code.session, table, code.number);
    proven(&secret)?;
    let joined = Joined {
        pad: new_identity()?,
        session: code.session,
        table,
        number: code.number,
        device: mark_of(&device),
        kind,
    };
    let pad = admit(&web, joined).await?;
    Ok(Json(Given {
        sealed: seal(&secret, pad)?,
        section: Some(code.section.to_string()),
        table: Some(code.table.get()),
        pair: None,
    }))
}

/// The identity of a phone that has proven that it read the code: a new one, or the one that it was
/// given before the answer got lost.
async fn admit(web: &Web, joined: Joined) -> Result<PadId, Problem> {
    let club = web.desk().state().club;
    let mut known = club.phones_of(joined.session, joined.table).into_iter();
    let same = |it: &Joined| (it.number, it.device) == (joined.number, joined.device);
    if let Some(again) = known.find(same) {
        return Ok(again.pad);
    }
    web.desk().admit_phone(Trust::PhoneJoined(joined)).await?;
    Ok(joined.pad)
}

/// The same for a pair's own phone.
async fn admit_own(web: &Web, own: OwnPhone) -> Result<PadId, Problem> {
    let club = web.desk().state().club;
    let mut known = club.own_phones_of(own.session, own.pair).into_iter();
    let same = |it: &OwnPhone| (it.number, it.device) == (own.number, own.device);
    if let Some(again) = known.find(same) {
        return Ok(again.phone);
    }
    web.desk().admit_phone(Trust::OwnPhoneJoined(own)).await?;
    Ok(own.phone)
}

fn new_identity() -> Result<PadId, Problem> {
    PadId::new(rand::rng().random()).ok_or_else(|| Problem::fault("an identity could not be drawn"))
}

/// What is remembered of a device's number.
fn mark_of(device: &Device) -> u64 {
    let (first, second) = device.split_at(8);
    let number = |half: &[u8]| half.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
    number(first) ^ number(second)
}

/// As far as browsers say what they run on.
fn kind_of(headers: &HeaderMap) -> DeviceKind {
    let agent = headers.get(header::USER_AGENT);
    let agent = agent.and_then(|it| it.to_str().ok()).unwrap_or_default();
    if agent.contains("iPad") || (agent.contains("Android") && !agent.contains("Mobile")) {
        DeviceKind::Tablet
    } else if agent.contains("iPhone") || agent.contains("Mobile") {
        DeviceKind::Phone
    } else {
        DeviceKind::Computer
    }
}

fn digits(text: &str) -> Option<[u8; 16]> {
    if text.len() != 32 || !text.is_ascii() {
        return None;
    }
    u128::from_str_radix(text, 16).ok().map(u128::to_be_bytes)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // Writing to a string can't fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
