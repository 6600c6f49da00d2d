//! What the director decides before play: sections, who sits where when, how it is scored.

use protocol::message::HandRecord;
use protocol::words::{PairNumber, Percentage, RoundNumber, Score, Side, TableNumber};
use serde::{Deserialize, Serialize};

pub use crate::scoring::{AdjustedRows, Fault, Rounding, ShortBoards, WeightedScore};

use crate::movement::{BoardSet, Lists, Movement, Seating, SpecialMove};

/// A section as the director set it up. The movement is kept as the seats it gives, not as its
/// name and parameters, so that a journal stays readable when the movement library grows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionPlan {
    /// The colour of its cards and boards, as people call it.
    pub colour: String,
    /// The movement's name for people.
    pub movement: String,
    /// Whether both directions are ranked together.
    pub one_winner: bool,
    /// Every table in every round, in any order.
    pub sittings: Vec<Sitting>,
    /// What the director announces when a round ends.
    pub announcements: Vec<Announcement>,
}

/// One table in one round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sitting {
    /// The round.
    pub round: RoundNumber,
    /// The table.
    pub table: TableNumber,
    /// North-South; `None` is a phantom or nobody.
    pub ns: Option<PairNumber>,
    /// East-West; `None` is a phantom or nobody.
    pub ew: Option<PairNumber>,
    /// What they play, in this order; empty where the table stands idle.
    pub boards: BoardSet,
    /// The pairs called North-South and East-West above have exchanged their chairs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub arrow_switched: bool,
}

impl Sitting {
    /// As the movement has it.
    pub fn planned((round, table, seating): (RoundNumber, TableNumber, &Seating)) -> Self {
        Self {
            round,
            table,
            ns: seating.ns,
            ew: seating.ew,
            boards: seating.boards.clone(),
            arrow_switched: false,
        }
    }

    /// Whether two real pairs meet here, so that results are to be expected.
    pub fn is_played(&self) -> bool {
        self.ns.is_some() && self.ew.is_some() && !self.boards.is_empty()
    }
}

impl SectionPlan {
    /// A section that plays this movement.
    pub fn of(movement: &Movement, colour: &str) -> Self {
        Self {
            colour: colour.to_owned(),
            movement: movement.name.clone(),
            one_winner: movement.lists == Lists::One,
            sittings: movement.seatings().map(Sitting::planned).collect(),
            announcements: announcements(movement),
        }
    }
}

/// What breaks the rhythm of a movement, in the words to be called out.
fn announcements(movement: &Movement) -> Vec<Announcement> {
    movement
        .special
        .iter()
        .map(|special| match special {
            SpecialMove::Skip {
                after_round,
                forward,
            } => Announcement {
                after: *after_round,
                text: format!(
                    "East-West skip: go up {forward} tables. Boards go down one table as usual."
                ),
            },
            SpecialMove::Subtract { after_round, from } => Announcement {
                after: *after_round,
                text: format!(
                    "Special move: East-West subtract their table number from {from} and go to \
                     that table. Boards go down one table as usual."
                ),
            },
        })
        .collect()
}

/// What the director says aloud after a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// After this round.
    pub after: RoundNumber,
    /// In the director's words.
    pub text: String,
}

/// How the session is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    /// The method.
    pub method: Method,
    /// One point for each pair beaten rather than two.
    pub single: bool,
    /// All sections are one field.
    pub across_sections: bool,
    /// How boards with fewer results or adjusted ones are brought to the common top.
    pub adjusted_rows: AdjustedRows,
    /// To what matchpoints are rounded.
    pub rounding: Rounding,
    /// What a board with fewer results than others is worth. Sessions that were stored before this
    /// could be chosen were published with each board's own top, and stay so.
    #[serde(default = "own_top", skip_serializing_if = "is_own_top")]
    pub short_boards: ShortBoards,
    /// A pair that has less than this share of the boards, in percent, stands below the line
    /// without a place. Sessions that were stored earlier ranked everybody.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub least_share_percent: u8,
}

impl Scoring {
    /// What a new session begins with: as federations' programs do it.
    pub const CLUB_EVENING: Self = Self {
        method: Method::Matchpoints,
        single: false,
        across_sections: false,
        adjusted_rows: AdjustedRows::Neuberg,
        rounding: Rounding::Hundredth,
        short_boards: ShortBoards::CommonTop,
        least_share_percent: 50,
    };

    /// As the club manual does it by hand.
    pub const CLUB_MANUAL: Self = Self {
        adjusted_rows: AdjustedRows::Manual,
        rounding: Rounding::Tenth,
        short_boards: ShortBoards::OwnTop,
        ..Self::CLUB_EVENING
    };

