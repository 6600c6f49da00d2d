//! What each warning says, and each button under it: the words of the watch, in one place.

mod mistakes;

use protocol::words::{PairNumber, SectionLetter, Side, TableNumber};
use telling::{Decimal, Letter, Pair, Part, Told, tell};

use self::mistakes::{happened, put_right};
use super::line::result_text;
use super::pads::pad_name;
use crate::checks::{Finding, FindingId, PassedBecause, Remedy, What, WrittenFault};
use crate::session::MatchFinding;
use crate::watch::{Answer, Cause, KeptBecause};

/// What is wrong and what to do.
pub(super) fn sentence(cause: &Cause) -> Told {
    match cause {
        Cause::ReplaceAsked { table, pad } => tell!(Finding::PadWantsTakeOver {
            name: pad_name(*pad),
            table
        }),
        Cause::ReplaceAdvised { table, boards } => tell!(Finding::TableBoardsNotArrived {
            table,
            board: boards
        }),
        Cause::PadSilent {
            table,
            minutes,
            unsent,
        } => {
            let mut told = vec![tell!(Finding::PadTableNotBeen { table, n: minutes })];
            if *unsent > 0 {
                told.push(tell!(Finding::StillHadResultsSend { n: unsent }));
            }
            told.push(tell!(Finding::WakeWithAnyKey));
            Told::sentences(told)
        }
        Cause::BoardMissing(cell) => tell!(Finding::TableBoardRoundNot {
            table: cell.table_id(),
            board: cell.board,
            round: cell.round
        }),
        Cause::LostWithPad {
            table,
            round,
            boards,
        } => tell!(Finding::TableWhosePadReplaced {
            table,
            round,
            boards
        }),
        Cause::EntryKept { cell, result, why } => tell!(Finding::TableBoardRoundWaits {
            table: cell.table_id(),
            board: cell.board,
            round: cell.round,
            result: result_text(*result),
            why: kept_because(*why)
        }),
        Cause::BoardWanted(cell) => tell!(Finding::TableWantsEnterBoard {
            table: cell.table_id(),
            board: cell.board,
            round: cell.round
        }),
        Cause::OtherPairs {
            table,
            round,
            said: [ns, ew],
            planned: [planned_ns, planned_ew],
        } => {
            let rest = tell!(Finding::PlayersSayTheyAgainst {
                ns: or_nobody(table.section, Side::NorthSouth, *ns),
                ew: or_nobody(table.section, Side::EastWest, *ew),
                pns: or_nobody(table.section, Side::NorthSouth, *planned_ns),
                pew: or_nobody(table.section, Side::EastWest, *planned_ew)
            });
            Told::sentences([
                tell!(Finding::TableRound { table, round, rest }),
                tell!(Finding::TheyGoneWrongTable),
            ])
        }
        Cause::SamePlayer {
            number,
            name,
            pairs,
        } => {
            let pairs = pairs.clone();
            let entered = match name {
                Some(name) => tell!(Finding::PlayerNumberNamedEnteredAt {
                    n: number,
                    name,
                    pairs
                }),
                None => tell!(Finding::PlayerNumberEnteredAt { n: number, pairs }),
            };
            Told::sentences([entered, tell!(Finding::AskWhichRightCorrect)])
        }
        Cause::BatteryLow { table } => tell!(Finding::PadTableRunsLow { table }),
        Cause::InMatch(finding) => in_match(finding),
        Cause::Found(finding) => Told::sentences([
            found(finding),
            tell!(Finding::Sure {
                n: finding.confidence.get()
            }),
        ]),
    }
}

/// What looks wrong about a match, and where to look.
pub(super) fn in_match(finding: &MatchFinding) -> Told {
    match finding {
        MatchFinding::Strangers(cell) => tell!(Contest::NotPlayedByTwo { cell }),
        MatchFinding::SameWay(cell) => tell!(Contest::NothingToCompare { board: cell.board }),
        MatchFinding::Swing(cell, imps) => tell!(Contest::Swing {
            board: cell.board,
            n: Decimal::as_it_is(imps.to_f64())
        }),
        MatchFinding::Half(cell) => tell!(Contest::OnlyBoardMissing {
            board: cell.board,
            table: cell.table
        }),
        MatchFinding::OtherSet(cell) => tell!(Contest::AnotherSet { cell }),
    }
}

