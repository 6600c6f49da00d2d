//! What can happen in a club, kept as JSON for ever: append variants; never rename, remove or reuse
//! one, nor change a field's meaning; new ones have `#[serde(default)]`. `tests/stored.rs` has all.
use super::plan::{Deals, Fault, Partner, PenaltyAmount, Ruling, Scoring, SectionPlan};
use super::{Cell, EventId, Moment, PairId, Seq, TableId, stored};
use protocol::message::{Entry, FirmwareVersion, HandRecord, Pin, RefusalReason, Settings};
use protocol::words::{BoardNumber, PadId, PairNumber, PlayerNumber, RoundNumber, SectionLetter};
use serde::{Deserialize, Serialize};

/// Everything that can happen. The first group concerns the club, all others one session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The calendar has a new event.
    EventCreated {
        /// Its number.
        event: EventId,
        /// Its name.
        name: String,
    },
    /// It is called otherwise from now on.
    EventRenamed {
        /// Which.
        event: EventId,
        /// Its new name.
        name: String,
    },
    /// An event has one more session.
    SessionAdded {
        /// The session.
        session: protocol::words::SessionId,
        /// The event it belongs to.
        event: EventId,
        /// The day, as 2026-11-16.
        date: String,
        /// What people call it: "first session", "Monday afternoon".
        title: String,
    },
    /// A session is called otherwise, or is on another day.
    SessionRenamed {
        /// Which.
        session: protocol::words::SessionId,
        /// The day.
        date: String,
        /// What people call it.
        title: String,
    },
    /// The director works with this session now.
    SessionChosen {
        /// Which.
        session: protocol::words::SessionId,
    },
    /// The club's list of players; replaces what it says of these numbers.
    MembersListed {
        /// Number and name.
        members: Vec<(PlayerNumber, String)>,
        /// With how many digits those numbers are written that have zeros in front.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        digits: Vec<(PlayerNumber, u8)>,
    },
    /// A misspelt name put right for good.
    MemberRenamed {
        /// Whose.
        number: PlayerNumber,
        /// The right name.
        name: String,
    },
    /// A pad was given an epoch, which is never given again.
    EpochGiven(super::GivenEpoch),
    /// The director's password, as its argon2 hash.
    PasswordSet {
        /// The hash in its own text form.
        hash: String,
    },
    /// Whether anyone may look at the director's page.
    ReadingAllowed {
        /// Without the password.
        without_password: bool,
    },
    /// How loudly a check of the watchful base speaks from now on.
    CheckSet {
        /// Which.
        kind: crate::checks::Kind,
        /// How.
        attention: crate::checks::Attention,
    },
    /// What the clock on the wall shows.
    LocalTimeSet {
        /// Minutes ahead of universal time; less than 0 west of Greenwich.
        minutes_east: i16,
    },
    /// Results can be put right for so long after they were released.
    CorrectionPeriodSet {
        /// How long.
        hours: u16,
    },
    /// An older copy of the journal was opened: what came after it may be on the pads only.
    BackupOpened {
        /// When the copy was made.
        made: Moment,
    },
    /// A pad still had an entry of an earlier session; it waits there for the director.
    OldEntryKept {
        /// The earlier session.
        session: protocol::words::SessionId,
        /// The pad.
        pad: PadId,
        /// The table it was at.
        table: TableId,
        /// The board.
        board: BoardNumber,
    },
    /// A section was set up, or set up anew.
    SectionPlanned {
        /// Its letter.
        section: SectionLetter,
        /// Everything else.
        plan: SectionPlan,
    },
    /// There is no such section after all.
    SectionRemoved {
        /// Its letter.
        section: SectionLetter,
    },
    /// How it is scored.
    ScoringChosen(Scoring),
    /// How pads behave.
    SettingsChanged(#[serde(with = "stored::SettingsForm")] Settings),
    /// How long a round takes.
    TimingChosen(super::plan::Timing),
    /// The cards, from a deal file.
    DealsAttached {
        /// The file's name.
        file: String,
        /// One a board.
        #[serde(with = "stored::attached")]
        deals: Deals,
    },
    /// Double-dummy tricks and par of a board were found.
    DealAnalysed {
        /// The same cards, with what was found.
        #[serde(with = "stored::analysed")]
        record: HandRecord,
    },
    /// Pads may log on.
    Opened,
    /// Pads may (or may not) send.
    GateSet {
        /// Whether they may.
        open: bool,
    },
    /// Play is over; results can still be put right.
    PlayEnded,
    /// The result is published.
    Released,
    /// The result is taken back to be put right.
    Reopened {
        /// Why.
        why: String,
    },
    /// The director ended a round, at one table or in a whole section.
    RoundEnded {
        /// The section.
        section: SectionLetter,
        /// One table; `None` for all.
        table: Option<TableId>,
        /// The round that is over.
        round: RoundNumber,
    },
    /// The round clock starts.
    ClockStarted {
        /// For this round.
        round: RoundNumber,
        /// When the round is to end.
        ends: Moment,
    },
    /// The round clock stands still.
    ClockHeld {
        /// With this much left.
        left_ms: u64,
    },
    /// The clock goes on, or has another end.
    ClockGoesOn {
        /// When the round is to end now.
        ends: Moment,
    },
    /// A message for tables.
    NoticeSent {
        /// To these; empty for all.
        tables: Vec<TableId>,
        /// What they read.
        text: String,
    },
    /// A pad holds a table from now on.
    PadAdmitted {
        /// The pad.
        pad: PadId,
        /// The table.
        table: TableId,
        /// Its epoch there.
        epoch: protocol::words::Epoch,
        /// How it came.
        how: super::Admission,
        /// Its firmware.
        #[serde(with = "stored::FirmwareForm")]
        firmware: FirmwareVersion,
    },
    /// The pad gave its table up.
    PadLoggedOff {
        /// The pad.
        pad: PadId,
        /// The table.
        table: TableId,
    },
    /// The director freed a table of its pad.
    TableFreed {
        /// The table.
        table: TableId,
        /// The pad that had it.
        pad: PadId,
    },
    /// The pads of two tables had been mixed up: everything they entered changes places.
    PadsSwapped {
        /// One table.
        one: TableId,
        /// The other.
        other: TableId,
        /// The new epochs: of the pad that now holds `one`, and of the one that holds `other`.
        epochs: [protocol::words::Epoch; 2],
    },
    /// A pad had logged on at the wrong table: it and everything it entered there moves.
    PadMoved {
        /// The pad.
        pad: PadId,
        /// Where it was.
        from: TableId,
        /// Where it belongs.
        to: TableId,
        /// Its new epoch.
        epoch: protocol::words::Epoch,
    },
    /// A pad has not been heard for three check-ins.
    PadSilent {
        /// The pad.
        pad: PadId,
        /// Its table.
        table: TableId,
        /// Entries it had not sent when last heard.
        unsent: u8,
    },
    /// It is there again.
    PadHeardAgain {
        /// The pad.
        pad: PadId,
        /// Its table.
        table: TableId,
    },
    /// Its cells need changing.
    BatteryLow {
        /// The pad.
        pad: PadId,
        /// Its table.
        table: TableId,
        /// In units of 20 mV.
        battery_20_mv: u8,
    },
    /// The players want the director.
    DirectorCalled {
        /// At this table.
        table: TableId,
    },
    /// They don't any more, or the director has been there.
    CallSettled {
        /// At this table.
        table: TableId,
    },
    /// The players typed their numbers.
    PlayersSeated {
        /// The table.
        table: TableId,
        /// From this round on.
        round: RoundNumber,
        /// By seat from North clockwise.
        seats: [Option<PlayerNumber>; 4],
    },
    /// The players said which pairs they are.
    PairsSeen {
        /// The table.
        table: TableId,
        /// The round.
        round: RoundNumber,
        /// North-South.
        ns: Option<PairNumber>,
        /// East-West.
        ew: Option<PairNumber>,
    },
    /// The players want to enter a board that is not on their sheet.
    BoardWanted {
        /// Where, when, which.
        cell: Cell,
    },
    /// The director lets them.
    BoardAllowed {
        /// Where, when, which.
        cell: Cell,
    },
    /// A table's entry, agreed by its players.
    Entered {
        /// The table.
        table: TableId,
        /// The pad's epoch.
        epoch: protocol::words::Epoch,
        /// What they agreed.
        #[serde(with = "stored::EntryForm")]
        entry: Entry,
        /// The pad; the record's `who` may be a director who let it in later.
        pad: PadId,
    },
    /// An entry that changes nothing by itself: the director uses or ignores it.
    EntryKept {
        /// The table.
        table: TableId,
        /// The pad's epoch.
        epoch: protocol::words::Epoch,
        /// What was agreed.
        #[serde(with = "stored::EntryForm")]
        entry: Entry,
        /// The pad.
        pad: PadId,
        /// Why it did not count.
        #[serde(with = "stored::ReasonForm")]
        reason: RefusalReason,
    },
    /// The director lets a kept entry count.
    KeptEntryUsed {
        /// The record that kept it.
        kept: Seq,
    },
    /// The director does not want it.
    KeptEntryIgnored {
        /// The record that kept it.
        kept: Seq,
    },
    /// The director decided a line of a score sheet.
    Ruled {
        /// Which.
        cell: Cell,
        /// What.
        ruling: Ruling,
        /// The score that stood beside it on paper.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stated: Option<protocol::words::Score>,
        /// On what grounds a score that stood there was changed, where the director has said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grounds: Option<super::plan::Grounds>,
        /// Why.
        why: String,
    },
    /// Other pairs than the movement says played this.
    PairsCorrected {
        /// Which line.
        cell: Cell,
        /// Who sat North-South.
        ns: Option<PairId>,
        /// Who sat East-West.
        ew: Option<PairId>,
        /// Why.
        why: String,
    },
    /// A result belongs to another line.
    LineMoved {
        /// Where it stood.
        from: Cell,
        /// Where it belongs.
        to: Cell,
        /// Why.
        why: String,
    },
    /// Some tables played another form of a board.
    FouledSet {
        /// The section.
        section: SectionLetter,
        /// The board.
        board: BoardNumber,
        /// Lines, also of tables that have yet to play, and their form; the rest play form A.
        groups: Vec<(Cell, char)>,
        /// Where North-South or East-West are to blame for it; nobody else is.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        faults: Vec<(Cell, Fault, Fault)>,
        /// Why.
        why: String,
    },
    /// A penalty or a warning.
    Penalised {
        /// Whom.
        pair: PairId,
        /// How much.
        amount: PenaltyAmount,
        /// Why.
        why: String,
        /// Whether players may read why.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        public: bool,
    },
    /// The rest of a section's movement is another one.
    MovementChanged {
        /// The section.
        section: SectionLetter,
        /// From this round on; rounds before it stay as they were.
        from: RoundNumber,
        /// What it is called now.
        movement: String,
        /// The new sittings, of `from` and later.
        sittings: Vec<super::plan::Sitting>,
        /// Why.
        why: String,
    },
    /// Another movement from the first round on: what was played stays with those who played it.
    MovementRevised {
        /// The section.
        section: SectionLetter,
        /// The first round that differs from what was known.
        from: RoundNumber,
        /// What it is called now.
        movement: String,
        /// Every table in every round.
        sittings: Vec<super::plan::Sitting>,
        /// Pairs that go by another number, in earlier rounds too: old and new.
        renumbered: Vec<(PairId, PairId)>,
        /// Results that don't count, because the pairs had played the boards before.
        not_played: Vec<Cell>,
        /// Pairs that have gone home, by their new numbers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        gone: Vec<PairId>,
        /// What changes, in one sentence.
        what: String,
        /// What the director does in the room, in order.
        instructions: Vec<String>,
        /// Why.
        why: String,
    },
    /// A player of a pair has this name (and number) tonight.
    PlayerNamed {
        /// The pair.
        pair: PairId,
        /// Which of the two.
        partner: Partner,
        /// Number, where there is one.
        number: Option<PlayerNumber>,
        /// Name.
        name: String,
        /// From this round on: a substitute has a later round than 1.
        from: RoundNumber,
        /// With how many digits the number was typed, zeros in front included; 0 where nobody says.
        #[serde(default, skip_serializing_if = "super::connector::is_zero")]
        digits: u8,
    },
    /// An earlier change is taken back.
    Undone {
        /// Its record.
        change: Seq,
        /// Why.
        why: String,
    },
    /// The director has dealt with a warning of the watchful base.
    WarningAnswered {
        /// Which.
        warning: super::WarningId,
        /// What was decided.
        answer: super::Settled,
    },
    /// The club listens to other pads than before.
    TrustChanged(super::Trust),
    /// A pad wants a table whose pad works, and what the director says to it.
    Replacing(super::Replacing),
    /// Matches: set up, drawn, decided.
    Contest(super::ContestEvent),
    /// The journal was damaged, and this is what was saved of it.
    JournalRescued(super::Salvage),
    /// The director does not let a table enter a board that is not on its sheet.
    BoardRefused(Cell),
    /// What opens the director's menu on every pad, from now on.
    DirectorPinSet(#[serde(with = "stored::PinForm")] Pin),
    /// Something about a scoring program that works with the session.
    Connector(super::ConnectorEvent),
    /// What the club is called.
    ClubNamed(String),
    /// How results come to the base station tonight.
    WayChosen(super::plan::Way),
    /// Whether tables of a section may log on.
    SectionGateSet {
        /// Which.
        section: SectionLetter,
        /// They may.
        open: bool,
    },
    /// A competition over several sessions.
    Competition(super::CompetitionEvent),
    /// A round that was drawn over all rooms of a congress was taken for this one.
    RoundTaken(super::RoundTaken),
}
