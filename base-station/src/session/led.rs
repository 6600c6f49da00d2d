//! Rounds that are drawn elsewhere, over all rooms of a congress: each room takes its own tables of
//! every draw once, as events of its own journal, and plays on without the centre where that is
//! silent. What its director changes afterwards stays.

use imbl::OrdMap;
use protocol::words::{PairNumber, RoundNumber, SectionLetter, TableNumber};
use serde::{Deserialize, Serialize};
use telling::tell;

use super::decide::{Decided, check_sittings, refuse};
use super::plan::{Partner, SectionPlan, Sitting};
use super::{Event, PairId, Phase, Record, Seq, Session};
use crate::movement::change::Change;

/// A round that was drawn over all rooms, at this one's tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedRound {
    /// The section that this room is.
    pub section: SectionLetter,
    /// The round.
    pub round: RoundNumber,
    /// How many there will be.
    pub rounds_total: RoundNumber,
    /// How often it was published: a draw that replaces another one has a higher number.
    pub version: u32,
    /// Every table of the room.
    pub sittings: Vec<Sitting>,
    /// The players of the pairs, as whoever drew them knows them.
    pub players: Vec<(PairNumber, [String; 2])>,
}

/// That it was taken, as the journal keeps it; the change of the movement stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundTaken {
    /// The section that this room is.
    pub section: SectionLetter,
    /// The round.
    pub round: RoundNumber,
    /// How many there will be.
    pub rounds_total: RoundNumber,
    /// How often it was published.
    pub version: u32,
}

/// A section whose rounds are drawn elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Led {
    /// How many rounds there will be.
    rounds_total: Option<RoundNumber>,
    /// The rounds that were taken: which draw of each, and the record that says so.
    taken: OrdMap<RoundNumber, (u32, Seq)>,
}

impl Led {
    /// The round that is yet to be drawn, and how many there will be.
    pub(super) fn waits_for(&self) -> Option<(RoundNumber, RoundNumber)> {
        let last = self.taken.keys().next_back().copied();
        let next = last.map_or(Some(RoundNumber::FIRST), RoundNumber::next)?;
        let total = self.rounds_total.filter(|total| next <= *total)?;
        Some((next, total))
    }
}

impl Session {
    /// Whether a draw was taken already, or a later one of the same round.
    pub fn has_taken(&self, led: &LedRound) -> bool {
        let known = self.led.get(&led.section);
        let known = known.and_then(|it| it.taken.get(&led.round));
        known.is_some_and(|(version, _)| *version >= led.version)
    }

    /// Whether a record is the change of the movement that belongs to a round that was taken.
    pub(super) fn seats_a_led_round(&self, record: &Record) -> bool {
        let sections = matches!(
            record.event,
            Event::SectionPlanned { .. } | Event::MovementRevised { .. }
        );
        let mut taken = self.led.values().flat_map(|it| it.taken.values());
        sections && taken.any(|(_, seq)| seq.next() == record.seq)
    }

    pub(super) fn fold_led(&mut self, taken: RoundTaken, seq: Seq) {
        let led = self.led.entry(taken.section).or_default();
        led.rounds_total = Some(taken.rounds_total);
        led.taken.insert(taken.round, (taken.version, seq));
    }
}

/// Takes a round for this room. Refused where its results are in with other pairs, or where the
/// director has set the section up otherwise.
pub(super) fn taken(session: &Session, led: &LedRound) -> Decided {
    let (letter, round) = (led.section, led.round);
    check_sittings(&led.sittings)?;
    let known = session.sections.get(&letter);
    if known.is_some() && !session.led.contains_key(&letter) {
        return refuse(tell!(Centre::LedSectionThere { section: letter }));
    }
    let others = |table: TableNumber| {
        let new = led.sittings.iter().find(|it| it.table == table);
        let old = known.and_then(|it| it.sittings.get(&(table, round)));
        old.zip(new)
            .is_some_and(|(old, new)| (old.ns, old.ew) != (new.ns, new.ew))
    };
    let mut played = session
        .lines
        .iter()
        .filter(|(cell, line)| cell.section == letter && cell.round == round && line.is_in());
    if played.any(|(cell, _)| others(cell.table)) {
        return refuse(tell!(Centre::LedRoundBegun { round }));
    }
    let mut events = vec![Event::RoundTaken(RoundTaken {
        section: letter,
        round,
        rounds_total: led.rounds_total,
        version: led.version,
    })];
    events.push(seated(session, led));
    events.extend(named(session, led));
    Ok(events)
}

/// The change of the movement that belongs to it.
fn seated(session: &Session, led: &LedRound) -> Event {
    let (letter, round) = (led.section, led.round);
    let known = session.sections.get(&letter);
    let others = known.into_iter().flat_map(|it| it.sittings.values());
    let others = others.filter(|it| it.round != round).cloned();
    let sittings: Vec<Sitting> = others.chain(led.sittings.iter().cloned()).collect();
    let movement = movement_name(led);
    match known {
        Some(section) if session.phase != Phase::SettingUp => {
            let change = Change::default();
            let mut event = session.revised_to(letter, section, movement, sittings, change);
            if let Event::MovementRevised { what, .. } = &mut event {
                *what = format!("Round {round} is drawn.");
            }
            event
        }
        _ => Event::SectionPlanned {
            section: letter,
            plan: SectionPlan {
                colour: String::new(),
                movement,
                one_winner: true,
                sittings,
                announcements: Vec::new(),
            },
        },
    }
}

/// As contests are called, see `kept_words`.
fn movement_name(led: &LedRound) -> String {
    let pairs = led.sittings.iter().filter(|it| it.is_played()).count() * 2;
    let boards = led.sittings.iter().map(|it| it.boards.iter().count()).max();
    format!(
        "Swiss, {pairs} pairs, {} rounds of {} boards",
        led.rounds_total,
        boards.unwrap_or_default()
    )
}

/// Names for those whom nobody has named here yet.
fn named(session: &Session, led: &LedRound) -> Vec<Event> {
    let seats = led.players.iter().flat_map(|(number, players)| {
        let pair = PairId {
            section: led.section,
            side: None,
            number: *number,
        };
        let partners = [Partner::First, Partner::Second].into_iter().zip(players);
        partners.map(move |(partner, name)| (pair, partner, name))
    });
    let unknown = seats.filter(|(pair, partner, name)| {
        !name.is_empty()
            && session
                .roster
                .at(*pair, *partner, RoundNumber::FIRST)
                .is_none()
    });
    let named = unknown.map(|(pair, partner, name)| Event::PlayerNamed {
        pair,
        partner,
        number: None,
        name: name.clone(),
        from: RoundNumber::FIRST,
        digits: 0,
    });
    named.collect()
}
