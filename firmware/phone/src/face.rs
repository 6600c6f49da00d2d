//! The screen of the pad for fingers and screen readers: what it says, and the keys that mean
//! something now, each with what it means here.

use pad::app::{Flow, Step};
use pad::texts::seat_letter;
use pad::{App, Body, Input, Key, RowStyle, Screen};
use protocol::message::{HandRecord, Language};
use protocol::time::Instant;
use protocol::words::{Card, Deal, Rank, Seat, Suit};
use serde::Serialize;

/// Everything that is to be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Face {
    /// Which screen it is.
    pub screen: String,
    /// `en` or `de`.
    pub language: &'static str,
    /// Table, round, minutes.
    pub place: String,
    /// What is not as it should be.
    pub alert: String,
    /// What it is about.
    pub title: String,
    /// What is to be read.
    pub lines: Vec<Line>,
    /// Four hands, where they are shown.
    pub cards: Option<Cards>,
    /// The keys that mean something now.
    pub keys: Vec<Button>,
    /// The table, while a game is played.
    pub table: Option<String>,
    /// The round of the board that East is to accept, where East is.
    pub round: Option<u8>,
    /// Results that are agreed and not yet received.
    pub unsent: u8,
    /// The result agreed last has been received.
    pub received: u16,
}

/// A line to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its columns.
    pub columns: Vec<String>,
    /// `normal`, `inverse` or `large`.
    pub style: &'static str,
}

/// A key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Button {
    /// Its place on the keypad.
    pub key: usize,
    /// What stands on it.
    pub label: String,
    /// With what it belongs together.
    pub group: Group,
}

/// Keys that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Digits.
    Digits,
    /// The ranks of a card, from the ace down.
    Ranks,
    /// Letters of a section, or of a key.
    Letters,
    /// Suits and no-trump.
    Strains,
    /// Seats.
    Seats,
    /// Doubled, redoubled.
    Doubling,
    /// Passed out, not played.
    Specials,
    /// Made, over, down.
    Signs,
    /// Arrows, with what they lead to.
    Arrows,
    /// Back, clear, OK, accept.
    Foot,
    /// Call and the director's menu.
    Help,
}

/// The four hands of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cards {
    /// From North clockwise: the letter of the seat, and the suits from spades to clubs.
    pub hands: [(String, [String; 4]); 4],
}

impl Face {
    pub(crate) fn of(app: &App, screen: &Screen, now: Instant) -> Self {
        let language = app.settings().language;
        let game = app.game().filter(|_| !screen.status.place.is_empty());
        Self {
            screen: format!("{:?}", screen.id),
            language: language.code(),
            place: screen.status.place.to_string(),
            alert: screen.status.alert.to_string(),
            title: screen.title.to_string(),
            lines: screen.rows().iter().map(line).collect(),
            cards: match &screen.body {
                Body::Hands(record, language) => Some(cards(record, *language)),
                Body::Rows(_) | Body::Picture(_) => None,
            },
            keys: keys(app, screen, now),
            table: game.map(|game| format!("{}{}", game.tag.section, game.tag.table)),
            round: match app.flow() {
                Flow::Check { draft, .. } if !draft.by_director => Some(draft.round.get()),
                _ => None,
            },
            unsent: app.sheet().unsent(),
            received: received(app),
        }
    }
}

fn received(app: &App) -> u16 {
    let lines = app.sheet().lines();
    let received = lines.filter(|line| matches!(line.state, pad::LineState::Received(_)));
    u16::try_from(received.count()).unwrap_or(u16::MAX)
}

fn line(row: &pad::Row) -> Line {
    Line {
        columns: row.text.split('\t').map(str::to_owned).collect(),
        style: match row.style {
            RowStyle::Normal => "normal",
            RowStyle::Inverse => "inverse",
            RowStyle::Large => "large",
        },
    }
}

fn keys(app: &App, screen: &Screen, now: Instant) -> Vec<Button> {
    let asked = asked(app);
    let clears = differ(app, Key::Clear, Key::Back, now);
    let takes = |key: &Key| {
        let spare = is_spare(*key, asked) || (*key == Key::Clear && !clears);
        app.takes(*key, now) && !spare
    };
    let mut keys: Vec<(Group, u8, Button)> = Key::ALL
        .into_iter()
        .enumerate()
        .filter(|(_, key)| takes(key))
        .map(|(place, key)| {
            let (group, order, label) = meaning(key, asked, screen);
            let button = Button {
                key: place,
                label,
                group,
            };
            (group, order, button)
        })
        .collect();
    keys.sort_by_key(|(group, order, _)| (*group, *order));
    keys.into_iter().map(|(.., button)| button).collect()
}

