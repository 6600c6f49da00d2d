//! An agreed result, and why one did not count.

use protocol::message::{Entry, EntryNumber, FirmwareVersion, RefusalReason};
use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Doubling, Level, Percentage, Played, RoundNumber,
    Seat, Strain, Tricks,
};
use serde::{Deserialize, Serialize};

/// A table's entry.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Entry")]
pub(in crate::session) struct EntryForm {
    #[serde(with = "NumberForm")]
    number: EntryNumber,
    round: RoundNumber,
    agreed_in: RoundNumber,
    board: BoardNumber,
    #[serde(with = "ResultForm")]
    result: BoardResult,
    correction: bool,
    by_director: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "EntryNumber")]
struct NumberForm(u16);

/// Major, minor, patch.
#[derive(Serialize, Deserialize)]
#[serde(remote = "FirmwareVersion")]
pub(in crate::session) struct FirmwareForm(u8, u8, u8);

/// What became of a board.
#[derive(Serialize, Deserialize)]
#[serde(remote = "BoardResult")]
pub(in crate::session) enum ResultForm {
    Played(#[serde(with = "PlayedForm")] Played),
    PassedOut,
    NotPlayed,
    SitOut,
    Adjusted { ns: Percentage, ew: Percentage },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Played")]
struct PlayedForm {
    #[serde(with = "ContractForm")]
    contract: Contract,
    tricks: Tricks,
    /// As its number: 0 is the two of clubs.
    lead: Option<Card>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Contract")]
pub(super) struct ContractForm {
    level: Level,
    #[serde(with = "StrainForm")]
    strain: Strain,
    #[serde(with = "DoublingForm")]
    doubling: Doubling,
    #[serde(with = "SeatForm")]
    declarer: Seat,
}

/// The stored form of an enum without parts: the words that it has on the air, each by its name.
macro_rules! words {
    ($(#[$about:meta])* $visible:vis $form:ident of $wire:literal: $($word:ident)+) => {
        $(#[$about])*
        #[derive(Serialize, Deserialize)]
        #[serde(remote = $wire)]
        $visible enum $form { $($word),+ }
    };
}

words! { StrainForm of "Strain": Clubs Diamonds Hearts Spades NoTrump }

words! { DoublingForm of "Doubling": Undoubled Doubled Redoubled }

words! { SeatForm of "Seat": North East South West }

words! {
    /// Why an entry did not count.
    pub(in crate::session) ReasonForm of "RefusalReason":
    SessionNotOpen TableInUse NoSuchSection NoSuchTable Replaced BoardOutOfRange RoundOver
    Stopped Impossible SessionOver VersionTooOld NotAllowed DiskFailed AskingDirector
    BoardNotOfSession BoardOfEarlierRound NoDealFile
}
