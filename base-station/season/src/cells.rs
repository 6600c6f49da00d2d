//! What each session counts for a contestant.

use std::collections::BTreeMap;

use protocol::words::SessionId;
use scoring::Percent;
use scoring::regulations::{counted_with_substitute, pair_handicap};

use crate::standing::{Absence, Competition, Entry, EntryNumber, Note};
use crate::{Hundredths, Measure, Night, NightLine, Partners, PlayerKey, Substitutes};

/// A session of a contestant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which.
    pub session: SessionId,
    /// Who played it.
    pub played: Played,
    /// What was scored.
    pub scored: Option<Hundredths>,
    /// What it is worth to the contestant, handicap and all.
    pub counted: Option<Hundredths>,
    /// The same without handicap.
    pub raw_counted: Option<Hundredths>,
    /// It is one of the best that count.
    pub in_total: bool,
    /// A player's partner.
    pub partner: Option<PlayerKey>,
}

/// Who played a session for a contestant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Played {
    /// Itself.
    Own,
    /// One of the two, with somebody else; nobody where that name is not known.
    WithSubstitute(Option<PlayerKey>),
    /// Two others, who were excused.
    ByOthers,
    /// Two others, and nobody was excused: nothing for the session.
    ByOthersUnexcused,
    /// A session that does not count for the contestant: one more with the same partner.
    SamePartner,
    /// Nobody: it was away with leave.
    Away(Absence),
    /// Nobody.
    Missed,
    /// The director has to say which of two results is its own.
    Unclear,
}

impl Played {
    /// Whether somebody sat there for the contestant.
    pub const fn is_represented(&self) -> bool {
        match self {
            Self::Own | Self::WithSubstitute(_) | Self::ByOthers => true,
            Self::ByOthersUnexcused
            | Self::SamePartner
            | Self::Away(_)
            | Self::Missed
            | Self::Unclear => false,
        }
    }
}

/// What a pair that never played itself is taken for.
const UNKNOWN_AVERAGE: Hundredths = Hundredths::whole(50);

/// Who was away on a play-offs day gets at least that.
const PLAY_OFFS_LEAST: Hundredths = Hundredths::whole(55);

fn nothing(night: &Night, played: Played) -> Cell {
    Cell {
        session: night.session,
        played,
        scored: None,
        counted: None,
        raw_counted: None,
        in_total: false,
        partner: None,
    }
}

impl Competition<'_> {
    fn score(&self, line: &NightLine) -> Option<Hundredths> {
        match self.rules.measure {
            Measure::Percent => line.percent,
            Measure::VictoryPoints => line.vp,
            Measure::Imps => line.imps,
        }
    }

    /// The mean of two players' handicaps; nobody's is 0.
    fn handicap<'b>(&self, players: impl Iterator<Item = Option<&'b PlayerKey>>) -> Hundredths {
        if !self.rules.handicap {
            return Hundredths::default();
        }
        let mut both = [Percent(0); 2];
        for (own, player) in both.iter_mut().zip(players) {
            let known = player.and_then(|player| self.handicaps.get(player));
            *own = Percent(known.map_or(0, |it| it.0));
        }
        Hundredths(pair_handicap(both).0)
    }

    fn of_line(&self, night: &Night, line: &NightLine, played: Played) -> Cell {
        let scored = self.score(line);
        let handicap = self.handicap(line.players.iter().map(Option::as_ref));
        let played = if scored.is_some() {
            played
        } else {
            Played::Missed
        };
        Cell {
            scored,
            counted: scored.map(|it| it + handicap),
            raw_counted: scored,
            ..nothing(night, played)
        }
    }
}

/// The sessions of two who play together.
pub(crate) fn open_pair(of: &Competition<'_>, pair: &[PlayerKey; 2]) -> Vec<Cell> {
    let cell = |night: &&Night| {
        let own = own_line(night, pair);
        own.map_or_else(
            || nothing(night, Played::Missed),
            |line| of.of_line(night, line, Played::Own),
        )
    };
    of.nights.iter().map(cell).collect()
}

fn own_line<'a>(night: &'a Night, pair: &[PlayerKey; 2]) -> Option<&'a NightLine> {
    let mut lines = night.lines.iter();
    lines.find(|line| pair.iter().all(|player| line.has(player)))
}

/// The sessions of a player.
pub(crate) fn player(of: &Competition<'_>, player: &PlayerKey) -> Vec<Cell> {
    let cell = |night: &&Night| match night.line_of(player) {
        None => nothing(night, Played::Missed),
        Some(line) => Cell {
            partner: line.partner_of(player).cloned(),
            ..of.of_line(night, line, Played::Own)
        },
    };
    let mut cells: Vec<Cell> = of.nights.iter().map(cell).collect();
    if of.rules.partners == Partners::OnceEach {
        once_each(&mut cells);
    }
    cells
}

