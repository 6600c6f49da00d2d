//! Promises about the room: people, pads, pages and the air between them.

use std::collections::{BTreeMap, BTreeSet};

use base_station::session::{Cell, Event, Line, Section, Session, TableId};
use pad::{LineState, Sheet};
use protocol::message::{HISTORY_LINES_MAX, SCHEDULE_ROUNDS_MAX};
use protocol::time::Span;
use protocol::words::{BoardResult, RoundNumber, SectionLetter};

use crate::night::matches::rounds as rounds_of_matches;
use crate::night::people::Table;
use crate::night::thief::stolen;
use crate::night::world::World;
use crate::night::{Evening, Options};

/// People whose way to the base is free play on within this time: a log-on that failed is tried
/// again every twenty seconds, and a spare pad fetches the whole evening of its table.
const BLOCKED_AT_MOST: Span = Span::from_secs(5 * 60);

/// A result whose way is free arrives within this time. A pad that got no answer rests for up to
/// 48 s, and at 9,600 baud with a fifth of all frames lost more than one contact in a row fails.
const ARRIVES_WITHIN: Span = Span::from_secs(5 * 60);

/// Messages that may wait for one pad, added up from what a base has to say in such a night: each
/// time the pad begins anew it is welcomed, after a restart of the base it is brought up to date,
/// and whatever the director does meanwhile waits for it too.
fn mail_at_most(options: &Options) -> usize {
    let rounds = usize::from(options.tables);
    let boards = usize::from(options.boards);
    let schedule = rounds.div_ceil(SCHEDULE_ROUNDS_MAX);
    let matches = options.evening != Evening::Mitchell;
    // What is not drawn, and whom the table plays in this round and the next.
    let of_matches = if matches { 3 } else { 0 };
    // The welcome itself, schedule, names, history, gate, clock.
    let welcome = 1 + schedule + 1 + boards.div_ceil(HISTORY_LINES_MAX) + 2 + of_matches;
    // Every restart of a pad may meet the same one; a ghost's return is one, too.
    let restarts = options.pad_restarts + options.battery_pulls + options.ghosts;
    let welcomes = welcome * (2 + usize::try_from(restarts).unwrap_or_default());
    let director = options.corrections + 2 * options.gate_stops;
    let director = usize::try_from(director).unwrap_or_default();
    // Settings, all of a welcome, the director's lines so far, and that play is over.
    let brought_up_to_date = 1 + welcome + director + 1;
    // Boards that died with pads are entered by the director in one go.
    // Every change of the movement brings another schedule, and so does taking it back.
    let changes = usize::try_from(options.withdrawals + options.undone).unwrap_or_default();
    let changes = changes + usize::from(options.cut_short);
    let news = director + schedule * changes + boards + 1;
    // Every draw is a change; a slip comes with the last board of a match and with every change
    // of it.
    let drawn = usize::from(rounds_of_matches(options));
    let drawn = if matches {
        drawn * (schedule + of_matches + 2) + director + boards
    } else {
        0
    };
    welcomes + brought_up_to_date + news + drawn
}

/// Whether every pad and the base say the same, and nothing is left to say.
pub(in crate::night) fn has_converged(world: &World) -> bool {
    everybody_agrees(world).is_empty() && mail_left(world).is_empty()
}

pub(super) fn everybody_agrees(world: &World) -> Vec<String> {
    let Some(session) = world.session() else {
        return vec!["the base has no session".to_owned()];
    };
    let mut wrong = Vec::new();
    for ghost in &world.ghosts {
        let unsent = ghost.pad.as_ref().map(|pad| pad.app().sheet().unsent());
        if unsent != Some(0) {
            wrong.push(format!(
                "replaced pad {:08X} still has {unsent:?} unsent",
                ghost.id.get()
            ));
        }
    }
    for table in &world.tables {
        let id = TableId {
            section: SectionLetter::A,
            table: table.number,
        };
        let Some(pad) = &table.handheld.pad else {
            wrong.push(format!("table {id} has no pad"));
            continue;
        };
        if pad.app().sheet().unsent() > 0 {
            wrong.push(format!(
                "table {id} still has {} unsent",
                pad.app().sheet().unsent()
            ));
        }
        wrong.extend(sheet_differs(session, id, pad.app().sheet()));
    }
    wrong
}

/// A pad shows what the base has, and all of it: a spare has every score of its table.
fn sheet_differs(session: &Session, table: TableId, sheet: &Sheet) -> Vec<String> {
    let shown = sheet.lines().filter_map(|line| {
        let cell = Cell::new(table, line.entry.round, line.entry.board);
        match line.state {
            LineState::Received(_) | LineState::Directors | LineState::Elsewhere => {
                Some((cell, Some(line.entry.result)))
            }
            // The night's director awards nothing.
            LineState::Withdrawn | LineState::Awarded { .. } => Some((cell, None)),
            LineState::Unsent | LineState::Again | LineState::Refused(_) => None,
        }
    });
    let shown: BTreeMap<Cell, Option<BoardResult>> = shown.collect();
    let at_table = |cell: &&Cell| cell.table_id() == table;
    let cells: BTreeSet<Cell> = session.lines.keys().filter(at_table).copied().collect();
    let cells = cells.into_iter().chain(shown.keys().copied());
    let differs = cells
        .collect::<BTreeSet<Cell>>()
        .into_iter()
        .filter_map(|cell| {
            let there = session.lines.get(&cell).and_then(Line::result);
            let shown = shown.get(&cell).copied().flatten();
            (shown != there).then(|| {
            let (round, board) = (cell.round, cell.board);
            format!(
                "table {table} round {round} board {board}: the pad shows {shown:?}, the base has \
                 {there:?}"
            )
        })
        });
    differs.collect()
}

