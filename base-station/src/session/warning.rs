//! What a warning is called, and what the director said to it.
//!
//! Inside, both are values. In the journal and in the interface they are texts, which
//! [`WarningId`]'s and [`Settled`]'s own conversions write and read: every text is a name, also
//! one of a version that nobody remembers.

use std::fmt;

use protocol::words::{
    BoardNumber, Epoch, PadId, PairNumber, PlayerNumber, Refusal, RoundNumber, SectionLetter,
    TableNumber,
};
use serde::{Deserialize, Serialize};

use super::{Cell, Moment, PairId, Seq, TableId};
use crate::checks::{FindingId, Kind};

/// Names a warning for as long as its cause lasts: the same trouble at the same place has the same
/// name all evening, and what the director said to it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum WarningId {
    /// A pad wants a table whose own pad works.
    ReplaceAsked {
        /// The table.
        table: TableId,
        /// The pad that asks.
        pad: PadId,
    },
    /// So many boards of a table are missing that its pad should be replaced.
    ReplaceAdvised {
        /// The table.
        table: TableId,
        /// How many.
        missing: usize,
    },
    /// A pad has not been heard since then.
    PadSilent {
        /// The pad.
        pad: PadId,
        /// Since when.
        since: Moment,
    },
    /// A board's time is over and it is not in.
    BoardMissing(Cell),
    /// A pad was replaced and may have held results: one question for one replacement.
    LostWithPad {
        /// The table.
        table: TableId,
        /// The epoch of the new pad.
        epoch: Epoch,
    },
    /// An entry waits for the director.
    EntryKept(Seq),
    /// A table wants to enter a board that is not on its sheet.
    BoardWanted(Cell),
    /// The players say they are these pairs.
    OtherPairs {
        /// The table.
        table: TableId,
        /// The round.
        round: RoundNumber,
        /// North-South.
        ns: Option<PairNumber>,
        /// East-West.
        ew: Option<PairNumber>,
    },
    /// Several pairs have a player of the same number.
    SamePlayer {
        /// The number.
        number: PlayerNumber,
        /// The pairs.
        pairs: Vec<PairId>,
    },
    /// A pad's cells need changing.
    BatteryLow(PadId),
    /// A match looks wrong on this line.
    InMatch(MatchTrouble, Cell),
    /// A check has found something.
    Found(FindingId),
    /// A name that this version gives to nothing; it stands in an old journal.
    Unknown(String),
}

/// What can look wrong about a line of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchTrouble {
    /// Others than the two sides played it.
    Strangers,
    /// Both pairs of a team sat the same way.
    SameWay,
    /// More IMPs than a slam on the wrong side.
    Swing,
    /// It is of another set of boards.
    OtherSet,
}

impl MatchTrouble {
    const ALL: [Self; 4] = [Self::Strangers, Self::SameWay, Self::Swing, Self::OtherSet];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.to_string() == name)
    }
}

impl fmt::Display for MatchTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Strangers => "strangers",
            Self::SameWay => "same-way",
            Self::Swing => "swing",
            Self::OtherSet => "other-set",
        })
    }
}

impl WarningId {
    /// The check whose settings say how loudly it speaks; none where it always does.
    pub const fn check(&self) -> Option<Kind> {
        match self {
            Self::PadSilent { .. } => Some(Kind::PadSilent),
            Self::BoardMissing(_) | Self::ReplaceAdvised { .. } => Some(Kind::ScoreMissing),
            Self::BoardWanted(_) => Some(Kind::BoardNotHere),
            Self::OtherPairs { .. } => Some(Kind::EastWestElsewhere),
            Self::Found(id) => Some(id.kind),
            Self::ReplaceAsked { .. }
            | Self::LostWithPad { .. }
            | Self::EntryKept(_)
            | Self::SamePlayer { .. }
            | Self::BatteryLow(_)
            | Self::InMatch(..)
            | Self::Unknown(_) => None,
        }
    }
}

