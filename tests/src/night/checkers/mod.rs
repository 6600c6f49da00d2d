//! What must hold after a night, whatever happened in it. Each checker keeps one promise and
//! answers with a sentence for every violation; none of them knows which faults were injected.

mod matches;
mod room;
mod scores;

use std::fmt;

use super::world::World;
pub(super) use matches::points_of_matches;
pub(super) use room::{boards, has_converged};

/// What people rely on. Each is kept by one checker, and broken on purpose by one of
/// [`Broken`](super::Broken) at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// What was agreed on a pad is on it after a power cut.
    PadsForgetNothing,
    /// What a pad shows as received is in the journal.
    ReceivedIsKept,
    /// What was agreed on a pad that survives is in the journal.
    AgreedArrives,
    /// No result counts twice.
    NothingCountsTwice,
    /// Nothing counts that nobody agreed.
    NothingIsInvented,
    /// Nothing that a replaced pad says counts by itself.
    ReplacedPadsChangeNothing,
    /// A restarted base knows what the running one knew.
    ReplayEqualsLive,
    /// Pads show what the base has.
    EverybodyAgrees,
    /// Nobody is kept from playing on for long.
    NobodyIsBlocked,
    /// A result whose way is free arrives soon.
    ResultsArriveInTime,
    /// What waits for pads does not pile up.
    MemoryIsBounded,
    /// No nonce is used twice under one key.
    NoNonceTwice,
    /// A page that was open all night shows what a fresh one shows.
    PagesConverge,
    /// The ranking is the naive scorer's.
    RankingIsRight,
    /// Every sheet, file and answer adds up to the ranking.
    SheetsAddUp,
    /// Every board of the movement has a result.
    EveryBoardIsIn,
    /// What a pad says in the director's name, the director has said.
    ThePadNeverSpeaksForTheDirector,
    /// The night comes to its end.
    TheNightEnds,
    /// Whoever has stolen a pad gets no table of others, enters nothing, and silences nobody.
    ThievesTakeNothing,
    /// A draw once published never changes by itself, and nobody is in two places of a round.
    DrawsStand,
    /// Every board counts in one match, and the standing is what the matches come to.
    MatchesAddUp,
}

/// A promise that was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which.
    pub promise: Promise,
    /// What was wrong, in a sentence.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.promise, self.what)
    }
}

type Checker = fn(&World) -> Vec<String>;

/// Every promise and who keeps it. What was lost comes first: it says more than that somebody is
/// still waiting for it.
const CHECKERS: [(Promise, Checker); 21] = [
    (Promise::PadsForgetNothing, scores::pads_forget_nothing),
    (Promise::ReceivedIsKept, scores::received_is_kept),
    (Promise::AgreedArrives, scores::agreed_arrives),
    (Promise::NothingCountsTwice, scores::nothing_counts_twice),
    (Promise::NothingIsInvented, scores::nothing_is_invented),
    (
        Promise::ReplacedPadsChangeNothing,
        scores::replaced_pads_change_nothing,
    ),
    (Promise::ReplayEqualsLive, scores::replay_equals_live),
    (Promise::EverybodyAgrees, room::everybody_agrees),
    (Promise::NobodyIsBlocked, room::nobody_is_blocked),
    (Promise::ResultsArriveInTime, room::results_arrive_in_time),
    (Promise::MemoryIsBounded, room::memory_is_bounded),
    (Promise::NoNonceTwice, room::no_nonce_twice),
    (Promise::PagesConverge, room::pages_converge),
    (Promise::RankingIsRight, scores::ranking_is_right),
    (Promise::SheetsAddUp, scores::sheets_add_up),
    (Promise::EveryBoardIsIn, room::every_board_is_in),
    (
        Promise::ThePadNeverSpeaksForTheDirector,
        room::the_pad_never_speaks_for_the_director,
    ),
    (Promise::TheNightEnds, room::the_night_ends),
    (Promise::ThievesTakeNothing, room::thieves_take_nothing),
    (Promise::DrawsStand, matches::draws_stand),
    (Promise::MatchesAddUp, matches::matches_add_up),
];

impl Promise {
    /// Every promise.
    pub fn all() -> impl Iterator<Item = Self> {
        CHECKERS.into_iter().map(|(promise, _)| promise)
    }
}

/// Everything that is wrong.
pub(super) fn check(world: &World) -> Vec<Violation> {
    let wrong = CHECKERS.into_iter().flat_map(|(promise, checker)| {
        let sentences = checker(world).into_iter();
        sentences.map(move |what| Violation { promise, what })
    });
    wrong.collect()
}
