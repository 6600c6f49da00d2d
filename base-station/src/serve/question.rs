//! A question that the director answers before the base station can start: what to do about a
//! damaged journal, or a club's key that is gone. Nothing is touched until it is answered.
//!
//! The page is served on this machine only, whatever `--listen` says: who is a director can't be
//! known without the journal.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::post;
use maud::{Markup, html};
use tokio::sync::{mpsc, oneshot};

use super::{GOODBYE_MAX, ServeError, WhenAsking, interrupted, listen};
use telling::Told;

use crate::reports::{self, Words};
use crate::web::{Problem, is_this_machine};

/// More than an answer ever has.
const ANSWER_LEN_MAX: usize = 1024;

/// What the director is asked.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The key of its heading.
    pub(super) title: &'static str,
    /// What is wrong.
    pub(super) what: Told,
    /// The same with what to do, for the command line.
    pub(super) sentence: String,
    /// The data folder.
    pub(super) folder: PathBuf,
    /// What can be answered, the usual one first.
    pub(super) answers: Vec<Answer>,
}

/// What the director can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Save what can be saved.
    Rescue,
    /// Take the copy of the key.
    KeyCopy,
    /// Something was put right by hand.
    LookAgain,
    /// Go on with a new key.
    NewKey,
    /// Begin an empty journal.
    NewJournal,
}

impl Answer {
    const ALL: [Self; 5] = [
        Self::Rescue,
        Self::KeyCopy,
        Self::LookAgain,
        Self::NewKey,
        Self::NewJournal,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Rescue => "rescue",
            Self::KeyCopy => "copy",
            Self::LookAgain => "again",
            Self::NewKey => "new",
            Self::NewJournal => "empty",
        }
    }

    /// The key of the button's text.
    const fn label(self) -> &'static str {
        match self {
            Self::Rescue => "ask_rescue",
            Self::KeyCopy => "ask_key_copy",
            Self::LookAgain => "ask_again",
            Self::NewKey => "ask_new_key",
            Self::NewJournal => "ask_new_journal",
        }
    }

    /// The key of what the button does.
    const fn hint(self) -> &'static str {
        match self {
            Self::Rescue => "ask_rescue_hint",
            Self::KeyCopy => "ask_key_copy_hint",
            Self::LookAgain => "ask_again_hint",
            Self::NewKey => "ask_new_key_hint",
            Self::NewJournal => "ask_new_journal_hint",
        }
    }
}

/// Does what was answered, and says what came of it: the lines of a report, or a sentence.
pub(super) type Deed = Arc<dyn Fn(Answer) -> Result<Vec<Told>, Told> + Send + Sync>;

struct Desk {
    question: Question,
    /// Only a page that we made may answer.
    token: String,
    deed: Deed,
    answered: mpsc::Sender<Answer>,
}

/// Asks until there is an answer whose deed is done.
pub(super) async fn ask(
    question: Question,
    at: SocketAddr,
    deed: Deed,
    when_asking: &WhenAsking,
    out: &mut impl Write,
) -> Result<Answer, ServeError> {
    let here = if at.ip().is_loopback() {
        at.ip()
    } else {
        IpAddr::V4(Ipv4Addr::LOCALHOST)
    };
    let listener = listen(SocketAddr::new(here, at.port())).await?;
    let address = listener.local_addr()?;
    writeln!(out, "Byestand asks before it starts: {}", question.sentence)?;
    writeln!(out, "Answer on this machine at http://{address}/")?;
    out.flush()?;
    when_asking(&format!("http://{address}/"));
    let sentence = question.sentence.clone();
    let (answered, mut answers) = mpsc::channel(1);
    let desk = Arc::new(Desk {
        question,
        token: format!("{:032x}", rand::random::<u128>()),
        deed,
        answered,
    });
    let (say_goodbye, goodbye) = oneshot::channel::<()>();
    let site = router(desk);
    let pages = tokio::spawn(async move {
        let goodbye = async {
            let _ = goodbye.await;
        };
        axum::serve(listener, site)
            .with_graceful_shutdown(goodbye)
            .await
    });
    let answer = tokio::select! {
        answer = answers.recv() => answer,
        told = interrupted() => {
            told?;
            None
        }
    };
    let _ = say_goodbye.send(());
    let _ = tokio::time::timeout(GOODBYE_MAX, pages).await;
    answer.ok_or(ServeError::Unanswered(sentence))
}

