//! Deliberate mistakes: a checker that never fires is worth nothing, so each of them is given
//! something to find.

use super::checkers::Promise;
use super::disk::Sync;

/// A base station (or its pads) with one deliberate mistake, to see that the checkers notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Broken {
    /// As it should be.
    #[default]
    Not,
    /// Says "received" before it writes.
    AcknowledgesBeforePersisting,
    /// Says "received" while the commit is still under way.
    AcknowledgesBeforeCommit,
    /// The database does not sync.
    SynchronousOff,
    /// Takes what a replaced pad says as if it still held the table.
    ForgetsTheEpoch,
    /// Does not notice that it has had an entry before.
    DropsTheCounter,
    /// Reads an entry twice after a restart.
    CountsTwice,
    /// Pads whose flash forgets a page when the journal comes round.
    FlashLosesOnWrap,
    /// Goes on as if a write that the disk refused had been done.
    TakesARefusalForDone,
    /// Lets results in whose declarer was misread.
    MisreadsDeclarers,
    /// Never tells pads what the director has changed.
    KeepsCorrectionsToItself,
    /// Loses one result in fifty, and what the director enters in its place.
    LosesBoards,
    /// Hears one frame in forty from the second half-hour on.
    GrowsDeaf,
    /// Answers nobody who logs on.
    AnswersNoLogOn,
    /// Says everything to a pad a hundred and twenty times.
    RepeatsItself,
    /// Begins every time with the same nonce.
    NonceFromAClock,
    /// Sends a page that was asleep only what is new.
    ForgetsThatAPageSlept,
    /// Shows the ranking as it was when it was asked for first.
    RanksFromMemory,
    /// Lets every pad have every table, and never asks the director.
    ReplacesWithoutAsking,
    /// Pads whose flash tells the keys of all the others.
    PadsShareAKey,
    /// Says no to a board that a table wants before the director has looked.
    SpeaksForTheDirector,
    /// Says yes to it.
    AllowsForTheDirector,
    /// Prints travellers and score cards as they were when they were asked for first.
    PrintsFromMemory,
    /// Publishes every draw a second time, otherwise.
    ChangesADraw,
    /// Shows the standing of matches as it was after the first round.
    RemembersAStanding,
}

impl Broken {
    /// Every mistake.
    pub const ALL: [Self; 24] = [
        Self::AcknowledgesBeforePersisting,
        Self::AcknowledgesBeforeCommit,
        Self::SynchronousOff,
        Self::ForgetsTheEpoch,
        Self::DropsTheCounter,
        Self::CountsTwice,
        Self::FlashLosesOnWrap,
        Self::TakesARefusalForDone,
        Self::MisreadsDeclarers,
        Self::KeepsCorrectionsToItself,
        Self::LosesBoards,
        Self::GrowsDeaf,
        Self::AnswersNoLogOn,
        Self::RepeatsItself,
        Self::NonceFromAClock,
        Self::ForgetsThatAPageSlept,
        Self::RanksFromMemory,
        Self::ReplacesWithoutAsking,
        Self::PadsShareAKey,
        Self::SpeaksForTheDirector,
        Self::AllowsForTheDirector,
        Self::PrintsFromMemory,
        Self::ChangesADraw,
        Self::RemembersAStanding,
    ];

    /// The promises that this mistake breaks: it counts as caught in a night in which the checkers
    /// name all of them.
    pub const fn breaks(self) -> &'static [Promise] {
        match self {
            Self::Not => &[],
            Self::AcknowledgesBeforePersisting => {
                &[Promise::ReceivedIsKept, Promise::AgreedArrives]
            }
            Self::AcknowledgesBeforeCommit | Self::SynchronousOff => &[Promise::ReceivedIsKept],
            Self::ForgetsTheEpoch => &[Promise::ReplacedPadsChangeNothing],
            Self::DropsTheCounter | Self::CountsTwice => &[Promise::NothingCountsTwice],
            Self::FlashLosesOnWrap => &[Promise::PadsForgetNothing],
            Self::TakesARefusalForDone => &[Promise::ReplayEqualsLive],
            Self::MisreadsDeclarers => &[Promise::NothingIsInvented],
            Self::KeepsCorrectionsToItself => &[Promise::EverybodyAgrees],
            Self::LosesBoards => &[Promise::EveryBoardIsIn],
            Self::GrowsDeaf => &[Promise::ResultsArriveInTime],
            Self::AnswersNoLogOn => &[Promise::NobodyIsBlocked, Promise::TheNightEnds],
            Self::RepeatsItself => &[Promise::MemoryIsBounded],
            Self::NonceFromAClock => &[Promise::NoNonceTwice],
            Self::ForgetsThatAPageSlept => &[Promise::PagesConverge],
            Self::RanksFromMemory => &[Promise::RankingIsRight],
            Self::ReplacesWithoutAsking | Self::PadsShareAKey => &[Promise::ThievesTakeNothing],
            Self::SpeaksForTheDirector | Self::AllowsForTheDirector => {
                &[Promise::ThePadNeverSpeaksForTheDirector]
            }
            Self::PrintsFromMemory => &[Promise::SheetsAddUp],
            Self::ChangesADraw => &[Promise::DrawsStand],
            Self::RemembersAStanding => &[Promise::MatchesAddUp],
        }
    }

    /// The evening on which it can show.
    pub const fn evening(self) -> super::Evening {
        match self {
            Self::ChangesADraw => super::Evening::Swiss,
            Self::RemembersAStanding => super::Evening::Teams,
            _ => super::Evening::Mitchell,
        }
    }

    pub(super) const fn sync(self) -> Sync {
        match self {
            Self::AcknowledgesBeforeCommit => Sync::WithTheNext,
            Self::SynchronousOff => Sync::Late,
            _ => Sync::BeforeReturn,
        }
    }
}
