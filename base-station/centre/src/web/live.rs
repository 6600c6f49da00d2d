//! Tells pages that there is a later moment. They ask for it themselves, and most of them get what
//! was made for the first; whoever comes back says which moment it has.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::Stream;
use serde::Deserialize;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::WatchStream;

use super::Web;

/// Nobody reads a ranking more often than that.
const TELL_EVERY: Duration = Duration::from_secs(2);

pub(super) fn routes() -> Router<Web> {
    Router::new().route("/event/{event}/events", get(events))
}

/// Which moment a page has.
#[derive(Deserialize)]
struct Known {
    #[serde(default)]
    after: String,
}

async fn events(
    State(web): State<Web>,
    Path(event): Path<i32>,
    Query(page): Query<Known>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let known = headers.get("last-event-id");
    let known = known.and_then(|it| it.to_str().ok());
    // Whoever comes back has heard more than the page that it began with.
    let mut known = known.map_or(page.after, str::to_owned);
    let moments = WatchStream::new(web.follower().watch(event)).throttle(TELL_EVERY);
    let later = moments.filter_map(move |shown| {
        let stamp = shown?.stamp();
        if stamp == known {
            return None;
        }
        stamp.clone_into(&mut known);
        Some(Ok(Event::default().id(&stamp).data(&stamp)))
    });
    Sse::new(later).keep_alive(KeepAlive::default())
}