/// People press keys and play on, whatever the radio does: only a log-on needs the base.
pub(super) fn nobody_is_blocked(world: &World) -> Vec<String> {
    let tables = world.tables.iter();
    tables
        .filter(|table| table.blocked_longest > BLOCKED_AT_MOST)
        .map(|table| {
            let seconds = table.blocked_longest.as_millis() / 1000;
            format!("table {} could not go on for {seconds} s", table.number)
        })
        .collect()
}

pub(super) fn results_arrive_in_time(world: &World) -> Vec<String> {
    let wait = &world.witness.longest_unhindered_wait;
    let late = (wait.span > ARRIVES_WITHIN).then(|| {
        let seconds = wait.span.as_millis() / 1000;
        format!(
            "a result with a way through waited {seconds} s ({})",
            wait.of
        )
    });
    late.into_iter().collect()
}

/// Frames without content (a first word and its answer) must not share a nonce either.
pub(super) fn no_nonce_twice(world: &World) -> Vec<String> {
    let heard = world.eavesdropper.heard();
    let mut wrong = heard.twice;
    wrong.extend(heard.twice_empty);
    if heard.unread > 0 {
        wrong.push(format!("{} frames fit no key", heard.unread));
    }
    wrong
}

/// What waits for a pad is at most its whole evening, and nothing when everybody agrees.
pub(super) fn memory_is_bounded(world: &World) -> Vec<String> {
    let mut wrong = Vec::new();
    let (most, bound) = (world.laptop.mail_most, mail_at_most(&world.options));
    if most > bound {
        wrong.push(format!(
            "{most} messages waited for one pad, {bound} at most should"
        ));
    }
    wrong.extend(mail_left(world));
    wrong
}

fn mail_left(world: &World) -> Vec<String> {
    let left = world.laptop.waiting().filter(|(pad, waiting)| {
        let there = |table: &Table| table.handheld.id == *pad;
        *waiting > 0 && world.tables.iter().any(there)
    });
    left.map(|(pad, waiting)| {
        let pad = pad.get();
        format!("{waiting} messages still wait for pad {pad:08X} at the end")
    })
    .collect()
}

pub(super) fn pages_converge(world: &World) -> Vec<String> {
    world.laptop.differs(&world.page, world.now)
}

/// The night is over and the director has asked for what died with a pad: nothing is open.
pub(super) fn every_board_is_in(world: &World) -> Vec<String> {
    let (expected, there) = world.session().map(boards).unwrap_or_default();
    let missing =
        (there < expected).then(|| format!("only {there} of {expected} boards have a result"));
    missing.into_iter().collect()
}

/// How many results the movement wants, and how many there are.
pub(in crate::night) fn boards(session: &Session) -> (usize, usize) {
    let (mut expected, mut there) = (0, 0);
    for table in session.all_tables() {
        let rounds = session
            .sections
            .get(&table.section)
            .map(Section::last_round);
        let rounds = (1..=rounds.map_or(0, RoundNumber::get)).filter_map(RoundNumber::new);
        for cell in rounds.flat_map(|round| session.expected(table, round)) {
            expected += 1;
            there += usize::from(session.is_in(cell));
        }
    }
    (expected, there)
}

/// A pad says "the director says no", or lets a board be entered that is not on the sheet, only
/// where the journal has the director's word for it.
pub(super) fn the_pad_never_speaks_for_the_director(world: &World) -> Vec<String> {
    let (mut yes, mut no) = (BTreeSet::new(), BTreeSet::new());
    for record in world.laptop.records() {
        match record.event {
            Event::BoardAllowed { cell } => yes.insert(cell),
            Event::BoardRefused(cell) => no.insert(cell),
            _ => false,
        };
    }
    let on_sheet = |cell: &&Cell| {
        let session = world.session();
        session.is_some_and(|it| it.expected(cell.table_id(), cell.round).contains(cell))
    };
    let refused = world.witness.refused.difference(&no);
    let allowed = world.witness.allowed.difference(&yes);
    let refused = refused.map(|cell| format!("{cell}: the director never said no"));
    let allowed = allowed.filter(|cell| !on_sheet(cell));
    let allowed = allowed.map(|cell| format!("{cell}: the director never allowed it"));
    refused.chain(allowed).collect()
}

/// Every table has played its last board.
pub(super) fn the_night_ends(world: &World) -> Vec<String> {
    let stuck = world.stuck.iter();
    stuck
        .map(|(table, flow)| format!("the night did not end: table {table} is at {flow:?}"))
        .collect()
}

/// A stolen pad at a table that another held, a result that it entered, and pads that fell silent
/// for good because they believed what it said in the base's name.
pub(super) fn thieves_take_nothing(world: &World) -> Vec<String> {
    let Some(thief) = &world.thief else {
        return Vec::new();
    };
    let mut wrong = thief.took.clone();
    for record in world.laptop.records() {
        if let Event::Entered {
            table, entry, pad, ..
        } = &record.event
            && *pad == stolen()
        {
            let (round, board) = (entry.round, entry.board);
            wrong.push(format!(
                "the stolen pad entered round {round}, board {board} at table {table}"
            ));
        }
    }
    for (table, flow) in &world.stuck {
        wrong.push(format!("table {table} never got away from {flow:?}"));
    }
    for table in &world.tables {
        let unsent = table
            .handheld
            .pad
            .as_ref()
            .map_or(0, |pad| pad.app().sheet().unsent());
        if unsent > 0 {
            wrong.push(format!(
                "the pad of table {} was silenced with {unsent} results",
                table.number
            ));
        }
    }
    wrong
}
