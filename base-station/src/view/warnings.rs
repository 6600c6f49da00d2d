//! What needs the director, as sentences with answers.

use std::collections::BTreeMap;

use protocol::message::RefusalReason;
use protocol::words::{BoardNumber, RoundNumber};
use serde::Serialize;
use utoipa::ToSchema;

use super::findings::IT_IS_RIGHT;
use super::pads::pad_name;
use super::watch::{Explained, Watchful};
use crate::checks::{Attention, CheckSettings, Kind};
use crate::session::{
    BATTERY_LOW_20_MV, Command, Fate, MISSING_TO_REPLACE, Moment, Presence, Session, Standing,
    State, TableId, Trust,
};

/// Something that needs the director.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WarningView {
    /// Its own key: the same warning has the same key all evening.
    pub key: String,
    /// What it is about.
    pub kind: WarningKind,
    /// Where.
    #[schema(value_type = Option<String>, example = "A7")]
    pub table: Option<TableId>,
    /// When.
    #[schema(value_type = Option<u8>)]
    pub round: Option<RoundNumber>,
    /// Which board.
    #[schema(value_type = Option<u8>)]
    pub board: Option<BoardNumber>,
    /// What is wrong and what to do, in words.
    pub text: String,
    /// One-click answers, the likeliest first.
    pub answers: Vec<AnswerView>,
    /// The director has dealt with it.
    pub answered: bool,
    /// The check that found it, by its name in the settings.
    #[schema(example = "lead-not-held")]
    pub check: Option<String>,
    /// How sure the base is, in percent.
    pub confidence: Option<u8>,
    /// The director wants it listed only: no sound, no box.
    pub quiet: bool,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
pub enum WarningKind {
    /// A pad wants to replace one that works.
    ReplaceAsked,
    /// Three or more boards of a table are missing.
    ReplaceAdvised,
    /// A pad has not been heard.
    PadSilent,
    /// A board's time is over and it is not in.
    BoardMissing,
    /// A replaced or late pad still held a result.
    EntryKept,
    /// A table wants to enter a board that is not on its sheet.
    BoardWanted,
    /// The players say they are other pairs than the movement says.
    OtherPairs,
    /// The whole room has moved otherwise than planned.
    Movement,
    /// A result looks wrong.
    Result,
    /// Two players have the same number.
    SamePlayer,
    /// A pad's cells need changing.
    BatteryLow,
    /// The deal file is that of other boards.
    DealsDoNotFit,
}

/// An answer: a button, and what the page asks the base to do for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AnswerView {
    /// What the button says.
    pub label: String,
    /// What pressing it does: posted to `/api/warnings/answer` together with the key.
    pub answer: String,
    /// It changes the movement: ask `/api/warnings/preview` what that means before.
    pub changes_movement: bool,
    /// It says that nothing was wrong.
    pub false_alarm: bool,
    /// What the base does then, besides noting the answer.
    #[serde(skip)]
    #[schema(ignore)]
    pub commands: Vec<crate::session::Command>,
}

/// Everything that needs the director now.
pub(super) fn warnings(
    state: &State,
    session: &Session,
    presence: &Presence,
    watchful: &mut Watchful,
    now: Moment,
) -> Vec<WarningView> {
    let (found, explained) = watchful.look(session, &state.club.checks);
    let mut warnings = Vec::new();
    asking_pads(state, session, &mut warnings);
    silent_pads(session, presence, now, &mut warnings);
    missing_boards(session, now, &mut warnings);
    lost_with_pads(session, &mut warnings);
    kept_entries(session, &mut warnings);
    wanted_boards(session, &mut warnings);
    other_pairs(session, &explained, &mut warnings);
    same_players(state, session, &mut warnings);
    low_batteries(session, presence, &mut warnings);
    warnings.retain_mut(|warning| heed(warning, &state.club.checks));
    warnings.extend(found);
    for warning in &mut warnings {
        warning.answered = session.answers.contains_key(&warning.key);
    }
    warnings.sort_by(|one, other| {
        (one.answered, one.quiet, one.kind, one.table, &one.key).cmp(&(
            other.answered,
            other.quiet,
            other.kind,
            other.table,
            &other.key,
        ))
    });
    warnings
}

/// The director's settings for what the session itself warns of. A table that asks for a board
/// is always heard.
fn heed(warning: &mut WarningView, settings: &CheckSettings) -> bool {
    let Some(kind) = check_of(&warning.key) else {
        return true;
    };
    warning.check = Some(kind.to_string());
    let attention = settings.of(kind);
    warning.quiet = attention == Attention::Quiet;
    attention != Attention::Off || warning.kind == WarningKind::BoardWanted
}

/// The check that a warning's key belongs to.
pub(super) fn check_of(key: &str) -> Option<Kind> {
    match key.split([':', '.']).next()? {
        "silent" => Some(Kind::PadSilent),
        "missing" | "replace" => Some(Kind::ScoreMissing),
        "wanted" => Some(Kind::BoardNotHere),
        "pairs" => Some(Kind::EastWestElsewhere),
        name => Kind::named(name),
    }
}

