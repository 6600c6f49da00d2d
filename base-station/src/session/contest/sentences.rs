//! What happened to matches, in a sentence for the history.

use contest::ContestantNumber;
use contest::draw::Method;
use contest::offence::Offence;
use protocol::words::{RoundNumber, SectionLetter};

use super::{ContestEvent, DrawAsked, TieBreak};
use crate::session::TableId;
use telling::{Told, tell};

impl ContestEvent {
    /// What happened, in a sentence, and why.
    pub fn sentence(&self) -> (Told, &str) {
        (self.told(), self.why())
    }

    fn told(&self) -> Told {
        match self {
            Self::Planned { section, plan } => tell!(Contest::SectionPlaysMatchesRounds {
                section,
                name: plan.name,
                rounds: plan.rounds,
                boards: plan.boards
            }),
            Self::Drawn {
                section,
                round,
                asked,
                ..
            } => drawn(*section, *round, asked),
            Self::Decided {
                section,
                round,
                table,
                ..
            } => tell!(Contest::SectionMatchRoundDecided {
                section,
                table,
                round
            }),
            Self::Withdrawn {
                section,
                contestant,
                from,
                ..
            } => tell!(Contest::SectionPlaysNoMore {
                section,
                who: contestant,
                round: from
            }),
            Self::SlipAccepted {
                section,
                round,
                table,
                ..
            } => tell!(Contest::SlipAccepted {
                table: TableId {
                    section: *section,
                    table: *table
                },
                round
            }),
            Self::EarlierTaken { section, .. } => tell!(Contest::EarlierNightsNow { section }),
            Self::Offended {
                section,
                contestant,
                offence,
            } => offended(*section, *contestant, *offence),
            Self::PlayedOtherwise { section, round, .. } => {
                tell!(Contest::OthersMetRound { section, round })
            }
            Self::BoardReplaced {
                section,
                round,
                table,
                board,
                with,
                ..
            } => tell!(Contest::BoardReplaced {
                section,
                with,
                board,
                table,
                round
            }),
            Self::Appealed { section, appeal } => tell!(Contest::AppealsAboutMatch {
                section,
                who: appeal.by,
                table: appeal.table,
                round: appeal.round
            }),
            Self::AppealSettled { section, .. } => tell!(Contest::AppealWasSettled { section }),
            Self::TieBroken {
                section, order, by, ..
            } => separated(*section, order, *by),
            Self::PlayOff {
                section,
                boards,
                first_board,
                ..
            } => tell!(Contest::PlayOffAdded {
                section,
                n: boards,
                first: first_board
            }),
            Self::Joined {
                section,
                contestant,
                from,
                ..
            } => tell!(Contest::PlaysFrom {
                section,
                who: contestant.number,
                round: from
            }),
        }
    }

    fn why(&self) -> &str {
        match self {
            Self::Drawn { why, .. }
            | Self::Decided { why, .. }
            | Self::Withdrawn { why, .. }
            | Self::PlayedOtherwise { why, .. }
            | Self::BoardReplaced { why, .. }
            | Self::TieBroken { why, .. }
            | Self::PlayOff { why, .. }
            | Self::Joined { why, .. } => why,
            Self::Appealed { appeal, .. } => &appeal.about,
            Self::AppealSettled { outcome, .. } => outcome,
            Self::Planned { .. }
            | Self::SlipAccepted { .. }
            | Self::EarlierTaken { .. }
            | Self::Offended { .. } => "",
        }
    }
}

fn separated(section: SectionLetter, order: &[ContestantNumber], by: TieBreak) -> Told {
    match by {
        TieBreak::Lot { seed } => tell!(Contest::LotDrawn {
            section,
            // As it is typed to draw the lot again.
            seed: seed.to_string(),
            order
        }),
        TieBreak::PlayOff => tell!(Contest::PlayOffDecided { section, order }),
    }
}

fn offended(section: SectionLetter, contestant: ContestantNumber, offence: Offence) -> Told {
    match offence {
        Offence::Late { minutes, .. } => {
            tell!(Contest::CameLate {
                section,
                who: contestant,
                n: minutes
            })
        }
        Offence::Slow { boards, .. } => tell!(Contest::BoardsTaken {
            section,
            n: boards,
            who: contestant
        }),
        Offence::Score => {
            tell!(Contest::ScoreLeftOut {
                section,
                who: contestant
            })
        }
        Offence::Telephone => {
            tell!(Contest::TelephoneWasOn {
                section,
                who: contestant
            })
        }
        Offence::LineUp => {
            tell!(Contest::LineUpLate {
                section,
                who: contestant
            })
        }
        Offence::Fouled { .. } => {
            tell!(Contest::FouledBoard {
                section,
                who: contestant
            })
        }
        Offence::Substitute { .. } => {
            tell!(Contest::WithSubstitute {
                section,
                who: contestant
            })
        }
        Offence::Yellow => {
            tell!(Contest::PlaysYellow {
                section,
                who: contestant
            })
        }
        Offence::Psyche { .. } => {
            tell!(Contest::PsychedWrongly {
                section,
                who: contestant
            })
        }
    }
}

/// A draw, and what the director wished of it.
fn drawn(section: SectionLetter, round: RoundNumber, asked: &DrawAsked) -> Told {
    if asked.by_hand {
        return tell!(Contest::SectionRoundDrawnHand { section, round });
    }
    if asked.certain_only {
        return tell!(Contest::SectionRoundDrawnEarly { section, round });
    }
    if asked.drop_ins {
        return tell!(Contest::SectionRoundDrawnNew { section, round });
    }
    match asked.method {
        Some(Method::Swiss) => tell!(Contest::SectionRoundDrawnSwiss { section, round }),
        Some(Method::Classical) => tell!(Contest::SectionRoundDrawnClassical { section, round }),
        Some(Method::Danish) => tell!(Contest::SectionRoundDrawnDanish { section, round }),
        None => tell!(Contest::SectionRoundDrawn { section, round }),
    }
}