impl fmt::Display for WarningId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReplaceAsked { table, pad } => write!(f, "replacing:{table}:{}", Pad(*pad)),
            Self::ReplaceAdvised { table, missing } => write!(f, "replace:{table}:{missing}"),
            Self::PadSilent { pad, since } => write!(f, "silent:{}:{}", Pad(*pad), since.0),
            Self::BoardMissing(cell) => write!(f, "missing:{}", Place(cell)),
            Self::LostWithPad { table, epoch } => write!(f, "lost:{table}:{epoch}"),
            Self::EntryKept(seq) => write!(f, "kept:{seq}"),
            Self::BoardWanted(cell) => write!(f, "wanted:{}", Place(cell)),
            Self::OtherPairs {
                table,
                round,
                ns,
                ew,
            } => write!(
                f,
                "pairs:{table}:{round}:{}:{}",
                Somebody(*ns),
                Somebody(*ew)
            ),
            Self::SamePlayer { number, pairs } => {
                let pairs: Vec<String> = pairs.iter().map(ToString::to_string).collect();
                write!(f, "player:{number}:{}", pairs.join("+"))
            }
            Self::BatteryLow(pad) => write!(f, "battery:{}", Pad(*pad)),
            Self::InMatch(trouble, cell) => write!(f, "match:{trouble}:{}", Place(cell)),
            Self::Found(id) => write!(f, "{id}"),
            Self::Unknown(text) => f.write_str(text),
        }
    }
}

impl From<WarningId> for String {
    fn from(id: WarningId) -> Self {
        id.to_string()
    }
}

impl From<String> for WarningId {
    fn from(text: String) -> Self {
        known(&text)
            // Only what would be written again letter for letter is understood.
            .filter(|id| id.to_string() == text)
            .unwrap_or(Self::Unknown(text))
    }
}

/// A pad as its back has it.
struct Pad(PadId);

impl fmt::Display for Pad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08X}", self.0.get())
    }
}

struct Place<'a>(&'a Cell);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { round, board, .. } = self.0;
        write!(f, "{}:{round}:{board}", self.0.table_id())
    }
}

struct Somebody(Option<PairNumber>);

const NOBODY: &str = "nobody";

impl fmt::Display for Somebody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(pair) => write!(f, "{pair}"),
            None => f.write_str(NOBODY),
        }
    }
}

/// The warning of this name, if this version knows one.
fn known(text: &str) -> Option<WarningId> {
    let Some((kind, rest)) = text.split_once(':') else {
        return finding(text).map(WarningId::Found);
    };
    let parts: Vec<&str> = rest.split(':').collect();
    Some(match (kind, parts.as_slice()) {
        ("replacing", [table, pad]) => WarningId::ReplaceAsked {
            table: table.parse().ok()?,
            pad: pad_of(pad)?,
        },
        ("replace", [table, missing]) => WarningId::ReplaceAdvised {
            table: table.parse().ok()?,
            missing: missing.parse().ok()?,
        },
        ("silent", [pad, since]) => WarningId::PadSilent {
            pad: pad_of(pad)?,
            since: Moment(since.parse().ok()?),
        },
        ("missing", place) => WarningId::BoardMissing(cell(place)?),
        ("lost", [table, epoch]) => WarningId::LostWithPad {
            table: table.parse().ok()?,
            epoch: Epoch::new(epoch.parse().ok()?)?,
        },
        ("kept", [seq]) => WarningId::EntryKept(Seq(seq.parse().ok()?)),
        ("wanted", place) => WarningId::BoardWanted(cell(place)?),
        ("pairs", [table, round, ns, ew]) => WarningId::OtherPairs {
            table: table.parse().ok()?,
            round: round.parse().ok()?,
            ns: somebody(ns).ok()?,
            ew: somebody(ew).ok()?,
        },
        ("player", [number, pairs]) => WarningId::SamePlayer {
            number: number.parse().ok()?,
            pairs: pairs
                .split('+')
                .map(|pair| pair.parse().ok())
                .collect::<Option<_>>()?,
        },
        ("battery", [pad]) => WarningId::BatteryLow(pad_of(pad)?),
        ("match", [trouble, place @ ..]) => {
            WarningId::InMatch(MatchTrouble::named(trouble)?, cell(place)?)
        }
        _ => return None,
    })
}