impl WarningView {
    pub(crate) fn new(kind: WarningKind, key: String, text: String) -> Self {
        Self {
            key,
            kind,
            table: None,
            round: None,
            board: None,
            text,
            answers: Vec::new(),
            answered: false,
            check: None,
            confidence: None,
            quiet: false,
        }
    }

    const fn at(mut self, table: TableId) -> Self {
        self.table = Some(table);
        self
    }

    const fn of(mut self, round: RoundNumber, board: Option<BoardNumber>) -> Self {
        self.round = Some(round);
        self.board = board;
        self
    }

    /// An answer with what the base does then.
    fn does(mut self, label: &str, answer: &str, command: Command) -> Self {
        self = self.answer(label, answer);
        if let Some(answer) = self.answers.last_mut() {
            answer.commands.push(command);
        }
        self
    }

    fn answer(mut self, label: &str, answer: &str) -> Self {
        self.answers.push(AnswerView {
            label: label.to_owned(),
            answer: answer.to_owned(),
            changes_movement: false,
            false_alarm: label == IT_IS_RIGHT,
            commands: Vec::new(),
        });
        self
    }
}

fn asking_pads(state: &State, session: &Session, warnings: &mut Vec<WarningView>) {
    for (&table, story) in &session.tables {
        let open = story.asking.iter().filter(|(_, answer)| answer.is_none());
        for (&pad, _) in open.filter(|(pad, _)| !state.club.revoked.contains(*pad)) {
            let name = pad_name(pad);
            let answer = |allowed| Command::AnswerReplace {
                table,
                pad,
                allowed,
            };
            let revoke = Command::ChangeTrust(Trust::PadRevoked { pad });
            warnings.push(
                WarningView::new(
                    WarningKind::ReplaceAsked,
                    format!("replacing:{table}:{name}"),
                    format!(
                        "Pad {name} wants to take over table {table}, whose own pad was heard a moment ago. Say yes only if you know who holds it."
                    ),
                )
                .at(table)
                .does("Yes, replace the pad", "replace", answer(true))
                .does("No", "keep", answer(false))
                .does("No, and revoke that pad", "revoke", revoke),
            );
        }
    }
}

fn silent_pads(
    session: &Session,
    presence: &Presence,
    now: Moment,
    warnings: &mut Vec<WarningView>,
) {
    for (id, pad) in &session.pads {
        let Some(since) = pad.silent.filter(|_| pad.standing == Standing::Holds) else {
            continue;
        };
        let heard = presence.pads.get(id);
        let minutes = now.since_ms(heard.map_or(since, |heard| heard.at)) / 60_000;
        let unsent = heard
            .and_then(|heard| heard.state)
            .map_or(0, |state| state.unsent);
        let holds = match unsent {
            0 => String::new(),
            1 => " It still had one result to send.".to_owned(),
            unsent => format!(" It still had {unsent} results to send."),
        };
        warnings.push(
            WarningView::new(
                WarningKind::PadSilent,
                format!("silent:{}:{}", pad_name(*id), since.0),
                format!(
                    "The pad of table {} has not been heard for {minutes} minutes.{holds} Wake it with any key, or carry it nearer to the receiver; if it stays silent, replace it.",
                    pad.table
                ),
            )
            .at(pad.table)
            .answer("Seen to it", "noted"),
        );
    }
}

fn missing_boards(session: &Session, now: Moment, warnings: &mut Vec<WarningView>) {
    let mut by_table: BTreeMap<TableId, Vec<(RoundNumber, BoardNumber)>> = BTreeMap::new();
    for (cell, _) in session.missing(now) {
        let missing = by_table.entry(cell.table_id()).or_default();
        missing.push((cell.round, cell.board));
    }
    for (table, missing) in by_table {
        missing_at(table, &missing, warnings);
    }
}

fn missing_at(
    table: TableId,
    missing: &[(RoundNumber, BoardNumber)],
    warnings: &mut Vec<WarningView>,
) {
    if missing.len() >= MISSING_TO_REPLACE {
        let boards: Vec<String> = missing.iter().map(|(_, board)| board.to_string()).collect();
        warnings.push(
            WarningView::new(
                WarningKind::ReplaceAdvised,
                format!("replace:{table}:{}", missing.len()),
                format!(
                    "Table {table}: boards {} have not arrived. Replace the pad: a pad that does not send is never worth waiting for.",
                    boards.join(", ")
                ),
            )
            .at(table)
            .answer("Seen to it", "noted"),
        );
    }
    for (round, board) in missing {
        warnings.push(
            WarningView::new(
                WarningKind::BoardMissing,
                format!("missing:{table}:{round}:{board}"),
                format!(
                    "Table {table}, board {board} of round {round} has not arrived. Go and look at the pad."
                ),
            )
            .at(table)
            .of(*round, Some(*board))
            .answer("Not played", "not_played")
            .answer("Late play", "late_play")
            .answer("Seen to it", "noted"),
        );
    }
}

