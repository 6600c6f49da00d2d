//! Where scoring programs come in: a door of its own that speaks as a Bridgemate Data Connector.
//!
//! It is shut until somebody opens it, by `--data-connector` or on the page. Programs on this
//! machine may come as they are, like its user; from elsewhere they show the director's password as
//! their licence key. One request is dealt with at a time, so that what a program sends in a row is
//! done in a row.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use ::connector::{Answer, ErrorType, Fault, GREETING, PATH, PORT, Request};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::{Mutex, Semaphore, oneshot, watch};

use super::{Clock, HandleError, SessionHandle, SystemClock};
use crate::connections::{self, Bounds};
use crate::connector::{Judged, Memory, judge, refused};
use crate::password::password_is;
use crate::session::{Moment, Who};
use telling::{Told, Voice, tell};

/// An event of 256 tables with all its rounds, written twice as JSON, is a quarter of this.
const BODY_LEN_MAX: usize = 16 * 1024 * 1024;

/// How long a request may take to arrive.
const BODY_TIME_MAX: Duration = Duration::from_secs(30);

/// How long to wait for an address that somebody else holds.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(3);

/// The price of a wrong licence key.
const WRONG_KEY_PAUSE: Duration = Duration::from_secs(1);

/// A program has one connection at a time, and opens the next when the last is not quite gone.
const CONNECTIONS_HERE: usize = 32;

/// The same from other machines, all of them together.
const CONNECTIONS_ELSEWHERE: usize = 32;

/// Requests from other machines that are read at the same time before anybody there has shown the
/// password: it stands inside the request, which may be long.
const STRANGERS_READ: usize = 2;

/// Letters of a club's name that are kept.
const CLUB_LEN_MAX: usize = 60;

/// Where programs look for a Data Connector.
pub const USUAL_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT);

/// The door for scoring programs.
#[derive(Debug)]
pub struct DataConnector {
    session: SessionHandle,
    /// Where the command line wants it, whatever the page says.
    named: Option<SocketAddr>,
    memory: Arc<Mutex<Memory>>,
    status: watch::Sender<Status>,
    /// The last licence key that was the password, and the hash it was compared with.
    admitted: watch::Sender<Option<(String, String)>>,
    guesses: Mutex<()>,
    /// Other machines from which the password has come.
    friends: watch::Sender<BTreeSet<IpAddr>>,
    /// Places for requests of all others while they are read.
    strangers: Semaphore,
}

/// How the door is.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// It is open here.
    pub address: Option<SocketAddr>,
    /// It can't be opened, and why.
    pub fault: Option<Told>,
    /// When a program was last heard, and what club it named.
    pub contact: Option<(Moment, String)>,
    /// What the program was told besides when it last changed something.
    pub notes: Vec<Told>,
}

impl DataConnector {
    /// Shut.
    pub fn new(session: SessionHandle, named: Option<SocketAddr>) -> Self {
        Self {
            session,
            named,
            memory: Arc::new(Mutex::new(Memory::default())),
            status: watch::Sender::new(Status::default()),
            admitted: watch::Sender::new(None),
            guesses: Mutex::new(()),
            friends: watch::Sender::new(BTreeSet::new()),
            strangers: Semaphore::new(STRANGERS_READ),
        }
    }

    /// How it is now.
    pub fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// Whether the command line has opened it.
    pub const fn is_named(&self) -> bool {
        self.named.is_some()
    }

    /// What it remembers of queues.
    pub fn memory(&self) -> &Arc<Mutex<Memory>> {
        &self.memory
    }

