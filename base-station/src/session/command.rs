//! What a director can ask for. As JSON it is what the page sends: `{"GateSet":{"open":false}}`.

use protocol::message::{HandRecord, Settings};
use protocol::words::{
    BoardNumber, BoardResult, PadId, PlayerNumber, RoundNumber, Score, SectionLetter, SessionId,
};
use serde::{Deserialize, Serialize};
use telling::Told;

use super::plan::{
    Deals, Fault, Grounds, Partner, PenaltyAmount, Ruling, Scoring, SectionPlan, Sitting, Timing,
    Way,
};
use super::{
    Cell, CompetitionCommand, ConnectorCommand, ContestCommand, EventId, Moment, PairId, Repair,
    Seq, Settled, TableId, Trust, WarningId,
};
use crate::checks::{Attention, Kind};

/// Everything a director can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::large_enum_variant,
    reason = "one command at a time is on its way"
)]
pub enum Command {
    // -- Calendar and club -----------------------------------------------------------------
    /// A new event in the calendar, with its first session.
    CreateEvent {
        /// Its name.
        name: String,
        /// The day of its first session, as 2026-11-16.
        date: String,
        /// What people call that session; may be empty.
        title: String,
    },
    /// Another name for an event.
    RenameEvent {
        /// Which.
        event: EventId,
        /// The new name.
        name: String,
    },
    /// One more session of an event.
    AddSession {
        /// Of this event.
        event: EventId,
        /// The day.
        date: String,
        /// What people call it; may be empty.
        title: String,
    },
    /// Another name or another day for a session.
    RenameSession {
        /// Which.
        session: SessionId,
        /// The day.
        date: String,
        /// What people call it; may be empty.
        title: String,
    },
    /// Work with this session from now on.
    ChooseSession {
        /// Which.
        session: SessionId,
    },
    /// Take in a list of players.
    ListMembers {
        /// Number and name.
        members: Vec<(PlayerNumber, String)>,
        /// With how many digits those numbers are written that have zeros in front.
        #[serde(default)]
        digits: Vec<(PlayerNumber, u8)>,
    },
    /// Put a misspelt name right for good.
    RenameMember {
        /// Whose.
        number: PlayerNumber,
        /// The right name.
        name: String,
    },
    /// Say what the club is called.
    NameClub {
        /// As on sheets and in files.
        name: String,
    },
    /// Choose the number that opens the director's menu on every pad.
    SetDirectorPin {
        /// Four digits.
        pin: protocol::message::Pin,
    },
    /// Another password for the director's page, as its argon2 hash.
    SetPassword {
        /// The hash in its own text form.
        hash: String,
    },
    /// Let people look without the password, or not.
    AllowReading {
        /// Whether they may.
        without_password: bool,
    },
    /// Let a check of the watchful base speak up, be quiet, or be off.
    SetCheck {
        /// Which.
        kind: Kind,
        /// How.
        attention: Attention,
    },
    /// Say what the clock on the wall shows.
    SetLocalTime {
        /// Minutes ahead of universal time; less than 0 west of Greenwich.
        minutes_east: i16,
    },
    /// Choose for how long results can be put right after their release.
    SetCorrectionPeriod {
        /// How long.
        hours: u16,
    },
    /// Say that this journal is a backup that goes on as the real one.
    OpenBackup {
        /// When it was made.
        made: Moment,
    },

    // -- Setting up ------------------------------------------------------------------------
    /// Set a section up, or anew.
    PlanSection {
        /// Its letter.
        section: SectionLetter,
        /// Everything else.
        plan: SectionPlan,
    },
    /// Drop a section.
    RemoveSection {
        /// Its letter.
        section: SectionLetter,
    },
    /// Choose how it is scored.
    ChooseScoring(Scoring),
    /// Change how pads behave, at any time.
    ChangeSettings(Settings),
    /// Choose how long rounds take.
    ChooseTiming(Timing),
    /// Let the tables of a section log on, or not yet.
    SetSectionGate {
        /// Which.
        section: SectionLetter,
        /// They may.
        open: bool,
    },
    /// Choose how results come to the base station.
    ChooseWay(Way),
    /// Attach the cards.
    AttachDeals {
        /// The file's name.
        file: String,
        /// One a board.
        deals: Deals,
    },