/// Only the best session with each partner stays.
fn once_each(cells: &mut [Cell]) {
    let mut best: BTreeMap<PlayerKey, usize> = BTreeMap::new();
    for at in 0..cells.len() {
        let Some(partner) = cells[at].partner.clone() else {
            continue;
        };
        let lesser = match best.get(&partner).copied() {
            Some(known) if cells[at].counted > cells[known].counted => {
                best.insert(partner, at);
                known
            }
            Some(_) => at,
            None => {
                best.insert(partner, at);
                continue;
            }
        };
        cells[lesser].played = Played::SamePartner;
        (cells[lesser].counted, cells[lesser].raw_counted) = (None, None);
    }
}

/// The sessions of a nominated pair.
pub(crate) fn pair_cells(of: &Competition<'_>, number: EntryNumber, entry: &Entry) -> Vec<Cell> {
    let mut cells: Vec<Cell> = of
        .nights
        .iter()
        .map(|night| match of.notes.get(&(night.session, number)) {
            Some(note) => noted(of, night, entry, note),
            None => found(of, night, entry),
        })
        .collect();
    let own: Vec<Hundredths> = cells
        .iter()
        .filter(|cell| cell.played == Played::Own)
        .filter_map(|cell| cell.scored)
        .collect();
    let average = Hundredths::mean(&own);
    for cell in &mut cells {
        settle(of, cell, entry, average);
    }
    cells
}

/// What the session itself tells.
fn found(of: &Competition<'_>, night: &Night, entry: &Entry) -> Cell {
    if let Some(line) = own_line(night, &entry.players) {
        return of.of_line(night, line, Played::Own);
    }
    let is_entered = |player: &PlayerKey| {
        let others = of.entries.values().filter(|it| !it.withdrawn);
        others.flat_map(|it| &it.players).any(|it| it == player)
    };
    let mut with_one = night.lines.iter().filter_map(|line| {
        let own = entry.players.iter().find(|player| line.has(player))?;
        Some((line, line.partner_of(own)))
    });
    match (with_one.next(), with_one.next()) {
        (None, _) => nothing(night, Played::Missed),
        // Somebody of another pair of this competition played along: whose result is it?
        (Some((_, Some(with))), None) if is_entered(with) => nothing(night, Played::Unclear),
        (Some((line, with)), None) => {
            of.of_line(night, line, Played::WithSubstitute(with.cloned()))
        }
        (Some(_), Some(_)) => nothing(night, Played::Unclear),
    }
}

/// What the director said.
fn noted(of: &Competition<'_>, night: &Night, entry: &Entry, note: &Note) -> Cell {
    match note {
        Note::Nobody => nothing(night, Played::Missed),
        Note::Away(absence) => nothing(night, Played::Away(*absence)),
        Note::PlayedBy { players, excused } => {
            let Some(line) = own_line(night, players) else {
                return nothing(night, Played::Missed);
            };
            let own: Vec<&PlayerKey> = players
                .iter()
                .filter(|player| entry.players.contains(player))
                .collect();
            let with = players.iter().find(|player| !own.contains(player));
            let played = match (own.len(), excused) {
                (2, _) => Played::Own,
                (1, _) => Played::WithSubstitute(with.cloned()),
                (_, true) => Played::ByOthers,
                (_, false) => Played::ByOthersUnexcused,
            };
            of.of_line(night, line, played)
        }
    }
}

/// What a session with substitutes, or without the pair, is worth to it.
fn settle(of: &Competition<'_>, cell: &mut Cell, entry: &Entry, average: Option<Hundredths>) {
    match cell.played {
        Played::WithSubstitute(_) | Played::ByOthers => {
            let counted = cell
                .scored
                .and_then(|it| with_substitute(of.rules.substitutes, it, average));
            // The handicap is that of those who played.
            let handicap = match (cell.counted, cell.scored) {
                (Some(counted), Some(scored)) => Hundredths(counted.0 - scored.0),
                _ => Hundredths::default(),
            };
            cell.raw_counted = counted;
            cell.counted = counted.map(|it| it + handicap);
        }
        Played::ByOthersUnexcused => {
            (cell.counted, cell.raw_counted) = (None, None);
        }
        Played::Away(absence) => {
            let award = average.map(|it| absence.award(it));
            let own = of.handicap(entry.players.iter().map(Some));
            cell.raw_counted = award;
            cell.counted = award.map(|it| it + own);
        }
        Played::Own | Played::SamePartner | Played::Missed | Played::Unclear => {}
    }
}

fn with_substitute(
    rule: Substitutes,
    scored: Hundredths,
    average: Option<Hundredths>,
) -> Option<Hundredths> {
    match rule {
        Substitutes::AsScored => Some(scored),
        Substitutes::NotCounted => None,
        Substitutes::Capped => {
            let average = average.unwrap_or(UNKNOWN_AVERAGE);
            let counted = counted_with_substitute(Percent(scored.0), Percent(average.0));
            Some(Hundredths(counted.0))
        }
    }
}

impl Absence {
    /// What a pair with this average gets.
    fn award(self, average: Hundredths) -> Hundredths {
        match self {
            Self::Representing => average,
            Self::OtherChampionship => average.share(90),
            Self::PlayOffsDay => average.max(PLAY_OFFS_LEAST),
        }
    }
}
