//! The shapes in which matches reach pages.

use protocol::words::BoardNumber;
use serde::Serialize;
use telling::Told;
use utoipa::ToSchema;

use crate::contest::draw::Method;

/// A section's matches.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ContestView {
    /// The section.
    pub section: String,
    /// What it is called.
    pub name: String,
    /// `pairs` or `teams`.
    pub contestants_are: &'static str,
    /// Rounds planned.
    pub rounds_planned: u8,
    /// Boards of a match.
    pub boards: u8,
    /// What to do next, in a sentence.
    #[schema(value_type = String)]
    pub next_step: Told,
    /// The round to be drawn next.
    pub next_round: Option<u8>,
    /// The best first.
    pub standing: Vec<PlaceView>,
    /// Round by round.
    pub rounds: Vec<RoundView>,
    /// In the order of the numbers: what everybody got against everybody.
    pub cross_table: Vec<CrossLine>,
}

/// A place of the standing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlaceView {
    /// From 1; equals share it.
    pub place: u32,
    /// Its number.
    pub contestant: u16,
    /// Its name.
    #[schema(value_type = String)]
    pub name: Told,
    /// Victory points, penalties taken off.
    pub vp: f64,
    /// Penalties.
    pub penalties: f64,
    /// Brought along.
    pub carry_over: f64,
    /// Matches and byes that count.
    pub matches: usize,
    /// Net IMPs.
    pub net: f64,
    /// Tie-breakers in their order.
    pub ties: Vec<TieView>,
    /// What separates it from the place before, where victory points don't.
    #[schema(value_type = Option<String>)]
    pub decided_by: Option<Told>,
    /// It plays no more.
    pub withdrawn: bool,
}

/// A tie-breaker.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TieView {
    /// What it is.
    #[schema(value_type = String)]
    pub name: Told,
    /// How much.
    pub value: String,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RoundView {
    /// Its number.
    pub round: u8,
    /// Its boards, as `10-18`.
    pub boards: String,
    /// Match 1 first.
    pub matches: Vec<MatchView>,
    /// Who had none.
    pub bye: Option<SideView>,
    /// How it was drawn: `swiss`, `classical`, `danish`; none by hand or from a chart.
    #[schema(value_type = Option<String>)]
    pub method: Option<Method>,
    /// The seed of its lots.
    pub seed: Option<u64>,
}

/// One side of a match, or a bye.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SideView {
    /// Its number.
    pub contestant: u16,
    /// Its name.
    #[schema(value_type = String)]
    pub name: Told,
    /// Victory points, once anything is in.
    pub vp: Option<f64>,
    /// Net IMPs or points.
    pub margin: Option<f64>,
}

/// A match.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchView {
    /// Its number in the draw.
    pub number: u16,
    /// Where it is played.
    pub tables: Vec<u16>,
    /// Sits North-South, in the open room.
    pub home: SideView,
    /// The others.
    pub away: SideView,
    /// They had met before.
    pub rematch: bool,
    /// All boards are in.
    pub complete: bool,
    /// Boards that are not: `7: 25, 26`.
    pub missing: Vec<String>,
    /// What the director decided, in words; empty where its boards count.
    #[schema(value_type = String)]
    pub decision: Told,
    /// What is odd about it: boards that others played, too many boards lost.
    #[schema(value_type = Vec<String>)]
    pub remarks: Vec<Told>,
}

/// A line of the cross-table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CrossLine {
    /// Its number.
    pub contestant: u16,
    /// Its name.
    #[schema(value_type = String)]
    pub name: Told,
    /// Opponent and victory points, round by round.
    pub against: Vec<CrossCell>,
}

/// A match in the cross-table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CrossCell {
    /// The round.
    pub round: u8,
    /// The opponent; none for a bye.
    pub opponent: Option<u16>,
    /// Victory points, once anything is in.
    pub vp: Option<f64>,
}

/// A match board by board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchSheetView {
    /// The match.
    pub matching: MatchView,
    /// Board by board.
    pub lines: Vec<SheetLineView>,
}

/// A board of a match sheet.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SheetLineView {
    /// The board.
    #[schema(value_type = u8)]
    pub board: BoardNumber,
    /// North-South's score at the (open) table.
    pub open: Option<i16>,
    /// North-South's score in the closed room.
    pub closed: Option<i16>,
    /// What a pairs match was compared with.
    pub datum: Option<f64>,
    /// What home got.
    pub home: Option<f64>,
    /// What away got.
    pub away: Option<f64>,
}

/// A draw that could be published.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ProposalView {
    /// For this round.
    pub round: u8,
    /// Who meets whom.
    pub matches: Vec<ProposedMatch>,
    /// Who has no opponent.
    pub bye: Option<u16>,
    /// How it was made.
    #[schema(value_type = Option<String>)]
    pub method: Option<Method>,
    /// The seed of its lots.
    pub seed: Option<u64>,
    /// What had to give way, in sentences.
    #[schema(value_type = Vec<String>)]
    pub reasons: Vec<Told>,
    /// What the other method would have drawn, where it differs: `1-4`, `2-3`.
    pub otherwise: Vec<String>,
    /// Which method that is.
    #[schema(value_type = Option<String>)]
    pub other_method: Option<Method>,
    /// Matches of earlier rounds that are not finished.
    pub unfinished: Vec<u16>,
}

/// A match of a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ProposedMatch {
    /// Its number.
    pub table: u16,
    /// Home.
    pub home: u16,
    /// Home's name.
    #[schema(value_type = String)]
    pub home_name: Told,
    /// Away.
    pub away: u16,
    /// Away's name.
    #[schema(value_type = String)]
    pub away_name: Told,
    /// They have met.
    pub rematch: bool,
}