fn lost_with_pads(session: &Session, warnings: &mut Vec<WarningView>) {
    for (table, epoch, open) in session.lost_with_pads() {
        let Some(round) = open.first().map(|cell| cell.round) else {
            continue;
        };
        let boards: Vec<String> = open.iter().map(|cell| cell.board.to_string()).collect();
        let boards = boards.join(", ");
        warnings.push(
            WarningView::new(
                WarningKind::BoardMissing,
                // One question for one replacement, however the answer comes in.
                format!("lost:{table}:{epoch}"),
                format!(
                    "Table {table}, whose pad was replaced: the old pad may have held board {boards} of round {round}. Ask the table whether it was played, and enter it again."
                ),
            )
            .at(table)
            .of(round, None)
            .answer("Seen to it", "noted"),
        );
    }
}

fn kept_entries(session: &Session, warnings: &mut Vec<WarningView>) {
    for (seq, kept) in &session.kept {
        if kept.fate != Fate::Waiting {
            continue;
        }
        let why = match kept.reason {
            RefusalReason::Replaced => "the pad that was replaced still held it",
            RefusalReason::RoundOver => "the round was over when the players agreed it",
            RefusalReason::BoardOutOfRange => "the board is not on the table's sheet",
            _ => "it could not be taken by itself",
        };
        let result = super::line::result_text(kept.entry.result);
        warnings.push(
            WarningView::new(
                WarningKind::EntryKept,
                format!("kept:{seq}"),
                format!(
                    "Table {}, board {} of round {}: {result} waits for you ({why}). Use it or ignore it?",
                    kept.table, kept.entry.board, kept.entry.round
                ),
            )
            .at(kept.table)
            .of(kept.entry.round, Some(kept.entry.board))
            .answer("Use it", "use")
            .answer("Ignore it", "ignore"),
        );
    }
}

fn wanted_boards(session: &Session, warnings: &mut Vec<WarningView>) {
    for cell in session.wanted.keys() {
        let table = cell.table_id();
        // Nobody asks any more when the result is in or the table has gone on.
        if session.is_in(*cell) || session.table_round(table) > cell.round {
            continue;
        }
        warnings.push(
            WarningView::new(
                WarningKind::BoardWanted,
                format!("wanted:{table}:{}:{}", cell.round, cell.board),
                format!(
                    "Table {table} wants to enter board {}, which is not on its sheet for round {}. The table waits for you: look which board lies there, then decide.",
                    cell.board, cell.round
                ),
            )
            .at(table)
            .of(cell.round, Some(cell.board))
            .answer("Allow the board", "allow")
            .answer("Refuse the board", "refuse"),
        );
    }
}

fn other_pairs(session: &Session, explained: &Explained, warnings: &mut Vec<WarningView>) {
    for (&id, table) in &session.tables {
        for (&round, &(ns, ew)) in &table.seen {
            if explained.pairs_at(id, round) {
                continue;
            }
            let Some(sitting) = session.sitting(id, round) else {
                continue;
            };
            if (sitting.ns, sitting.ew) == (ns, ew) {
                continue;
            }
            let name = |pair: Option<protocol::words::PairNumber>| {
                pair.map_or_else(|| "nobody".to_owned(), |pair| pair.to_string())
            };
            warnings.push(
                WarningView::new(
                    WarningKind::OtherPairs,
                    format!("pairs:{id}:{round}:{}:{}", name(ns), name(ew)),
                    format!(
                        "Table {id}, round {round}: the players say they are {} against {}, the movement says {} against {}. Have they gone to the wrong table?",
                        name(ns),
                        name(ew),
                        name(sitting.ns),
                        name(sitting.ew)
                    ),
                )
                .at(id)
                .of(round, None)
                .answer("Seen to it", "noted")
                .answer(IT_IS_RIGHT, "right"),
            );
        }
    }
}

fn same_players(state: &State, session: &Session, warnings: &mut Vec<WarningView>) {
    for (number, pairs) in session.roster.claimed_twice() {
        let name = state.club.members.get(&number);
        let pairs: Vec<String> = pairs.iter().map(ToString::to_string).collect();
        warnings.push(
            WarningView::new(
                WarningKind::SamePlayer,
                format!("player:{number}:{}", pairs.join("+")),
                format!(
                    "Player number {number}{} was entered at pairs {}. Ask which is right and correct the other on the names page.",
                    name.map_or_else(String::new, |name| format!(" ({name})")),
                    pairs.join(" and ")
                ),
            )
            .answer("Seen to it", "noted"),
        );
    }
}

/// Cells that were changed meanwhile are no warning any more: the pad says so when it calls.
fn low_batteries(session: &Session, presence: &Presence, warnings: &mut Vec<WarningView>) {
    for (id, pad) in &session.pads {
        let last = presence.pads.get(id).and_then(|heard| heard.state);
        let changed = last.is_some_and(|state| state.battery_20_mv >= BATTERY_LOW_20_MV);
        if pad.battery_low && !changed && pad.standing == Standing::Holds {
            warnings.push(
                WarningView::new(
                    WarningKind::BatteryLow,
                    format!("battery:{}", pad_name(*id)),
                    format!(
                        "The pad of table {} runs low: change its cells between two rounds. Nothing is lost.",
                        pad.table
                    ),
                )
                .at(pad.table)
                .answer("Seen to it", "noted"),
            );
        }
    }
}