/// Whether two keys lead to different places.
fn differ(app: &App, one: Key, other: Key, now: Instant) -> bool {
    let after = |key: Key| {
        let mut tried = app.clone();
        tried.handle(Input::Key(key), now);
        *tried.flow()
    };
    after(one) != after(other)
}

/// What a key means where it is not what is printed on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    AsPrinted,
    Rank,
    Letter,
    Hexadecimal,
}

fn asked(app: &App) -> Asked {
    match app.flow() {
        Flow::Entry(typing) if typing.step(app.settings()) == Step::LeadRank => Asked::Rank,
        Flow::Section { .. } => Asked::Letter,
        Flow::ClubKey { .. } => Asked::Hexadecimal,
        _ => Asked::AsPrinted,
    }
}

/// The ten has two keys, because a pad has to have a key for every way to say it.
fn is_spare(key: Key, asked: Asked) -> bool {
    key == Key::One && asked == Asked::Rank
}

fn meaning(key: Key, asked: Asked, screen: &Screen) -> (Group, u8, String) {
    match asked {
        Asked::Rank => {
            if let Some(rank) = key.rank() {
                let label = match rank {
                    Rank::TEN => "10".to_owned(),
                    rank => rank.to_string(),
                };
                return (Group::Ranks, 14 - rank.get().min(14), label);
            }
        }
        Asked::Letter => {
            if let Some(letter) = key.letter() {
                return (Group::Letters, u8::from(letter), letter.to_string());
            }
        }
        Asked::Hexadecimal => {
            if let Some(value) = key.hexadecimal() {
                return (Group::Letters, value, format!("{value:X}"));
            }
        }
        Asked::AsPrinted => {}
    }
    printed(key, screen)
}

fn printed(key: Key, screen: &Screen) -> (Group, u8, String) {
    let legend = key.legend();
    let order = key as u8;
    let (group, order) = match key {
        Key::Zero => (Group::Digits, 10),
        _ if key.digit().is_some() => (Group::Digits, key.digit().unwrap_or_default()),
        Key::Clubs => (Group::Strains, 0),
        Key::Diamonds => (Group::Strains, 1),
        Key::Hearts => (Group::Strains, 2),
        Key::Spades => (Group::Strains, 3),
        Key::NoTrump => (Group::Strains, 4),
        Key::North | Key::East | Key::South | Key::West => (Group::Seats, order),
        Key::Double | Key::Redouble => (Group::Doubling, order),
        Key::Pass | Key::NotPlayed => (Group::Specials, order),
        Key::Minus => (Group::Signs, 0),
        Key::Equal => (Group::Signs, 1),
        Key::Plus => (Group::Signs, 2),
        Key::Up => (Group::Arrows, 1),
        Key::Down => (Group::Arrows, 2),
        Key::Left => (Group::Arrows, 0),
        Key::Right => (Group::Arrows, 3),
        Key::Back => (Group::Foot, 0),
        Key::Clear => (Group::Foot, 1),
        Key::Ok => (Group::Foot, 2),
        Key::Accept => (Group::Foot, 3),
        _ => (Group::Help, order),
    };
    // A hint that begins with the key's own legend says what it does here.
    let mut hints = screen
        .hints
        .iter()
        .filter(|hint| !matches!(hint.as_str(), "◄ ►" | "▲ ▼"));
    let hint = hints.find(|hint| hint.starts_with(legend));
    let label = hint.map_or(legend, |hint| hint.as_str());
    (group, order, label.to_owned())
}

fn cards(record: &HandRecord, language: Language) -> Cards {
    let suits = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];
    let deal = Deal::try_from(record.deal);
    Cards {
        hands: Seat::ALL.map(|seat| {
            let holding = |suit: Suit| {
                let hand = deal.as_ref().map(|deal| deal.hand(seat));
                let ranks = (2..=14).rev().filter_map(Rank::new);
                let held = ranks.filter(|rank| {
                    let card = Card { suit, rank: *rank };
                    hand.as_ref().is_ok_and(|hand| hand.holds(card))
                });
                held.map(|rank| match rank {
                    Rank::TEN => "10".to_owned(),
                    rank => rank.to_string(),
                })
                .collect::<Vec<_>>()
                .join(" ")
            };
            (seat_letter(seat, language).to_string(), suits.map(holding))
        }),
    }
}