fn kept_because(why: KeptBecause) -> Told {
    match why {
        KeptBecause::Replaced => tell!(Finding::PadReplacedStillHeld),
        KeptBecause::RoundOver => tell!(Finding::RoundOverWhenPlayers),
        KeptBecause::NotOnSheet => tell!(Finding::BoardNotTablesSheet),
        KeptBecause::Otherwise => tell!(Finding::CouldNotTakenBy),
    }
}

/// The pair of this number that sits, or should sit, in these seats of a section.
pub(super) fn or_nobody(section: SectionLetter, side: Side, pair: Option<PairNumber>) -> Part {
    let named = |number| {
        Part::Pair(Pair {
            section: Some(section),
            side: Some(side),
            number,
        })
    };
    pair.map_or_else(|| tell!(Game::Nobody).into(), named)
}

/// What a check has found.
#[expect(
    clippy::too_many_lines,
    reason = "a sentence for every cause, one after the other"
)]
fn found(finding: &Finding) -> Told {
    let FindingId {
        section,
        table,
        round,
        board,
        ..
    } = finding.id;
    let vulnerable = board.map(protocol::words::BoardNumber::vulnerability);
    let vulnerable = vulnerable.map_or_else(|| Part::from(Told::nothing()), Part::from);
    let written = |it: Option<String>| it.unwrap_or_default();
    let table = written(table.map(|it| it.to_string()));
    let round = written(round.map(|it| it.to_string()));
    let board = written(board.map(|it| it.to_string()));
    let line = |rest: Told| tell!(Finding::TableBoard { table, board, rest });
    let in_round = |rest: Told| tell!(Finding::TableRound { table, round, rest });
    match &finding.what {
        What::LeadNotHeld {
            lead,
            contract,
            holder,
            declarer_first,
        } => {
            let declarer = contract.declarer;
            let whose = if *holder == declarer {
                tell!(Finding::DeclarersOwnCard)
            } else if *holder == declarer.partner() {
                tell!(Finding::DummysCard)
            } else {
                tell!(Finding::Card { seat: holder })
            };
            let verdict = if *declarer_first {
                tell!(Finding::ProbablyDeclaredNot {
                    one: holder.right(),
                    other: declarer
                })
            } else {
                tell!(Finding::ProbablyLeadTypedWrongly)
            };
            let entered = tell!(Finding::EnteredAsLeadAgainst {
                lead,
                contract,
                declarer,
                leader: contract.leader()
            });
            Told::sentences([line(entered), tell!(Finding::ItIs { whose, verdict })])
        }
        What::Written { stated, fault } => {
            let why = match fault {
                WrittenFault::Impossible => tell!(Finding::NoContractGivesScore),
                WrittenFault::Vulnerability => {
                    tell!(Finding::ScoreNeedsAnotherVulnerability { third: vulnerable })
                }
                WrittenFault::NotThisContract { gives, .. } => {
                    tell!(Finding::ContractGivesWithVulnerable {
                        score: gives.to_string(),
                        third: vulnerable
                    })
                }
            };
            line(tell!(Finding::WrittenBut {
                score: stated.to_string(),
                why
            }))
        }
        What::WrongSide {
            contract,
            tricks,
            suspect,
        } => line(tell!(Finding::ByWithTricksFits {
            contract,
            declarer: contract.declarer,
            n: tricks.to_string(),
            other: suspect
        })),
        What::TricksOfOtherSide {
            contract,
            tricks,
            probably,
        } => line(tell!(Finding::TricksByFarFrom {
            contract,
            declarer: contract.declarer,
            n: tricks.to_string(),
            most: probably.to_string(),
            rest: tricks.to_string()
        })),
        What::MissingDouble {
            contract,
            elsewhere,
        } => {
            let tables = tell!(Finding::OtherTables { tables: elsewhere });
            let failed = tell!(Finding::ByFailedNotDoubled {
                contract,
                declarer: contract.declarer,
                tables
            });
            Told::sentences([line(failed), tell!(Finding::DoubleForgotten)])
        }
        What::NotPlayedWasPassedOut(why) => {
            let why = match why {
                PassedBecause::Elsewhere(tables) => {
                    tell!(Finding::PassedOutAtOther {
                        passed_elsewhere: tables
                    })
                }
                PassedBecause::NobodyOpens => tell!(Finding::NobodyHoldsClearOpening),
                PassedBecause::TimeForMore => tell!(Finding::TableHadTimeBoards),
            };
            tell!(Finding::TableBoardEnteredAs { table, board, why })
        }
        What::PassedOutWasNotPlayed { opener } => tell!(Finding::TableBoardEnteredAsPassed {
            table,
            board,
            seat: opener
        }),
        What::BoardNotHere { due, owner } => {
            let place = match owner {
                Some(owner) => tell!(Finding::BelongsAtTableRound {
                    owner: owner.to_string()
                }),
                None => tell!(Finding::AtNoTableRound),
            };
            in_round(tell!(Finding::BoardCameButBoards {
                board,
                due: due.to_string(),
                place
            }))
        }
        What::BoardTwice { same, before } => {
            let same = if *same {
                tell!(Finding::WithSameResult)
            } else {
                tell!(Finding::WithAnotherResult)
            };
            tell!(Finding::TableEnteredBoardRound {
                table,
                board,
                round,
                same,
                earlier: before.to_string()
            })
        }
        What::PairPlayedAlready {
            pair,
            round: there,
            table: at,
        } => Told::sentences([
            line(tell!(Finding::PairPlayedBoardAlready {
                pair: Pair {
                    section: Some(section),
                    side: pair.line,
                    number: pair.number
                },
                round: there.to_string(),
                table: at.to_string()
            })),
            tell!(Finding::EitherBoardNumberWrong),
        ]),
        What::BoardsExchanged { with } => tell!(Finding::TableResultsBoardsFit {
            table,
            board,
            other: with.to_string()
        }),
        What::BoardsShifted { due, by } => {
            let way = if *by > 0 {
                tell!(Finding::High)
            } else {
                tell!(Finding::Low)
            };
            in_round(tell!(Finding::BoardsDueHereBut {
                due: due.to_string(),
                n: by.unsigned_abs(),
                way
            }))
        }
        What::TableBehind { boards } => tell!(Finding::TableBoardsBehindMiddle {
            table,
            n: boards.to_string()
        }),
        What::PadsSwapped { one, other } => tell!(Finding::TablesSeemEachOthers {
            one: one.to_string(),
            other: other.to_string()
        }),
        What::OtherPairs {
            planned,
            seen,
            belongs,
        } => {
            let name = |side, pair: Option<PairNumber>| or_nobody(section, side, pair);
            let ns = name(Side::NorthSouth, planned.ns);
            let ew = name(Side::EastWest, planned.ew);
            let seen_ns = name(Side::NorthSouth, seen.ns);
            let seen_ew = name(Side::EastWest, seen.ew);
            in_round(match belongs {
                None => tell!(Finding::ExpectedPairsBut {
                    ns,
                    ew,
                    seen_ns,
                    seen_ew
                }),
                Some(place) => tell!(Finding::ExpectedPairsButBelong {
                    ns,
                    ew,
                    seen_ns,
                    seen_ew,
                    place: at_place(*place)
                }),
            })
        }
        What::ArrowSwitchMissed => Told::sentences([
            in_round(tell!(Finding::PairsSitOtherWayRound)),
            tell!(Finding::TurnBoardsOrRecord),
        ]),
        What::MovementMistake {
            mistake,
            since,
            stand,
            tables,
        } => tell!(Doctor::RoundShowsAt {
            round,
            what: happened(*mistake, since.get(), *stand),
            place: shows_at(tables)
        }),
        What::PairMissing { side, free } => {
            let rest = match free {
                Some(pair) => tell!(Finding::PairSitsNowhereRound {
                    pair: or_nobody(section, *side, Some(*pair))
                }),
                None => tell!(Finding::AskTableCorrectPairs),
            };
            tell!(Finding::TableBoardRoundResult {
                table,
                board,
                round,
                side,
                rest
            })
        }
        What::DealsDoNotFit { fitting, contracts } => tell!(Finding::DealFileDoesNot {
            fitting,
            all: contracts,
            share: fitting * 100 / (*contracts).max(1)
        }),
        What::SignAlone {
            score,
            others,
            declarer_elsewhere,
        } => {
            let doubt = match declarer_elsewhere {
                Some(seat) => tell!(Finding::ElsewhereDeclaredTheseTrumps { seat }),
                None => tell!(Finding::TypedWithWrongSign),
            };
            tell!(Finding::TableBoardNorthSouth {
                table,
                board,
                score: format!("{:+}", score.0),
                others,
                doubt
            })
        }
    }
}