    /// What a session was scored by that never said how: those of before short boards could be
    /// brought to the common top. New sessions say so with their first record.
    pub const UNSAID: Self = Self {
        short_boards: ShortBoards::OwnTop,
        least_share_percent: 0,
        ..Self::CLUB_EVENING
    };
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
const fn is_nothing(percent: &u8) -> bool {
    *percent == 0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
const fn is_own_top(short_boards: &ShortBoards) -> bool {
    matches!(short_boards, ShortBoards::OwnTop)
}

const fn own_top() -> ShortBoards {
    ShortBoards::OwnTop
}

/// The method of comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Matchpoints.
    Matchpoints,
    /// IMPs against every other table.
    CrossImps,
    /// IMPs against a datum.
    Butler,
}

/// How results come to the base station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// From pads at the tables.
    Pads,
    /// On paper, typed in by the director.
    Paper,
}

/// How long a round takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// For each board.
    pub minutes_a_board: u8,
    /// For moving to the next table, added to every round.
    pub minutes_to_move: u8,
    /// The room is warned this long before the round ends.
    pub warning_minutes: u8,
}

impl Timing {
    /// What most clubs play: seven minutes a board, a minute to move, three minutes' warning.
    pub const CLUB_EVENING: Self = Self {
        minutes_a_board: 7,
        minutes_to_move: 1,
        warning_minutes: 3,
    };
}

/// What the director makes of a line of a score sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ruling {
    /// A result as at the table: played, passed out, not played, sit-out, percentages.
    Result(#[serde(with = "super::stored::ResultForm")] protocol::words::BoardResult),
    /// It will be played later; until then it counts as not played.
    LatePlay,
    /// Each side gets its own.
    Award {
        /// North-South's.
        ns: SideAward,
        /// East-West's.
        ew: SideAward,
    },
    /// There is no result here after all; the board is missing again.
    TakenAway,
    /// A score from paper that names no contract, from North-South's view. It counts like any
    /// other.
    Written(Score),
}

/// What a changed score rests on: the director may change one alone only where it can't have been or
/// where the vulnerability was wrong; otherwise both sides are asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grounds {
    /// Both sides were asked.
    BothAsked,
    /// No contract gives that score.
    Impossible,
    /// It was reckoned with another vulnerability.
    Vulnerability,
    /// A ruling.
    Ruling,
    /// The sheet of paper that it was typed from has it so.
    Paper,
}

/// What one side is awarded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SideAward {
    /// An assigned score, from North-South's view, matchpointed against the field.
    Score(Score),
    /// Several possible outcomes with their shares.
    Weighted(Vec<WeightedScore>),
    /// Any percentage of a top.
    Percent(Percentage),
    /// 60%, or the pair's own percentage on its other boards where that is higher.
    AveragePlus,
    /// 50%.
    Average,
    /// 40%, or the pair's own percentage on its other boards where that is lower.
    AverageMinus,
}

/// What an offence costs. Never negative, so that a penalty can't be added by mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PenaltyAmount {
    /// Nothing yet.
    Warning,
    /// A share of the top on one board of the whole field.
    PercentOfTop(Percentage),
    /// Off the final percentage, in hundredths of a percent.
    PercentOfSession(Percentage),
    /// Hundredths of a matchpoint.
    Matchpoints(u32),
    /// Hundredths of a victory point.
    VictoryPoints(u32),
    /// IMPs.
    Imps(u16),
}

impl PenaltyAmount {
    /// Whether a ranking that is made by this method knows what to do with it. A warning is one in
    /// any; victory points are won in matches, not in a pairs ranking.
    pub const fn has_an_effect_in(self, method: Method) -> bool {
        match (self, method) {
            (Self::Warning, _)
            | (
                Self::PercentOfTop(_) | Self::PercentOfSession(_) | Self::Matchpoints(_),
                Method::Matchpoints,
            )
            | (Self::Imps(_), Method::CrossImps | Method::Butler) => true,
            (
                Self::PercentOfTop(_) | Self::PercentOfSession(_) | Self::Matchpoints(_),
                Method::CrossImps | Method::Butler,
            )
            | (Self::Imps(_), Method::Matchpoints)
            | (Self::VictoryPoints(_), _) => false,
        }
    }
}

/// The deals of a session, with what is known of them.
pub type Deals = Vec<HandRecord>;

/// A side of a pair's seats: which of its two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Partner {
    /// North or East.
    First,
    /// South or West.
    Second,
}

/// The seat of a partner when the pair sits in this direction.
pub const fn seat_of(side: Side, partner: Partner) -> protocol::words::Seat {
    use protocol::words::Seat;
    match (side, partner) {
        (Side::NorthSouth, Partner::First) => Seat::North,
        (Side::NorthSouth, Partner::Second) => Seat::South,
        (Side::EastWest, Partner::First) => Seat::East,
        (Side::EastWest, Partner::Second) => Seat::West,
    }
}
