//! What must hold after a night, whatever happened in it. Each checker answers with a sentence
//! for every violation; none of them knows which faults were injected.

use std::collections::{BTreeMap, BTreeSet};

use base_station::session::{Cell, Event, Line, Record, Section, Session, TableId};
use pad::LineState;
use protocol::message::{Entry, EntryNumber, HISTORY_LINES_MAX, SCHEDULE_ROUNDS_MAX};
use protocol::time::Span;
use protocol::words::{Epoch, PadId, RoundNumber, SectionLetter, Side};

use super::Options;
use super::base::entries;
use super::people::Table;
use super::witness::Witness;
use super::world::World;
use crate::naive;

/// While the base is there nobody waits longer than this for anything. A base that is down, full
/// or unplugged for ten minutes is waited for at log-on only.
const WAITS_AT_MOST: Span = Span::from_secs(20 * 60);

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
    // The welcome itself, schedule, names, history, gate, clock.
    let welcome = 1 + schedule + 1 + boards.div_ceil(HISTORY_LINES_MAX) + 2;
    // Every restart of a pad may meet the same one; a ghost's return is one, too.
    let restarts = options.pad_restarts + options.battery_pulls + options.ghosts;
    let welcomes = welcome * (2 + usize::try_from(restarts).unwrap_or_default());
    let director = options.corrections + 2 * options.gate_stops;
    let director = usize::try_from(director).unwrap_or_default();
    // Settings, all of a welcome, the director's lines so far, and that play is over.
    let brought_up_to_date = 1 + welcome + director + 1;
    // Boards that died with pads are entered by the director in one go.
    let news = director + schedule * usize::from(options.cut_short) + boards + 1;
    welcomes + brought_up_to_date + news
}

/// Everything that is wrong.
pub(super) fn check(world: &World) -> Vec<String> {
    let records = world.laptop.records();
    let mut wrong = world.witness.outrages.clone();
    wrong.extend(nothing_received_is_missing(&world.witness, &records));
    wrong.extend(nothing_agreed_is_missing(&world.witness, &records));
    wrong.extend(nothing_is_counted_twice(&records));
    wrong.extend(replaced_pads_change_nothing(&records));
    wrong.extend(replay_equals_live(world));
    wrong.extend(everybody_converged(world));
    wrong.extend(nobody_waited_long(world));
    wrong.extend(results_arrive_in_time(&world.witness));
    wrong.extend(memory_is_bounded(world));
    wrong.extend(no_nonce_is_used_twice(world));
    wrong.extend(world.laptop.differs(&world.page, world.now));
    if let Some(session) = world
        .laptop
        .state()
        .and_then(|state| state.session.as_ref())
    {
        wrong.extend(ranking_is_right(session));
        wrong.extend(every_board_is_in(session));
    }
    wrong
}

/// Whether every pad and the base say the same, and nothing is left to say.
pub(super) fn has_converged(world: &World) -> bool {
    everybody_converged(world).is_empty() && mail_left(world).is_empty()
}

fn name((pad, number): (PadId, EntryNumber), entry: &Entry) -> String {
    let (round, board) = (entry.round, entry.board);
    format!(
        "entry {} of pad {:08X} (round {round}, board {board})",
        number.0,
        pad.get()
    )
}

fn in_journal(records: &[Record]) -> BTreeMap<(PadId, EntryNumber), Entry> {
    entries(records)
        .filter_map(|event| match event {
            Event::Entered { pad, entry, .. } | Event::EntryKept { pad, entry, .. } => {
                Some(((*pad, entry.number), *entry))
            }
            _ => None,
        })
        .collect()
}

fn nothing_received_is_missing(witness: &Witness, records: &[Record]) -> Vec<String> {
    let journal = in_journal(records);
    let missing = |name: &&(PadId, EntryNumber)| {
        witness
            .agreed
            .get(*name)
            .is_some_and(|entry| journal.get(*name) != Some(entry))
    };
    let missing = witness.received.iter().filter(missing);
    missing
        .map(|key| {
            format!(
                "{} was shown as received and is not in the journal",
                name(*key, &witness.agreed[key])
            )
        })
        .collect()
}

fn nothing_agreed_is_missing(witness: &Witness, records: &[Record]) -> Vec<String> {
    let journal = in_journal(records);
    let is_there = |key: &(PadId, EntryNumber), entry: &Entry| {
        // A correction that was agreed before the first version was sent takes its place.
        journal.iter().any(|((pad, number), other)| {
            *pad == key.0
                && *number >= key.1
                && (other.round, other.board) == (entry.round, entry.board)
        })
    };
    witness
        .agreed
        .iter()
        .filter(|(key, _)| !witness.destroyed.contains(&key.0))
        .filter(|(key, entry)| !is_there(key, entry))
        .map(|(key, entry)| {
            format!(
                "{} was agreed and never reached the base",
                name(*key, entry)
            )
        })
        .collect()
}