fn shows_at(tables: &[TableNumber]) -> Told {
    /// More are not worth reading.
    const NAMED_MAX: usize = 6;
    match tables {
        [one] => tell!(Doctor::Table { one }),
        many if many.len() > NAMED_MAX => tell!(Doctor::Tables { n: many.len() }),
        many => {
            tell!(Doctor::Tables2 { table: many })
        }
    }
}

/// What a button says.
pub(super) fn label(answer: &Answer) -> Told {
    match answer {
        Answer::Replace => tell!(Finding::YesReplacePad),
        Answer::Keep => tell!(Answer::No),
        Answer::Revoke => tell!(Finding::NoRevokePad),
        Answer::Noted => tell!(Finding::Seen),
        Answer::NotPlayed => tell!(Answer::NotPlayedLabel),
        Answer::LatePlay => tell!(Answer::LatePlayLabel),
        Answer::Use => tell!(Finding::Use),
        Answer::Ignore => tell!(Finding::Ignore),
        Answer::Allow => tell!(Finding::AllowBoard),
        Answer::Refuse => tell!(Finding::RefuseBoard),
        Answer::Right | Answer::Remedy(_, Remedy::ItIsRight) => tell!(Finding::RightAs),
        Answer::Remedy(_, remedy) => remedy_label(remedy),
    }
}

