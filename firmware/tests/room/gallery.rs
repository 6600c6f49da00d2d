//! Every screen of the pad, reached as people reach it.

use protocol::message::{
    Acceptance, BoardChoice, Down, FeedbackLevel, Language, PairCheck, RefusalReason, Settings,
};
use protocol::time::Span;

use super::{Room, sheet};
use pad::{Screen, ScreenId};

/// What the gallery shows as much as possible of.
pub fn settings(language: Language) -> Settings {
    Settings {
        feedback: FeedbackLevel::Traveller,
        hand_record: true,
        ranking: true,
        language,
        ..Settings::CLUB_EVENING
    }
}

struct Gallery {
    settings: Settings,
    rooms: Vec<(String, Room)>,
}

impl Gallery {
    fn show(&mut self, name: &str, room: &Room) {
        let name = format!("{:02}-{name}", self.rooms.len() + 1);
        let mut shown = Room::new();
        (shown.app, shown.now) = (room.app.clone(), room.now);
        self.rooms.push((name, shown));
    }

    fn room(&self) -> Room {
        let mut room = Room::with(self.settings);
        // The language is the club's, and the pad has it from its last evening.
        room.say(&Down::Settings(room.base.settings));
        room
    }

    fn at_board(&self) -> Room {
        let mut room = self.room();
        room.log_on();
        room.press("OK");
        room
    }
}

/// All screens in one language, by name.
pub fn gallery(language: Language) -> Vec<(String, Screen)> {
    let rooms = rooms(language).into_iter();
    rooms.map(|(name, room)| (name, room.screen())).collect()
}

/// The pads that show them.
pub fn rooms(language: Language) -> Vec<(String, Room)> {
    let mut gallery = Gallery {
        settings: settings(language),
        rooms: Vec::new(),
    };
    log_on(&mut gallery);
    board(&mut gallery);
    other_entries(&mut gallery);
    feedback(&mut gallery);
    round_and_session(&mut gallery);
    director(&mut gallery);
    bench(&mut gallery);
    gallery.rooms
}

fn log_on(gallery: &mut Gallery) {
    let mut room = gallery.room();
    gallery.show("start", &room);
    room.press("OK");
    gallery.show("section", &room);
    room.press("A 5");
    gallery.show("table", &room);
    let mut late = gallery.room();
    late.base.refuses = Some(RefusalReason::TableInUse);
    late.press("OK A 5 OK");
    gallery.show("table-in-use", &late);
    late.in_range = false;
    late.press("OK");
    gallery.show("no-answer", &late);
    room.press("OK 1 2 3 4 5 OK 0 OK 6 7");
    gallery.show("player-number", &room);
    room.press("OK 8 OK");
    let mut typo = Room::back_to(&room.moment());
    typo.say(&Down::UnknownPlayers {
        round: super::round(1),
        seats: [true, false, false, true],
    });
    gallery.show("unknown-number", &typo);
    gallery.show("is-this-you", &room);
    room.press("BACK");
    gallery.show("wrong-table", &room);
    let mut waiting = gallery.room();
    waiting.press("OK A 5");
    // Nobody answers yet: the screen between question and answer.
    let mut app = waiting.app.clone();
    let _ = app.handle(pad::Input::Key(pad::Key::Ok), waiting.now);
    waiting.app = app;
    gallery.show("logging-on", &waiting);
}

fn board(gallery: &mut Gallery) {
    let mut room = gallery.at_board();
    gallery.show("board", &room);
    room.press("4 ♠ X");
    gallery.show("declarer", &room);
    room.press("S");
    gallery.show("lead", &room);
    room.press("♦");
    gallery.show("lead-card", &room);
    room.press("K");
    gallery.show("result", &room);
    room.press("ACCEPT");
    gallery.show("warning", &room);
    room.press("=");
    gallery.show("result-typed", &room);
    room.press("OK");
    gallery.show("east-checks", &room);
    room.in_range = false;
    room.press("ACCEPT");
    gallery.show("waiting-to-send", &room);
    room.in_range = true;
    room.wait(Span::from_secs(30));
    room.press("OK");
    gallery.show("received", &room);
    room.press("BACK ▲");
    gallery.show("boards-of-the-round", &room);
    room.press("OK");
    gallery.show("correct", &room);
    room.press("BACK 1 9 OK");
    gallery.show("out-of-range", &room);
    room.say(&Down::BoardRefused {
        round: super::round(1),
        board: super::board(19),
        reason: RefusalReason::NotAllowed,
    });
    gallery.show("board-refused", &room);
}

fn other_entries(gallery: &mut Gallery) {
    let mut room = gallery.at_board();
    room.press("PASS OK");
    gallery.show("passed-out", &room);
    room.press("BACK CLEAR NP OK");
    gallery.show("not-played", &room);
    gallery.settings.acceptance = Acceptance::Pin;
    gallery.settings.pair_check = PairCheck::Typed;
    gallery.settings.board_choice = BoardChoice::Typed;
    let mut pins = gallery.room();
    pins.log_on();
    pins.press("OK 1");
    gallery.show("pair-typed", &pins);
    pins.press("1 OK 1 2 3");
    gallery.show("choose-pin", &pins);
    pins.press("4 OK 2");
    gallery.show("board-typed", &pins);
    pins.press("OK 3 NT N ♥ Q + 1 OK ACCEPT 1 2");
    gallery.show("accept-pin", &pins);
    gallery.settings.acceptance = Acceptance::Plain;
    gallery.settings.pair_check = PairCheck::Confirm;
    gallery.settings.board_choice = BoardChoice::Proposed;
    let mut alone = gallery.room();
    alone.base.sheets[0].ew = None;
    alone.press("OK A 5 OK 1 OK 1 OK 1 OK 1 OK OK");
    gallery.show("sit-out", &alone);
}