fn nothing_is_counted_twice(records: &[Record]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut last: BTreeMap<(PadId, TableId), Entry> = BTreeMap::new();
    let mut wrong = Vec::new();
    for event in entries(records) {
        let (Event::Entered {
            pad, entry, table, ..
        }
        | Event::EntryKept {
            pad, entry, table, ..
        }) = event
        else {
            continue;
        };
        if !seen.insert((*pad, entry.number)) {
            wrong.push(format!(
                "{} is in the journal twice",
                name((*pad, entry.number), entry)
            ));
        }
        // The same entry under another number is the same entry.
        let same = |other: &Entry| {
            Entry {
                number: entry.number,
                ..*other
            } == *entry
        };
        if last
            .insert((*pad, *table), *entry)
            .is_some_and(|other| same(&other))
        {
            wrong.push(format!(
                "{} was counted again",
                name((*pad, entry.number), entry)
            ));
        }
    }
    wrong
}

fn replaced_pads_change_nothing(records: &[Record]) -> Vec<String> {
    let mut holders: BTreeMap<TableId, (PadId, Epoch)> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut said_by: BTreeMap<PadId, PadId> = BTreeMap::new();
    for record in records {
        match &record.event {
            Event::PadAdmitted {
                pad, table, epoch, ..
            } => {
                holders.insert(*table, (*pad, *epoch));
                said_by.insert(*pad, *pad);
            }
            Event::Entered {
                table,
                epoch,
                pad,
                entry,
            } if holders.get(table) != Some(&(*pad, *epoch)) => {
                let key = (*pad, entry.number);
                wrong.push(format!(
                    "{} counted although another pad held the table",
                    name(key, entry)
                ));
            }
            _ => {}
        }
    }
    wrong
}

fn replay_equals_live(world: &World) -> Option<String> {
    let live = world.laptop.state()?;
    (*live != world.laptop.replayed())
        .then(|| "replaying the journal gives another state".to_owned())
}

fn everybody_converged(world: &World) -> Vec<String> {
    let Some(session) = world
        .laptop
        .state()
        .and_then(|state| state.session.as_ref())
    else {
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
        for line in pad.app().sheet().lines() {
            let cell = Cell::new(id, line.entry.round, line.entry.board);
            let there = session.lines.get(&cell).and_then(Line::result);
            if matches!(line.state, LineState::Received(_) | LineState::Directors)
                && there != Some(line.entry.result)
            {
                wrong.push(format!(
                    "board {} of table {id}: the pad shows {:?}, the base has {there:?}",
                    line.entry.board, line.entry.result
                ));
            }
        }
    }
    wrong
}

fn nobody_waited_long(world: &World) -> Vec<String> {
    world
        .tables
        .iter()
        .filter(|table| table.waited_longest > WAITS_AT_MOST)
        .map(|table| {
            let minutes = table.waited_longest.as_millis() / 60_000;
            format!("table {} waited {minutes} minutes", table.number)
        })
        .collect()
}

fn results_arrive_in_time(witness: &Witness) -> Option<String> {
    let wait = &witness.longest_unhindered_wait;
    (wait.span > ARRIVES_WITHIN).then(|| {
        let seconds = wait.span.as_millis() / 1000;
        format!(
            "a result with a way through waited {seconds} s ({})",
            wait.of
        )
    })
}

/// Frames without content (a first word and its answer) may share a nonce where somebody plays an
/// old one again: they say nothing that could be learned from it.
fn no_nonce_is_used_twice(world: &World) -> Vec<String> {
    let heard = world.eavesdropper.heard();
    let mut wrong = heard.twice;
    if heard.unread > 0 {
        wrong.push(format!("{} frames fit no key", heard.unread));
    }
    wrong
}

/// What waits for a pad is at most its whole evening, and nothing when everybody agrees.
fn memory_is_bounded(world: &World) -> Vec<String> {
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

/// The night is over and the director has asked for what died with a pad: nothing is open.
fn every_board_is_in(session: &Session) -> Option<String> {
    let (expected, there) = boards(session);
    (there < expected).then(|| format!("only {there} of {expected} boards have a result"))
}

/// How many results the movement wants, and how many there are.
pub(super) fn boards(session: &Session) -> (usize, usize) {
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

/// The session's ranking against the naive scorer's.
fn ranking_is_right(session: &Session) -> Vec<String> {
    let lines: Vec<naive::Line> = session
        .lines
        .iter()
        .filter_map(|(cell, line)| {
            let score = line.score(cell.board)?;
            Some(naive::Line {
                board: cell.board.get(),
                ns: line.ns?.number.get(),
                ew: line.ew?.number.get(),
                happened: naive::Happened::Scored(i32::from(score.0)),
            })
        })
        .collect();
    let expected = naive::percentages(&lines, false);
    let mut wrong = Vec::new();
    let mut ranked = 0;
    for list in session.standings().lists {
        for place in list.places {
            let key = (list.side != Some(Side::EastWest), place.pair.number.get());
            let (Some(percent), Some(right)) = (place.percent, expected.get(&key)) else {
                continue;
            };
            ranked += 1;
            if (percent.to_f64() - right).abs() > 0.011 {
                wrong.push(format!(
                    "{} has {}%, should have {right:.2}%",
                    place.pair,
                    percent.to_f64()
                ));
            }
        }
    }
    if ranked != expected.len() {
        wrong.push(format!(
            "{ranked} pairs are ranked, should be {}",
            expected.len()
        ));
    }
    wrong
}