    /// Tricks and par of a board were found.
    AnalyseDeal {
        /// The same cards, with what was found.
        record: HandRecord,
    },

    // -- The evening -----------------------------------------------------------------------
    /// Let pads log on.
    Open,
    /// Stop or start the pads.
    SetGate {
        /// Whether they may send.
        open: bool,
    },
    /// Play is over.
    EndPlay,
    /// Publish the result.
    Release {
        /// Even though the checklist has open points.
        despite_checklist: bool,
    },
    /// Take the result back to put it right.
    Reopen {
        /// Why.
        why: String,
    },
    /// End a round at one table or in a section.
    EndRound {
        /// The section.
        section: SectionLetter,
        /// One table; `None` for all.
        table: Option<TableId>,
        /// Which round.
        round: RoundNumber,
    },
    /// Start the clock of a round.
    StartClock {
        /// Which round.
        round: RoundNumber,
    },
    /// Stop the clock.
    HoldClock,
    /// Let it go on.
    ResumeClock,
    /// Give the room more time (or less).
    AddMinutes {
        /// How many.
        minutes: i8,
    },
    /// Say something to tables.
    SendNotice {
        /// To these; empty for all.
        tables: Vec<TableId>,
        /// What.
        text: String,
    },

    // -- Pads --------------------------------------------------------------------------------
    /// Free a table of its pad, so that another can log on.
    FreeTable {
        /// Which.
        table: TableId,
    },
    /// Two tables' pads had been mixed up.
    SwapPads {
        /// One table.
        one: TableId,
        /// The other.
        other: TableId,
    },
    /// A pad had logged on at the wrong table.
    MovePad {
        /// Where it is.
        from: TableId,
        /// Where it belongs.
        to: TableId,
    },
    /// The director has been at the table.
    SettleCall {
        /// Which.
        table: TableId,
    },
    /// Let a table enter a board that is not on its sheet.
    AllowBoard {
        /// Where, when, which.
        cell: Cell,
    },
    /// Don't: the table's pad says so.
    RefuseBoard {
        /// Where, when, which.
        cell: Cell,
    },

    // -- Results -----------------------------------------------------------------------------
    /// Decide a line: correct it, put it in, adjust it, call it a late play, take it away.
    Rule {
        /// Which.
        cell: Cell,
        /// What.
        ruling: Ruling,
        /// Why; may be empty for a plain correction.
        why: String,
    },
    /// Change the result of a line, and say on what grounds.
    ChangeResult {
        /// Which.
        cell: Cell,
        /// What.
        ruling: Ruling,
        /// Who was asked, or why nobody had to be.
        grounds: Grounds,
        /// Why; may be empty.
        why: String,
    },
    /// Put in a line from paper.
    TypeIn {
        /// Which.
        cell: Cell,
        /// What.
        ruling: Ruling,
    },
    /// Put in a line from paper, with the score that is written there.
    WriteIn {
        /// Which.
        cell: Cell,
        /// The contract and its result.
        result: BoardResult,
        /// North-South's score as it is written.
        stated: Score,
    },
    /// Say who really played a board.
    CorrectPairs {
        /// Which line.
        cell: Cell,
        /// Who sat North-South.
        ns: Option<PairId>,
        /// Who sat East-West.
        ew: Option<PairId>,
        /// Why.
        why: String,
    },
    /// The pairs of this line sat the other way round.
    TurnLine {
        /// Which.
        cell: Cell,
        /// Why.
        why: String,
    },
    /// A result was entered for the wrong board, round or table.
    MoveLine {
        /// Where it stands.
        from: Cell,
        /// Where it belongs.
        to: Cell,
        /// Why.
        why: String,
    },
    /// Some tables played another form of a board.
    SetFouled {
        /// The section.
        section: SectionLetter,
        /// The board.
        board: BoardNumber,
        /// Lines and the letter of their form, also of tables that have yet to play; all others
        /// play form A.
        groups: Vec<(Cell, char)>,
        /// Where North-South or East-West are to blame; nobody else is.
        faults: Vec<(Cell, Fault, Fault)>,
        /// Why.
        why: String,
    },
    /// A penalty or a warning.
    Penalise {
        /// Whom.
        pair: PairId,
        /// How much.
        amount: PenaltyAmount,
        /// Why.
        why: String,
        /// Whether players may read why.
        public: bool,
    },
    /// Let a kept entry count.
    UseKept {
        /// The record that kept it.
        kept: Seq,
    },
    /// Don't.
    IgnoreKept {
        /// The record that kept it.
        kept: Seq,
    },
    /// Take an earlier change back.
    Undo {
        /// Its record.
        change: Seq,
        /// Why.
        why: String,
    },
    /// Settle a warning of the watchful base.
    AnswerWarning {
        /// Which.
        warning: WarningId,
        /// What was decided.
        answer: Settled,
    },