    /// Opens and shuts the door as the director wants it, until the base station ends. `first` is
    /// where the command line wanted it.
    pub async fn run(self: Arc<Self>, first: Option<TcpListener>, bounds: Bounds) {
        let mut views = self.session.watch();
        let mut listener = first;
        let mut open: Option<oneshot::Sender<()>> = None;
        loop {
            let wanted = self.named.is_some() || views.borrow_and_update().state.club.connector_on;
            match (wanted, open.is_some()) {
                (true, false) => open = self.open(listener.take(), bounds).await,
                (false, true) => {
                    drop(open.take());
                    self.status.send_modify(|status| status.address = None);
                }
                (false, false) => self.status.send_modify(|status| status.fault = None),
                (true, true) => {}
            }
            let waits_for_address = wanted && open.is_none();
            tokio::select! {
                changed = views.changed() => if changed.is_err() { return },
                () = tokio::time::sleep(TRY_AGAIN_AFTER), if waits_for_address => {}
            }
        }
    }

    /// Serves until what it answers with is dropped.
    async fn open(
        self: &Arc<Self>,
        listener: Option<TcpListener>,
        bounds: Bounds,
    ) -> Option<oneshot::Sender<()>> {
        let bounds = Bounds {
            laptop: bounds.laptop.min(CONNECTIONS_HERE),
            others: bounds.others.min(CONNECTIONS_ELSEWHERE),
            address: bounds.address.min(CONNECTIONS_ELSEWHERE),
            ..bounds
        };
        let address = self.named.unwrap_or(USUAL_ADDRESS);
        let bound = match listener {
            Some(listener) => Ok(listener),
            None => TcpListener::bind(address).await,
        };
        let listener = match bound {
            Ok(listener) => listener,
            Err(fault) => {
                let fault = tell!(Connector::NotHadAnotherData {
                    address: address.to_string(),
                    fault: fault.to_string()
                });
                self.status.send_modify(|it| it.fault = Some(fault));
                return None;
            }
        };
        let address = listener.local_addr().ok();
        self.status.send_modify(|status| {
            status.address = address;
            status.fault = None;
        });
        let (goodbye, ends) = oneshot::channel::<()>();
        let router = router(Arc::clone(self));
        tokio::spawn(async move {
            let ends = async {
                let _ = ends.await;
            };
            connections::serve(listener, None, router, bounds, ends).await;
        });
        Some(goodbye)
    }

    async fn deal_with(&self, request: Request) -> Answer {
        let mut memory = Arc::clone(&self.memory).lock_owned().await;
        let club: String = request.club.chars().take(CLUB_LEN_MAX).collect();
        let contact = (SystemClock.now(), club);
        self.status.send_modify(|it| it.contact = Some(contact));
        let state = self.session.view().state.clone();
        // Working a large event out takes a while; the answer keeps its turn meanwhile.
        let work = move || {
            let judged = judge(&state, &mut memory, &request, SystemClock.now());
            (judged, request, memory)
        };
        let (judged, request, turn) = match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(fault) => return broken(&fault.to_string()),
        };
        let Judged {
            command,
            answer,
            notes,
        } = judged;
        let Some(command) = command else {
            return answer;
        };
        let answer = match self.session.command(command, Who::program()).await {
            Ok(seq) => {
                let mut views = self.session.watch();
                // Who asks next sees what is so now.
                let _ = views.wait_for(|view| view.state.seq >= seq).await;
                if !notes.is_empty() {
                    self.status.send_modify(|status| status.notes = notes);
                }
                answer
            }
            Err(HandleError::Refused(why)) => refused(&request, why),
            Err(fault) => broken(&fault.to_string()),
        };
        drop(turn);
        answer
    }

    /// Whether somebody from elsewhere has the director's password.
    async fn is_director(&self, licence: &str) -> bool {
        let Some(hash) = self.session.view().state.club.password.clone() else {
            return false;
        };
        let given = (hash, licence.to_owned());
        if self.admitted.borrow().as_ref() == Some(&given) {
            return true;
        }
        // One at a time: guessing takes as long as it takes.
        let turn = self.guesses.lock().await;
        let (hash, licence) = given.clone();
        let right = tokio::task::spawn_blocking(move || password_is(&licence, &hash)).await;
        if right.unwrap_or(false) {
            self.admitted.send_replace(Some(given));
            return true;
        }
        tokio::time::sleep(WRONG_KEY_PAUSE).await;
        drop(turn);
        false
    }
}

