//! A director's page through the night: it is fed with differences, as over the live stream, and in
//! the end must show what a page shows that was just opened.

use base_station::session::{Moment, Presence, State};
use base_station::view::{self, Change, Lamp, LampState, Lamps, View};
use base_station::watch::Watchful;

/// The phone in the director's pocket sleeps through some of the pictures of every so many.
const NAP: std::ops::Range<u32> = 5..9;
const NAP_EVERY: u32 = 20;

/// The task of the base station that tells pages what has changed. It dies with the process.
#[derive(Debug, Default)]
pub(super) struct Publisher {
    watchful: Watchful,
    latest: Option<View>,
    /// A broken one does not notice that a page was asleep.
    overlooks_naps: bool,
}

impl Publisher {
    pub(super) fn new(overlooks_naps: bool) -> Self {
        Self {
            overlooks_naps,
            ..Self::default()
        }
    }

    /// Makes the next picture, and shows the page what differs or, if it missed something, all of
    /// it.
    pub(super) fn publish(
        &mut self,
        page: &mut Page,
        state: &State,
        presence: &Presence,
        now: Moment,
    ) {
        let warnings = self.watchful.shown(state, presence, now);
        let picture = View::of(state, presence, lamps(), warnings, now);
        let earlier = self.latest.replace(picture.clone());
        page.pictures += 1;
        if NAP.contains(&(page.pictures % NAP_EVERY)) {
            page.connected = self.overlooks_naps;
            return;
        }
        let change = earlier.and_then(|earlier| picture.since(&earlier));
        match (change, page.connected, &mut page.shows) {
            (Some(change), true, Some(shown)) => apply(shown, change),
            (_, _, shows) => *shows = Some(picture),
        }
        page.connected = true;
    }
}

/// What one browser keeps in its head.
#[derive(Debug, Default)]
pub(super) struct Page {
    shows: Option<View>,
    connected: bool,
    pictures: u32,
}

impl Page {
    /// The director takes the phone out.
    pub(super) fn wake_up(&mut self) {
        self.pictures = 0;
    }

    /// The base station is gone: the stream breaks off.
    pub(super) fn lose_contact(&mut self) {
        self.connected = false;
    }

    /// Everything that it shows otherwise than a page would that was opened now.
    pub(super) fn differs(&self, state: &State, presence: &Presence, now: Moment) -> Vec<String> {
        let warnings = view::warnings(state, presence, now);
        let fresh = View::of(state, presence, lamps(), warnings, now);
        let Some(shown) = &self.shows else {
            return vec!["the page never showed anything".to_owned()];
        };
        let parts = [
            ("session", shown.session == fresh.session),
            ("clock", shown.clock == fresh.clock),
            ("tables", shown.tables == fresh.tables),
            ("cells", shown.cells == fresh.cells),
            ("warnings", shown.warnings == fresh.warnings),
            ("pads", shown.pads == fresh.pads),
            ("place in the journal", shown.seq == fresh.seq),
        ];
        let other = parts.into_iter().filter(|(_, same)| !same);
        other
            .map(|(part, _)| format!("a page that was open all night shows other {part}"))
            .collect()
    }
}

/// What the page's own script does with a change.
fn apply(shown: &mut View, change: Change) {
    (shown.seq, shown.now_ms) = (change.seq, change.now_ms);
    for table in change.tables {
        let mut places = shown.tables.iter_mut();
        if let Some(place) = places.find(|it| it.table == table.table) {
            *place = table;
        }
    }
    for cell in change.cells {
        let mut places = shown.cells.iter_mut();
        if let Some(place) = places.find(|it| (it.table, it.round) == (cell.table, cell.round)) {
            *place = cell;
        }
    }
    let parts = change.parts;
    if parts.session.is_some() {
        shown.session = parts.session;
    }
    shown.clock = parts.clock.unwrap_or_else(|| shown.clock.clone());
    if let Some(warnings) = parts.warnings {
        shown.warnings = warnings;
    }
    if let Some(pads) = parts.pads {
        shown.pads = pads;
    }
    shown.lamps = parts.lamps.unwrap_or_else(|| shown.lamps.clone());
}

/// Lamps are the daemon's, and there is none here.
fn lamps() -> Lamps {
    let green = || Lamp {
        state: LampState::Good,
        text: telling::Told::nothing(),
    };
    Lamps {
        watch: green(),
        receiver: green(),
        journal: green(),
    }
}