    // -- Movement and names ------------------------------------------------------------------
    /// Another movement for the rest of a section's evening.
    ChangeMovement {
        /// The section.
        section: SectionLetter,
        /// From this round on.
        from: RoundNumber,
        /// What it is called.
        movement: String,
        /// All sittings of `from` and later.
        sittings: Vec<Sitting>,
        /// What the director does in the room, in order.
        instructions: Vec<String>,
        /// Why.
        why: String,
    },
    /// Put the movement right, or let somebody in or out, while it is being played.
    ReviseMovement {
        /// The section.
        section: SectionLetter,
        /// What has to change.
        repair: Repair,
        /// Why.
        why: String,
    },
    /// Name a player, a substitute or a visitor for tonight.
    NamePlayer {
        /// The pair.
        pair: PairId,
        /// Which of the two.
        partner: Partner,
        /// Number, where there is one.
        number: Option<PlayerNumber>,
        /// Name; empty to take it from the club's list.
        name: String,
        /// From this round on.
        from: RoundNumber,
        /// With how many digits the number is written, zeros in front included; 0 where nobody says.
        digits: u8,
    },

    // -- Trust -------------------------------------------------------------------------------
    /// Listen to a pad no more, or again; take pads of wire version 1, or not.
    ChangeTrust(Trust),
    /// Let a pad have a table whose own pad works, or not.
    AnswerReplace {
        /// The table.
        table: TableId,
        /// The pad that asks for it.
        pad: PadId,
        /// Yes or no.
        allowed: bool,
    },
    /// Something about matches.
    Contest(ContestCommand),
    /// Something about a scoring program that works with the session.
    Connector(ConnectorCommand),
    /// Something about a competition over several sessions.
    Competition(CompetitionCommand),
    /// Take a round that was drawn over all rooms of a congress.
    TakeRound(super::LedRound),
    /// Several of these in order: all are done, or none is.
    Together(Vec<Self>),
}

impl Command {
    /// The same, with what the results that it changes rest on.
    #[must_use]
    pub fn on_grounds(self, grounds: Grounds) -> Self {
        match self {
            Self::Rule { cell, ruling, why } => Self::ChangeResult {
                cell,
                ruling,
                grounds,
                why,
            },
            Self::Together(commands) => {
                let commands = commands.into_iter();
                Self::Together(commands.map(|one| one.on_grounds(grounds)).collect())
            }
            other => other,
        }
    }
}

/// Why a command is refused, for the director.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub Told);

impl Refused {
    /// For this reason.
    pub fn because(why: impl Into<Told>) -> Self {
        Self(why.into())
    }
}