fn broken(cause: &str) -> Answer {
    tracing::error!(%cause, "a scoring program's request failed");
    let why = tell!(Connector::BaseStationCouldNot { cause }).in_words(Voice::default());
    Answer::fault(0, "", &Fault::new(ErrorType::Exception, why))
}

fn router(connector: Arc<DataConnector>) -> Router {
    Router::new()
        .route("/", get(greeting))
        .route(PATH, post(take))
        .with_state(connector)
}

async fn greeting() -> String {
    format!("{GREETING} {} (Byestand)", env!("CARGO_PKG_VERSION"))
}

async fn take(
    State(connector): State<Arc<DataConnector>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    // Only pages in browsers say where they come from, and none of them is a scoring program.
    if headers.contains_key(header::ORIGIN) {
        return (StatusCode::FORBIDDEN, "this is not for pages in a browser").into_response();
    }
    let from = from.ip().to_canonical();
    let here = from.is_loopback();
    let is_known = here || connector.friends.borrow().contains(&from);
    let _place = if is_known {
        None
    } else {
        connector.strangers.acquire().await.ok()
    };
    let read = tokio::time::timeout(BODY_TIME_MAX, to_bytes(body, BODY_LEN_MAX)).await;
    let Ok(Ok(body)) = read else {
        let why = format!(
            "the request is too long or too slow: expected {BODY_LEN_MAX} bytes at most, in {} seconds",
            BODY_TIME_MAX.as_secs()
        );
        return json(&Answer::fault(0, "", &Fault::invalid(why)));
    };
    let request = match Request::read(&body) {
        Ok(request) => request,
        Err(answer) => return json(&answer),
    };
    if !here && !connector.is_director(&request.licence).await {
        let why = "from another machine the licence key must be the director's password";
        return json(&request.answer(Err(Fault::invalid(why))));
    }
    if !is_known {
        connector.friends.send_modify(|it| {
            it.insert(from);
        });
    }
    json(&connector.deal_with(request).await)
}

fn json(answer: &Answer) -> Response {
    let kind = "application/json; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], answer.to_json()).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use axum::http;
    use tower::ServiceExt;

    use super::*;
    use crate::store::Store;

    /// A request from another machine whose body never ends.
    fn endless(from: [u8; 4]) -> http::Request<Body> {
        let body =
            Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        http::Request::post(PATH)
            .extension(ConnectInfo(SocketAddr::from((from, 4000))))
            .body(body)
            .expect("a request")
    }

    #[tokio::test]
    async fn strangers_are_read_two_at_a_time_and_keep_no_friend_waiting() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a journal");
        let owner = super::super::start(store, SystemClock).expect("an owner");
        let connector = Arc::new(DataConnector::new(owner.handle.clone(), None));
        let router = router(Arc::clone(&connector));
        let mut strangers = Vec::new();
        for last in 1..=5 {
            let asked = router.clone().oneshot(endless([192, 0, 2, last]));
            strangers.push(tokio::spawn(asked));
        }
        while connector.strangers.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        // The rest stand in line; a program of this machine and one that is known do not.
        let friend = [192, 0, 2, 77];
        connector.friends.send_modify(|it| {
            it.insert(IpAddr::from(friend));
        });
        for from in [[127, 0, 0, 1], friend] {
            let asked = http::Request::post(PATH)
                .extension(ConnectInfo(SocketAddr::from((from, 4000))))
                .body(Body::from("no request at all"))
                .expect("a request");
            let answer = router.clone().oneshot(asked).await.expect("an answer");
            assert_eq!(answer.status(), StatusCode::OK);
        }
        assert_eq!(connector.strangers.available_permits(), 0);
        for stranger in strangers {
            stranger.abort();
        }
    }
}
