//! What commands and events concern, as patterns: `club_events!()` stands for every event of the
//! club, wherever a `match` may have a pattern.
//!
//! Each place that deals with one group names the other groups by these patterns and never with
//! `_`. So a new command or event is named by the compiler everywhere until it is in a group here
//! and has an arm in each place that deals with its group.

/// Commands about the calendar, the list of players and the page itself.
macro_rules! club_commands {
    () => {
        $crate::session::Command::CreateEvent { .. }
            | $crate::session::Command::RenameEvent { .. }
            | $crate::session::Command::AddSession { .. }
            | $crate::session::Command::RenameSession { .. }
            | $crate::session::Command::ChooseSession { .. }
            | $crate::session::Command::ListMembers { .. }
            | $crate::session::Command::RenameMember { .. }
            | $crate::session::Command::NameClub { .. }
            | $crate::session::Command::SetDirectorPin { .. }
            | $crate::session::Command::SetPassword { .. }
            | $crate::session::Command::AllowReading { .. }
            | $crate::session::Command::SetCheck { .. }
            | $crate::session::Command::SetLocalTime { .. }
            | $crate::session::Command::SetCorrectionPeriod { .. }
            | $crate::session::Command::OpenBackup { .. }
            | $crate::session::Command::ChangeTrust(_)
            | $crate::session::Command::Connector(_)
            | $crate::session::Command::Competition(_)
            | $crate::session::Command::Together(_)
    };
}

/// Commands from setting up to releasing the result.
macro_rules! evening_commands {
    () => {
        $crate::session::Command::PlanSection { .. }
            | $crate::session::Command::RemoveSection { .. }
            | $crate::session::Command::ChooseScoring(_)
            | $crate::session::Command::ChangeSettings(_)
            | $crate::session::Command::ChooseTiming(_)
            | $crate::session::Command::ChooseWay(_)
            | $crate::session::Command::SetSectionGate { .. }
            | $crate::session::Command::AttachDeals { .. }
            | $crate::session::Command::AnalyseDeal { .. }
            | $crate::session::Command::Open
            | $crate::session::Command::SetGate { .. }
            | $crate::session::Command::EndPlay
            | $crate::session::Command::Release { .. }
            | $crate::session::Command::Reopen { .. }
            | $crate::session::Command::EndRound { .. }
            | $crate::session::Command::StartClock { .. }
            | $crate::session::Command::HoldClock
            | $crate::session::Command::ResumeClock
            | $crate::session::Command::AddMinutes { .. }
            | $crate::session::Command::SendNotice { .. }
            | $crate::session::Command::AnswerWarning { .. }
    };
}

/// Commands about pads and tables.
macro_rules! pad_commands {
    () => {
        $crate::session::Command::FreeTable { .. }
            | $crate::session::Command::SwapPads { .. }
            | $crate::session::Command::MovePad { .. }
            | $crate::session::Command::SettleCall { .. }
            | $crate::session::Command::AllowBoard { .. }
            | $crate::session::Command::AnswerReplace { .. }
            | $crate::session::Command::RefuseBoard { .. }
    };
}

/// Commands about results.
macro_rules! result_commands {
    () => {
        $crate::session::Command::Rule { .. }
            | $crate::session::Command::ChangeResult { .. }
            | $crate::session::Command::TypeIn { .. }
            | $crate::session::Command::WriteIn { .. }
            | $crate::session::Command::CorrectPairs { .. }
            | $crate::session::Command::TurnLine { .. }
            | $crate::session::Command::MoveLine { .. }
            | $crate::session::Command::SetFouled { .. }
            | $crate::session::Command::Penalise { .. }
            | $crate::session::Command::UseKept { .. }
            | $crate::session::Command::IgnoreKept { .. }
            | $crate::session::Command::Undo { .. }
    };
}

/// Commands that change who sits where, and who they are.
macro_rules! movement_commands {
    () => {
        $crate::session::Command::ChangeMovement { .. }
            | $crate::session::Command::ReviseMovement { .. }
            | $crate::session::Command::NamePlayer { .. }
            | $crate::session::Command::Contest(_)
            | $crate::session::Command::TakeRound(_)
    };
}