fn pad_of(text: &str) -> Option<PadId> {
    PadId::new(u32::from_str_radix(text, 16).ok()?)
}

fn somebody(text: &str) -> Result<Option<PairNumber>, Refusal> {
    if text == NOBODY {
        return Ok(None);
    }
    text.parse().map(Some)
}

fn cell(place: &[&str]) -> Option<Cell> {
    let [table, round, board] = place else {
        return None;
    };
    Some(Cell::new(
        table.parse().ok()?,
        round.parse().ok()?,
        board.parse().ok()?,
    ))
}

/// `lead-not-held.A3.r2.b7`, with as much of the place as there is.
fn finding(text: &str) -> Option<FindingId> {
    let mut parts = text.split('.');
    let kind = Kind::named(parts.next()?)?;
    let place = parts.next()?;
    let section = SectionLetter::new(place.chars().next()?)?;
    let table: Option<TableNumber> = match place.get(section.letter().len_utf8()..)? {
        "" => None,
        table => Some(table.parse().ok()?),
    };
    let mut id = FindingId {
        kind,
        section,
        table,
        round: None,
        board: None,
    };
    for part in parts {
        if let Some(round) = part.strip_prefix('r') {
            id.round = Some(round.parse::<RoundNumber>().ok()?);
        } else {
            id.board = Some(part.strip_prefix('b')?.parse::<BoardNumber>().ok()?);
        }
    }
    Some(id)
}

/// What the director said to a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Settled {
    /// Nothing was wrong: a false alarm.
    NothingWrong,
    /// Something was done about it, in the words of the button.
    Said(String),
}

/// How it stands in the journal that nothing was wrong. Never changed: old journals have it.
const NOTHING_WRONG: &str = "It is right as it is";

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NothingWrong => NOTHING_WRONG,
            Self::Said(words) => words,
        })
    }
}

impl From<Settled> for String {
    fn from(settled: Settled) -> Self {
        settled.to_string()
    }
}

impl From<String> for Settled {
    fn from(words: String) -> Self {
        if words == NOTHING_WRONG {
            Self::NothingWrong
        } else {
            Self::Said(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, do not change the test: these names stand in journals on clubs' disks.
    #[test]
    fn every_name_of_a_warning_is_read_and_written_letter_for_letter() {
        let names = [
            "replacing:A5:000000C9",
            "replace:A4:3",
            "silent:0000006B:1578340800000",
            "missing:A4:1:12",
            "lost:A5:7",
            "kept:112",
            "wanted:A8:4:3",
            "pairs:A6:3:6:nobody",
            "player:702:A2NS+A3EW",
            "battery:00000066",
            "match:strangers:A4:1:12",
            "match:same-way:A4:1:12",
            "match:swing:A4:1:12",
            "match:other-set:A4:1:12",
            "lead-not-held.A3.r2.b7",
            "arrow-switch-missed.A7.r2",
            "table-behind.A7",
            "movement-mistake.A.r5",
            "deals-do-not-fit.B",
        ];
        for name in names {
            let id = WarningId::from(name.to_owned());
            assert!(!matches!(id, WarningId::Unknown(_)), "{name}");
            assert_eq!(id.to_string(), name);
        }
        // What nobody understands is kept as it is.
        for name in [
            "lead A7 3 12",
            "",
            ":",
            "kept:007",
            "missing:A4:1",
            "no-such.A",
            "pairs:",
            "match:half:A4:1:12",
            "match:swing:A4:1",
        ] {
            let id = WarningId::from(name.to_owned());
            assert_eq!(id, WarningId::Unknown(name.to_owned()));
            assert_eq!(String::from(id), name);
        }
    }

    #[test]
    fn every_check_has_a_name_that_is_read_again() {
        for kind in Kind::ALL {
            let id = WarningId::from(format!("{kind}.A1.r1.b1"));
            assert_eq!(id.check(), Some(kind), "{kind}");
        }
    }
}
