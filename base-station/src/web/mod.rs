//! The director's page: HTTP, live events, and the rules of who may do what.
//!
//! [`router`] is the way in. Reading goes through [`crate::view`] (pure functions from the session's
//! state), changing through the session's own commands: nothing is decided here. What comes in
//! is parsed into the words of the game at the edge ([`api`]), and what does not parse is
//! answered with a sentence ([`Problem`]).

mod address;
pub mod api;
mod assets;
pub mod auth;
mod competitions;
mod desk;
pub(crate) mod extract;
mod letters;
mod live;
mod nights;
mod packaged;
mod pages;
mod phone;
mod problem;
mod voice;

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

pub use address::{addresses, local_network};
pub(crate) use auth::is_this_machine;
pub use desk::Desk;
pub use extract::{Asked, Body, Named, Reads};
pub use problem::{Problem, ProblemBody};

use crate::view::Audience;
use crate::watch::Warning;
use auth::{Access, Bench, Door, Limits, Visitor};
use live::Live;
use phone::screens::{Codes, Screens};
use telling::tell;

/// A deal file of a hundred boards with all its tables is a quarter of this.
const BODY_LEN_MAX: usize = 2 * 1024 * 1024;

/// How often an open stream looks whether its key has expired. What is revoked is seen at once.
const LOOK_AT_KEYS_EVERY: Duration = Duration::from_secs(30);

/// Only our own files, and nothing from anywhere else.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// What every handler shares.
#[derive(Clone)]
pub struct Web {
    inner: Arc<Inner>,
}

struct Inner {
    desk: Desk,
    door: Door,
    bench: Bench,
    limits: Limits,
    live: Live,
    reach: Reach,
    pads_in_hand: bool,
    screens: Option<Screens>,
    nights: nights::NightsKept,
}

/// How the page is reached.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Under these addresses, the best one for a phone last.
    pub addresses: Vec<String>,
    /// The fingerprint of the club's certificate; none where the page is plain HTTP.
    pub fingerprint: Option<String>,
    /// The door for scoring programs.
    pub connector: Option<Arc<crate::daemon::DataConnector>>,
    /// The way in for phones that are pads.
    pub phones: Option<crate::daemon::Phones>,
}

impl Reach {
    /// The address under which phones get here; none where the page is for this machine only.
    pub(crate) fn phone_address(&self) -> Option<&str> {
        let address = self.addresses.last()?.trim_end_matches('/');
        let host = address.split_once("://")?.1;
        let ip = host.parse::<SocketAddr>().map(|it| it.ip());
        let here = ip.map_or(true, |ip| ip.is_loopback());
        (!here).then_some(address)
    }

    /// The same, or else the address for this machine only.
    fn address(&self) -> Option<String> {
        let here = self.addresses.last()?.trim_end_matches('/');
        Some(self.phone_address().unwrap_or(here).to_owned())
    }
}

/// The ways into the site, of which there are hundreds: put together while the journal is read.
pub struct Routes(Router<Web>);

impl Routes {
    /// All that have to do with the evening.
    pub fn all() -> Self {
        let routes = pages::routes()
            .merge(competitions::routes())
            .merge(api::routes())
            .merge(phone::routes());
        Self(routes)
    }
}

/// The whole site. Call it inside a tokio runtime: it starts the task that tells pages what
/// has changed.
pub fn router(desk: Desk, reach: Reach) -> Router {
    router_beside(Routes::all(), desk, reach, Router::new())
}

/// The whole site, and beside it pages on which a visitor holds a pad in the hand.
pub fn router_beside(routes: Routes, desk: Desk, reach: Reach, pads: Router) -> Router {
    let live = Live::start(desk.clone());
    let codes = reach.phones.clone().zip(reach.address());
    let screens = codes.map(|(phones, address)| {
        let codes = Codes { phones, address };
        Screens::start(desk.clone(), codes)
    });
    let web = Web {
        inner: Arc::new(Inner {
            desk,
            door: Door::default(),
            bench: Bench::default(),
            limits: Limits::default(),
            live,
            reach,
            pads_in_hand: pads.has_routes(),
            screens,
            nights: nights::NightsKept::default(),
        }),
    };
    let fixed = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    // Whatever is not one of the page's own files may be private: no browser and no proxy keeps it.
    let private = routes.0.layer(fixed(header::CACHE_CONTROL, "no-store"));
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{*path}", get(assets::file))
        .route("/favicon.ico", get(assets::icon))
        .route(
            "/styleguide",
            get(|| async { Redirect::temporary("/#/styleguide") }),
        )
        .merge(private)
        .fallback(pages::nowhere)
        .method_not_allowed_fallback(|| async {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                tell!(Asked::PageCantAskedWay),
            )
        })
        .layer(DefaultBodyLimit::max(BODY_LEN_MAX))
        .layer(middleware::from_fn_with_state(web.clone(), limit))
        .layer(middleware::from_fn(voice::speak))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_panic| {
            Problem::fault(tell!(Asked::SomethingUnexpectedHappenedNothing)).into_response()
        }))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(CONTENT_POLICY),
        ))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .with_state(web)
        .merge(pads)
}

impl Web {
    /// The way to the session.
    pub fn desk(&self) -> &Desk {
        &self.inner.desk
    }