fn remedy_label(remedy: &Remedy) -> Told {
    match remedy {
        Remedy::ChangeDeclarer { declarer } => tell!(Answer::Declared { seat: declarer }),
        Remedy::LeaveLeadEmpty => tell!(Answer::LeaveLeadEmpty),
        Remedy::ChangeLead { lead } => tell!(Answer::Lead { card: lead }),
        Remedy::ChangeTricks { tricks } => tell!(Answer::DeclarerTookTricks { tricks }),
        Remedy::MakeDoubled => tell!(Answer::Doubled),
        Remedy::PassedOut => tell!(Answer::PassedOut),
        Remedy::NotPlayed => tell!(Answer::NotPlayed),
        Remedy::UseScore { score } => tell!(Answer::Score { score }),
        Remedy::MoveToBoard { board } => tell!(Answer::BelongsBoard { board }),
        Remedy::ExchangeBoards { with } => tell!(Answer::ExchangeWithBoard { other: with }),
        Remedy::ShiftBoards { by } => tell!(Answer::CorrectAllNumbersRound {
            by: format!("{:+}", by)
        }),
        Remedy::AllowBoard { board } => tell!(Answer::AllowBoard { board }),
        Remedy::TakeAway => tell!(Answer::TakeResultAway),
        Remedy::SwapPads { with } => tell!(Answer::SwapPadsWithTable { other: with }),
        Remedy::SeatPairs { .. } => tell!(Answer::RecordRoundThesePairs),
        Remedy::ApplyMovement { from, .. } => tell!(Answer::ChangeMovementFromRound { from }),
        Remedy::Tell { mistake, stand } => {
            tell!(Answer::TellRoom {
                words: put_right(*mistake, *stand)
            })
        }
        Remedy::Visit { table } => tell!(Answer::SeenAtTable { table }),
        Remedy::TakeDealsOff => tell!(Answer::TakeDealFileOff),
        Remedy::ItIsRight => tell!(Finding::RightAs),
    }
}

fn at_place(place: crate::movement::Place) -> Told {
    tell!(Preview::Place {
        table: place.table,
        side: Letter(place.side)
    })
}