fn router(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/answer", post(answer))
        .fallback(show)
        .layer(DefaultBodyLimit::max(ANSWER_LEN_MAX))
        .with_state(desk)
}

fn language(headers: &HeaderMap) -> &'static Words {
    let wishes = headers.get(header::ACCEPT_LANGUAGE);
    let wishes = wishes.and_then(|wishes| wishes.to_str().ok());
    Words::of(telling::understood(wishes.unwrap_or_default()))
}

async fn show(State(desk): State<Arc<Desk>>, uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api/") {
        // For whoever reads the log or asks with a program: in English.
        let sentence = Told::as_written(desk.question.sentence.clone());
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, sentence).into_response();
    }
    let words = language(&headers);
    page(StatusCode::OK, words, &asked(&desk, words, None))
}

async fn answer(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: String) -> Response {
    let words = language(&headers);
    let field = |name: &str| {
        let mut fields = body.split('&').filter_map(|field| field.split_once('='));
        fields
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let chosen = Answer::ALL
        .into_iter()
        .find(|answer| field("answer") == Some(answer.word()))
        .filter(|answer| desk.question.answers.contains(answer));
    let is_ours = host.is_some_and(is_this_machine) && field("token") == Some(desk.token.as_str());
    let (Some(chosen), true) = (chosen, is_ours) else {
        let sentence = words.text("ask_out_of_date");
        return page(
            StatusCode::FORBIDDEN,
            words,
            &asked(&desk, words, Some(sentence)),
        );
    };
    let deed = Arc::clone(&desk.deed);
    let done = tokio::task::spawn_blocking(move || deed(chosen)).await;
    match done.unwrap_or_else(|fault| Err(Told::as_written(fault.to_string()))) {
        Ok(report) => {
            let _ = desk.answered.send(chosen).await;
            page(StatusCode::OK, words, &told(words, &report))
        }
        Err(sentence) => {
            let sentence = words.say(&sentence);
            let body = asked(&desk, words, Some(&sentence));
            page(StatusCode::CONFLICT, words, &body)
        }
    }
}

/// What a page may do: be seen, and be answered.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

fn page(status: StatusCode, words: &Words, body: &Markup) -> Response {
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(CONTENT_POLICY),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
    ];
    (
        status,
        headers,
        Html(reports::plain(words, "Byestand", body)),
    )
        .into_response()
}

fn asked(desk: &Desk, words: &Words, problem: Option<&str>) -> Markup {
    let question = &desk.question;
    html! { main.question {
        h1 { (words.text(question.title)) }
        @if let Some(problem) = problem { p role="alert" { strong { (problem) } } }
        p { (words.say(&question.what)) }
        p { (words.text("ask_untouched")) }
        form method="post" action="/answer" {
            input type="hidden" name="token" value=(desk.token);
            @for answer in &question.answers {
                p {
                    button name="answer" value=(answer.word()) { (words.text(answer.label())) }
                    br;
                    (words.text(answer.hint()))
                }
            }
        }
        p { (words.with("ask_folder", &[("folder", &question.folder.display())])) }
    } }
}

fn told(words: &Words, report: &[Told]) -> Markup {
    html! { main.question {
        h1 { (words.text("ask_done")) }
        @for line in report { p { (words.say(line)) } }
        p { a.back href="/" { (words.text("ask_go_on")) } }
    } }
}