    pub(crate) fn door(&self) -> &Door {
        &self.inner.door
    }

    pub(crate) fn bench(&self) -> &Bench {
        &self.inner.bench
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    fn nights_kept(&self) -> &nights::NightsKept {
        &self.inner.nights
    }

    pub(crate) fn live(&self) -> &Live {
        &self.inner.live
    }

    /// Everything that needs the director, as of what is in the journal now.
    pub(crate) async fn warnings(&self) -> Result<Vec<Warning>, Problem> {
        self.live().warnings(self.desk().state().seq).await
    }

    /// Where the page can be reached.
    pub(crate) fn addresses(&self) -> &[String] {
        &self.inner.reach.addresses
    }

    /// The fingerprint of the club's certificate, where the page has one.
    pub(crate) fn fingerprint(&self) -> Option<&str> {
        self.inner.reach.fingerprint.as_deref()
    }

    /// The door for scoring programs.
    pub(crate) fn connector(&self) -> Option<&crate::daemon::DataConnector> {
        self.inner.reach.connector.as_deref()
    }

    /// The way in for phones that are pads; none where the base station is not the real one.
    pub(crate) fn phones(&self) -> Option<&crate::daemon::Phones> {
        self.inner.reach.phones.as_ref()
    }

    /// The network that pads are heard in; none where the base station is not the real one.
    pub(crate) fn network(&self) -> Option<u8> {
        self.phones().map(|phones| phones.network().get())
    }

    /// The task that knows all second screens; none where there are no phones.
    pub(crate) fn screens(&self) -> Option<&Screens> {
        self.inner.screens.as_ref()
    }

    /// The address under which phones get here; none where the page is for this machine only.
    pub(crate) fn phone_address(&self) -> Option<&str> {
        self.inner.reach.phone_address()
    }

    /// What the next phone at a table opens. On a page that is for this machine only another window
    /// of it can be the pad.
    pub(crate) fn phone_link(&self, table: crate::session::TableId) -> Option<String> {
        let state = self.desk().state();
        let session = state.session.as_ref()?.id;
        let number = state.club.next_code(session, table);
        let (code, secret) = self.phones()?.code(session, table, number);
        let address = self.inner.reach.address()?;
        Some(format!("{address}/phone#{code}-{secret}"))
    }

    /// What a cookie needs besides, so that no browser sends it over plain HTTP.
    pub(crate) fn secure(&self) -> &'static str {
        self.fingerprint().map_or("", |_| "; Secure")
    }

    /// Whether the demonstration's pads can be held in the browser.
    pub(crate) fn pads_in_hand(&self) -> bool {
        self.inner.pads_in_hand
    }

    pub(crate) fn access(&self) -> Access {
        self.desk().access()
    }

    /// Ends when whoever asked with these headers is somebody else by now: signed out, forgotten,
    /// or shut out by a new password or rule.
    pub(crate) fn revoked(
        &self,
        headers: HeaderMap,
        was: Visitor,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (web, mut door, mut club) =
            (self.clone(), self.door().changes(), self.desk().changes());
        async move {
            while web.door().visitor(&web.access(), &headers).0 == was {
                tokio::select! {
                    changed = door.changed() => if changed.is_err() { return },
                    changed = club.changed() => if changed.is_err() { return },
                    // Keys also expire by themselves.
                    () = tokio::time::sleep(LOOK_AT_KEYS_EVERY) => {}
                }
            }
        }
    }

    /// Who is asking, after the request was found to be our own page's.
    fn admit(&self, parts: &Parts) -> Result<Visitor, Problem> {
        let access = self.access();
        let (visitor, token) = self.door().visitor(&access, &parts.headers);
        // Where nobody is signed in there is nothing to forge; the role decides.
        if matches!(visitor, Visitor::Director(_)) {
            auth::check_origin(&access, &parts.method, &parts.headers, &token)?;
        }
        Ok(visitor)
    }
}

/// Somebody who may change things, by name.
#[derive(Clone, Debug)]
pub struct Director(pub String);

/// Somebody who may look.
#[derive(Clone, Debug)]
pub struct Reader(pub Visitor);

impl Reader {
    /// Whether everything may be shown.
    pub const fn is_director(&self) -> bool {
        matches!(self.0, Visitor::Director(_))
    }

    /// How much of a competition this one is shown.
    pub const fn audience(&self) -> Audience {
        if self.is_director() {
            Audience::Director
        } else {
            Audience::Everybody
        }
    }
}

impl FromRequestParts<Web> for Director {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Problem> {
        match web.admit(parts)? {
            Visitor::Director(name) => Ok(Self(name)),
            Visitor::Reader | Visitor::Stranger => Err(Problem::sign_in_first()),
        }
    }
}

impl FromRequestParts<Web> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Problem> {
        match web.admit(parts)? {
            Visitor::Stranger => Err(Problem::sign_in_first()),
            visitor => Ok(Self(visitor)),
        }
    }
}

/// The address a request comes from. Requests made inside the process have none.
pub(crate) fn address_of(extensions: &axum::http::Extensions) -> IpAddr {
    extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip())
}

async fn limit(State(web): State<Web>, request: Request, next: Next) -> Response {
    match web.limits().request(address_of(request.extensions())) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}
