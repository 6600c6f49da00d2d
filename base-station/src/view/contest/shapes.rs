//! The shapes in which matches reach pages.

use protocol::words::BoardNumber;
use serde::{Serialize, Serializer};
use telling::Told;
use utoipa::ToSchema;

use crate::contest::draw::Method;

/// Words where there are any, and nothing where there are none.
#[expect(clippy::ref_option, reason = "what serde hands over")]
fn or_empty<S: Serializer>(told: &Option<Told>, to: S) -> Result<S::Ok, S::Error> {
    match told {
        Some(told) => told.serialize(to),
        None => to.serialize_str(""),
    }
}

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
    /// What to do next, in a sentence; empty where nothing is.
    #[serde(serialize_with = "or_empty")]
    #[schema(value_type = String)]
    pub next_step: Option<Told>,
    /// The round to be drawn next.
    pub next_round: Option<u8>,
    /// The best first.
    pub standing: Vec<PlaceView>,
    /// Round by round.
    pub rounds: Vec<RoundView>,
    /// In the order of the numbers: what everybody got against everybody.
    pub cross_table: Vec<CrossLine>,
    /// `swiss`, `round-robin`, `troikas`, `butler-chart`, `american-whist`, `head-to-head`.
    pub format: &'static str,
    /// Rounds of the event that were played on earlier nights.
    pub rounds_before: u8,
    /// Rounds of the whole event, where it has several nights and that is known.
    pub rounds_in_all: Option<u8>,
    /// The session of the night before, where the event goes on.
    pub goes_on_from: Option<u32>,
    /// Pairs or teams as they were entered.
    pub entries: Vec<EntryView>,
    /// The players of a teams event by IMPs a board against the field, the best first.
    pub players: Vec<PlayerView>,
    /// Minutes of a round.
    pub minutes: u16,
    /// No board is begun in the last so many of them.
    pub no_new_board: u16,
    /// The two tables of a teams match share one set of boards.
    pub one_set: bool,
    /// Appeals, the oldest first.
    pub appeals: Vec<AppealView>,
    /// The match in stanzas is level and can be played on: so many boards by its regulation, 0 where
    /// that is left to the director.
    pub play_off: Option<u8>,
}

/// An appeal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AppealView {
    /// Its number in the journal.
    pub appeal: u64,
    /// The round.
    pub round: u8,
    /// The match's number.
    pub number: u16,
    /// The board, where it is about one.
    pub board: Option<u8>,
    /// Who appeals.
    pub by: u16,
    /// About what.
    pub about: String,
    /// When it was noted.
    pub at_ms: u64,
    /// Until when it could be made.
    pub until_ms: Option<u64>,
    /// What came of it; none while it is open.
    pub outcome: Option<String>,
}

/// Where somebody stood when a draw was made.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StoodView {
    /// From 1; equals are separated by lot.
    pub place: usize,
    /// Who.
    pub contestant: u16,
    /// The name.
    pub name: String,
    /// What the draw went by.
    pub vp: f64,
}

/// A pair or a team as it was entered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EntryView {
    /// Its number.
    pub contestant: u16,
    /// Its name.
    pub name: String,
    /// Its players, a team's captain first.
    pub players: Vec<String>,
    /// Where it comes from.
    pub club: String,
    /// The table it keeps.
    pub stationary: Option<u16>,
    /// Whom it may not meet.
    pub forbidden: Vec<u16>,
}

/// A player of a teams event.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerView {
    /// The name.
    pub name: String,
    /// The number of the team.
    pub team: u16,
    /// Boards that count.
    pub boards: u32,
    /// IMPs against the field.
    pub imps: f64,
    /// The same for a board.
    pub imps_a_board: f64,
}

/// A place of the standing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlaceView {
    /// From 1; equals share it.
    pub place: u32,
    /// Its number.
    pub contestant: u16,
    /// Its name.
    pub name: String,
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
    /// Three who play each other over two rounds.
    pub triangle: Vec<u16>,
    /// Tables of a triangle or an American Whist, which play half a match each.
    pub halves: Vec<HalfView>,
    /// Who waits for the rest of the draw.
    pub waiting: Vec<u16>,
    /// Others met than were drawn.
    pub otherwise: bool,
    /// Nothing of it has been played: it can be drawn again, with a reason.
    pub can_be_redrawn: bool,
    /// How it was drawn: `swiss`, `classical`, `danish`; none by hand or from a chart.
    #[schema(value_type = Option<String>)]
    pub method: Option<Method>,
    /// The seed of its lots.
    pub seed: Option<u64>,
    /// The director wrote its matches down.
    pub by_hand: bool,
}

/// A table that plays half a match.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HalfView {
    /// Where.
    pub table: u16,
    /// Sits North-South.
    pub ns: u16,
    /// Its name.
    pub ns_name: String,
    /// Sits East-West.
    pub ew: u16,
    /// Its name.
    pub ew_name: String,
    /// The boards, as `10-18`.
    pub boards: String,
}

/// One side of a match, or a bye.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SideView {
    /// Its number.
    pub contestant: u16,
    /// Its name.
    pub name: String,
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
    #[serde(serialize_with = "or_empty")]
    #[schema(value_type = String)]
    pub decision: Option<Told>,
    /// What is odd about it: boards that others played, too many boards lost.
    #[schema(value_type = Vec<String>)]
    pub remarks: Vec<Told>,
    /// Of these what a match in stanzas brought from earlier nights, for its printed sheet.
    #[serde(skip)]
    pub earlier: Option<Told>,
    /// Both sides have accepted its slip on the pads.
    pub accepted: bool,
    /// The contestant whose line-up is posted first in a teams match.
    pub seats_first: Option<u16>,
}

/// A line of the cross-table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CrossLine {
    /// Its number.
    pub contestant: u16,
    /// Its name.
    pub name: String,
    /// Opponent and victory points, round by round.
    pub against: Vec<CrossCell>,
}

/// A match in the cross-table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CrossCell {
    /// The round of the event.
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
    /// The rooms it is played in: the open one, then the closed one of a teams match.
    pub rooms: Vec<RoomView>,
    /// What was played at the (open) table, in words.
    #[schema(value_type = String)]
    pub open_result: Told,
    /// What was played in the closed room.
    #[schema(value_type = String)]
    pub closed_result: Told,
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

/// Where a board of a match is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RoomView {
    /// The table.
    pub table: u16,
    /// The round.
    pub round: u8,
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
    /// Three who play each other over two rounds.
    pub triangle: Vec<u16>,
    /// The triangle began in the round before.
    pub triangle_goes_on: bool,
    /// Tables of a triangle or an American Whist.
    pub halves: Vec<HalfView>,
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
    /// Numbers of the matches that are the same however those end; none where that can't be told.
    pub certain: Option<Vec<u16>>,
    /// In how many ways they can end, as far as the draw is concerned.
    pub ends: Option<usize>,
    /// The standing that the draw went by, the best first.
    pub standing: Vec<StoodView>,
}

/// A match of a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ProposedMatch {
    /// Its number.
    pub table: u16,
    /// Home.
    pub home: u16,
    /// Home's name.
    pub home_name: String,
    /// Away.
    pub away: u16,
    /// Away's name.
    pub away_name: String,
    /// They have met.
    pub rematch: bool,
}