/// Events of the club's own history; all others belong to one session.
macro_rules! club_events {
    () => {
        $crate::session::Event::EventCreated { .. }
            | $crate::session::Event::EventRenamed { .. }
            | $crate::session::Event::SessionAdded { .. }
            | $crate::session::Event::SessionRenamed { .. }
            | $crate::session::Event::SessionChosen { .. }
            | $crate::session::Event::MembersListed { .. }
            | $crate::session::Event::MemberRenamed { .. }
            | $crate::session::Event::EpochGiven { .. }
            | $crate::session::Event::PasswordSet { .. }
            | $crate::session::Event::ReadingAllowed { .. }
            | $crate::session::Event::CheckSet { .. }
            | $crate::session::Event::LocalTimeSet { .. }
            | $crate::session::Event::CorrectionPeriodSet { .. }
            | $crate::session::Event::BackupOpened { .. }
            | $crate::session::Event::OldEntryKept { .. }
            | $crate::session::Event::TrustChanged(_)
            | $crate::session::Event::JournalRescued { .. }
            | $crate::session::Event::DirectorPinSet(_)
            | $crate::session::Event::ClubNamed(_)
            | $crate::session::Event::Competition(_)
            | $crate::session::Event::Connector(
                $crate::session::ConnectorEvent::Linked { .. }
                    | $crate::session::ConnectorEvent::Switched { .. },
            )
    };
}

/// Events from setting up to the released result, with movement and names.
macro_rules! evening_events {
    () => {
        $crate::session::Event::SectionPlanned { .. }
            | $crate::session::Event::SectionRemoved { .. }
            | $crate::session::Event::ScoringChosen(_)
            | $crate::session::Event::SettingsChanged(_)
            | $crate::session::Event::TimingChosen(_)
            | $crate::session::Event::WayChosen(_)
            | $crate::session::Event::SectionGateSet { .. }
            | $crate::session::Event::DealsAttached { .. }
            | $crate::session::Event::DealAnalysed { .. }
            | $crate::session::Event::Opened
            | $crate::session::Event::GateSet { .. }
            | $crate::session::Event::PlayEnded
            | $crate::session::Event::Released
            | $crate::session::Event::Reopened { .. }
            | $crate::session::Event::RoundEnded { .. }
            | $crate::session::Event::ClockStarted { .. }
            | $crate::session::Event::ClockHeld { .. }
            | $crate::session::Event::ClockGoesOn { .. }
            | $crate::session::Event::NoticeSent { .. }
            | $crate::session::Event::MovementChanged { .. }
            | $crate::session::Event::MovementRevised { .. }
            | $crate::session::Event::PlayerNamed { .. }
            | $crate::session::Event::Contest(_)
            | $crate::session::Event::RoundTaken(_)
            | $crate::session::Event::Connector($crate::session::ConnectorEvent::Accepted { .. })
    };
}

/// Events of pads and tables.
macro_rules! pad_events {
    () => {
        $crate::session::Event::PadAdmitted { .. }
            | $crate::session::Event::PadLoggedOff { .. }
            | $crate::session::Event::TableFreed { .. }
            | $crate::session::Event::PadsSwapped { .. }
            | $crate::session::Event::PadMoved { .. }
            | $crate::session::Event::PadSilent { .. }
            | $crate::session::Event::PadHeardAgain { .. }
            | $crate::session::Event::BatteryLow { .. }
            | $crate::session::Event::DirectorCalled { .. }
            | $crate::session::Event::CallSettled { .. }
            | $crate::session::Event::PlayersSeated { .. }
            | $crate::session::Event::PairsSeen { .. }
            | $crate::session::Event::BoardWanted { .. }
            | $crate::session::Event::Replacing(_)
            | $crate::session::Event::BoardAllowed { .. }
            | $crate::session::Event::BoardRefused(_)
    };
}

/// Events that concern results, with penalties, undoing and answers to warnings.
macro_rules! result_events {
    () => {
        $crate::session::Event::Entered { .. }
            | $crate::session::Event::EntryKept { .. }
            | $crate::session::Event::KeptEntryUsed { .. }
            | $crate::session::Event::KeptEntryIgnored { .. }
            | $crate::session::Event::Ruled { .. }
            | $crate::session::Event::PairsCorrected { .. }
            | $crate::session::Event::LineMoved { .. }
            | $crate::session::Event::FouledSet { .. }
            | $crate::session::Event::Penalised { .. }
            | $crate::session::Event::Undone { .. }
            | $crate::session::Event::WarningAnswered { .. }
    };
}

/// Events of matches that go as they were drawn; the others set right what went wrong.
macro_rules! regular_contest_events {
    () => {
        $crate::session::ContestEvent::Planned { .. }
            | $crate::session::ContestEvent::Drawn { .. }
            | $crate::session::ContestEvent::Decided { .. }
            | $crate::session::ContestEvent::Withdrawn { .. }
            | $crate::session::ContestEvent::SlipAccepted { .. }
            | $crate::session::ContestEvent::EarlierTaken { .. }
            | $crate::session::ContestEvent::Offended { .. }
            | $crate::session::ContestEvent::Joined { .. }
            | $crate::session::ContestEvent::TieBroken { .. }
            | $crate::session::ContestEvent::PlayOff { .. }
    };
}

pub(in crate::session) use {
    club_commands, evening_commands, movement_commands, pad_commands, regular_contest_events,
    result_commands,
};
pub(crate) use {club_events, evening_events, pad_events, result_events};