fn feedback(gallery: &mut Gallery) {
    let mut room = gallery.at_board();
    room.press("4 ♠ S ♦ K = OK ACCEPT");
    gallery.show("traveller", &room);
    room.press("►");
    gallery.show("hands", &room);
    room.press("►");
    gallery.show("par", &room);
    room.press("OK CALL");
    gallery.show("call", &room);
    room.press("OK CALL");
    gallery.show("called", &room);
    room.press("BACK");
    let notice = "The bar closes after round 4. Please order now.";
    room.say(&Down::Notice(notice.try_into().expect("a short notice")));
    gallery.show("notice", &room);
    room.press("OK");
    room.base.refuses_entries = Some(RefusalReason::RoundOver);
    room.press("3 NT N OK = OK ACCEPT");
    gallery.show("refused", &room);
}

fn round_and_session(gallery: &mut Gallery) {
    let mut room = gallery.at_board();
    for _ in 0..3 {
        room.press("4 ♠ S ♦ K = OK ACCEPT OK");
    }
    room.press("BACK BACK");
    gallery.show("round-end", &room);
    let mut swiss = gallery.room();
    swiss.base.sheets.truncate(1);
    swiss.log_on();
    swiss.press("OK");
    for _ in 0..3 {
        swiss.press("4 ♠ S ♦ K = OK ACCEPT OK");
    }
    swiss.press("BACK BACK");
    swiss.say(&Down::NotDrawn {
        from: super::round(2),
        rounds_total: super::round(10),
    });
    gallery.show("round-end-not-drawn", &swiss);
    swiss.press("OK");
    gallery.show("round-not-drawn", &swiss);
    swiss.press("OK");
    gallery.show("round-not-drawn-warning", &swiss);
    let mut ended = Room::back_to(&room.moment());
    ended.say(&Down::Slip(super::slip(super::round(1), 1)));
    gallery.show("slip", &ended);
    ended.press("▼ ACCEPT");
    gallery.show("slip-of-east-west", &ended);
    let mut teams = gallery.room();
    teams.log_on();
    teams.say(&super::matching(super::round(1)));
    gallery.show("teams-match", &teams);
    room.say(&Down::SessionOver);
    gallery.show("session-end", &room);
    room.press("▼");
    gallery.show("ranking", &room);
    let mut old = gallery.at_board();
    old.in_range = false;
    old.press("4 ♠ S ♦ K = OK ACCEPT DIRECTOR 2 5 8 0 7 ACCEPT");
    old.in_range = true;
    old.base.session = 8;
    old.base.refuses_entries = Some(RefusalReason::Stopped);
    old.press("OK A 6 OK");
    gallery.show("old-results", &old);
    old.press("DIRECTOR 2 5 8 0");
    gallery.show("forget-old-results", &old);
    let mut replaced = gallery.at_board();
    replaced.say(&Down::Replaced);
    gallery.show("replaced", &replaced);
    let mut empty = gallery.room();
    empty.base.sheets = (2..=3).map(sheet).collect();
    empty.press("OK A 5 OK 1 OK 1 OK 1 OK 1 OK");
    gallery.show("round-unknown", &empty);
}

fn director(gallery: &mut Gallery) {
    let mut room = gallery.at_board();
    room.press("4 ♠ S ♦ K = OK ACCEPT OK DIRECTOR 2 5");
    gallery.show("director-pin", &room);
    room.press("8 0");
    gallery.show("menu", &room);
    for (name, keys) in [
        ("current-game", "1"),
        ("results", "BACK 2"),
        ("result-detail", "▲ OK"),
        ("adjust", "► 6 0 OK 3 3 ► 3"),
        ("adjust-check", "3 OK"),
        ("allow-board", "BACK BACK 3 2 8"),
        ("replace", "CLEAR BACK 4"),
        ("resend", "BACK 5"),
        ("new-game", "BACK 7"),
        ("radio", "BACK 8 7 OK 1 6"),
        (
            "club-key",
            "CLEAR BACK BACK 9 1 2 3 4 5 6 7 8 9 0 A B C D E F 1 2",
        ),
        ("service", "CLEAR BACK 0"),
        ("restart", "BACK ▼ OK"),
        ("recover", "BACK 7 ACCEPT DIRECTOR 2 5 8 0 6"),
    ] {
        room.press(keys);
        gallery.show(name, &room);
    }
}

fn bench(gallery: &mut Gallery) {
    let mut room = gallery.room();
    let now = room.now;
    let _ = room.app.wear(pad::app::Badge(12));
    gallery.show("number", &room);
    let _ = room.app.test(pad::app::Test::Keys, now);
    room.press("4");
    gallery.show("test", &room);
}

/// Whether every screen there is was shown.
pub fn missing(screens: &[(String, Screen)]) -> Vec<ScreenId> {
    let shown = |id: &ScreenId| screens.iter().any(|(_, screen)| screen.id == *id);
    ScreenId::ALL.into_iter().filter(|id| !shown(id)).collect()
}
