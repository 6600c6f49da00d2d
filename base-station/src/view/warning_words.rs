//! What each warning says, and each button under it: the words of the watch, in one place.

use protocol::words::{BoardNumber, PairNumber, Seat, Side, TableNumber};

use super::line::result_text;
use super::pads::pad_name;
use crate::checks::{Finding, FindingId, Mistake, PassedBecause, Remedy, What, WrittenFault};
use crate::watch::{Answer, Cause, KeptBecause};

/// What is wrong and what to do.
pub(super) fn sentence(cause: &Cause) -> String {
    match cause {
        Cause::ReplaceAsked { table, pad } => format!(
            "Pad {} wants to take over table {table}, whose own pad was heard a moment ago. Say yes only if you know who holds it.",
            pad_name(*pad)
        ),
        Cause::ReplaceAdvised { table, boards } => format!(
            "Table {table}: boards {} have not arrived. Replace the pad: a pad that does not send is never worth waiting for.",
            numbers(boards)
        ),
        Cause::PadSilent {
            table,
            minutes,
            unsent,
        } => {
            let holds = match unsent {
                0 => String::new(),
                1 => " It still had one result to send.".to_owned(),
                unsent => format!(" It still had {unsent} results to send."),
            };
            format!(
                "The pad of table {table} has not been heard for {minutes} minutes.{holds} Wake it with any key, or carry it nearer to the receiver; if it stays silent, replace it."
            )
        }
        Cause::BoardMissing(cell) => format!(
            "Table {}, board {} of round {} has not arrived. Go and look at the pad.",
            cell.table_id(),
            cell.board,
            cell.round
        ),
        Cause::LostWithPad {
            table,
            round,
            boards,
        } => format!(
            "Table {table}, whose pad was replaced: the old pad may have held board {} of round {round}. Ask the table whether it was played, and enter it again.",
            numbers(boards)
        ),
        Cause::EntryKept { cell, result, why } => format!(
            "Table {}, board {} of round {}: {} waits for you ({}). Use it or ignore it?",
            cell.table_id(),
            cell.board,
            cell.round,
            result_text(*result),
            kept_because(*why)
        ),
        Cause::BoardWanted(cell) => format!(
            "Table {} wants to enter board {}, which is not on its sheet for round {}. The table waits for you: look which board lies there, then decide.",
            cell.table_id(),
            cell.board,
            cell.round
        ),
        Cause::OtherPairs {
            table,
            round,
            said,
            planned,
        } => format!(
            "Table {table}, round {round}: the players say they are {}, the movement says {}. Have they gone to the wrong table?",
            against(*said),
            against(*planned)
        ),
        Cause::SamePlayer {
            number,
            name,
            pairs,
        } => {
            let pairs: Vec<String> = pairs.iter().map(ToString::to_string).collect();
            format!(
                "Player number {number}{} was entered at pairs {}. Ask which is right and correct the other on the names page.",
                name.as_ref()
                    .map_or_else(String::new, |name| format!(" ({name})")),
                pairs.join(" and ")
            )
        }
        Cause::BatteryLow { table } => format!(
            "The pad of table {table} runs low: change its cells between two rounds. Nothing is lost."
        ),
        Cause::Found(finding) => format!("{} ({}% sure)", found(finding), finding.confidence.get()),
    }
}

const fn kept_because(why: KeptBecause) -> &'static str {
    match why {
        KeptBecause::Replaced => "the pad that was replaced still held it",
        KeptBecause::RoundOver => "the round was over when the players agreed it",
        KeptBecause::NotOnSheet => "the board is not on the table's sheet",
        KeptBecause::Otherwise => "it could not be taken by itself",
    }
}

fn numbers(boards: &[BoardNumber]) -> String {
    let boards: Vec<String> = boards.iter().map(ToString::to_string).collect();
    boards.join(", ")
}

fn against([ns, ew]: [Option<PairNumber>; 2]) -> String {
    let name = |pair: Option<PairNumber>| {
        pair.map_or_else(|| "nobody".to_owned(), |pair| pair.to_string())
    };
    format!("{} against {}", name(ns), name(ew))
}

/// What a check has found.
fn found(finding: &Finding) -> String {
    let FindingId {
        table,
        round,
        board,
        ..
    } = finding.id;
    let table = table.map_or_else(String::new, |it| it.to_string());
    let round = round.map_or_else(String::new, |it| it.to_string());
    let board = board.map_or_else(String::new, |it| it.to_string());
    let line = format!("Table {table}, board {board}");
    let in_round = format!("Table {table}, round {round}");
    match &finding.what {
        What::LeadNotHeld {
            lead,
            contract,
            holder,
            declarer_first,
        } => {
            let declarer = contract.declarer;
            let whose = if *holder == declarer {
                "declarer's own card".to_owned()
            } else if *holder == declarer.partner() {
                "dummy's card".to_owned()
            } else {
                format!("the card of {}", seat_name(*holder))
            };
            let verdict = if *declarer_first {
                let suspect = seat_name(holder.right());
                format!("probably {suspect} declared, not {}", seat_name(declarer))
            } else {
                "probably the lead was typed wrongly".to_owned()
            };
            format!(
                "{line}: {lead} was entered as the lead against {contract} by {}, but {} does not hold it. It is {whose}: {verdict}.",
                seat_name(declarer),
                seat_name(contract.leader()),
            )
        }
        What::Written { stated, fault } => {
            let vulnerable = finding.id.board.map(|board| board.vulnerability());
            let vulnerable = vulnerable.map_or_else(String::new, |it| it.to_string());
            let why = match fault {
                WrittenFault::Impossible => "no contract gives that score".to_owned(),
                WrittenFault::Vulnerability => {
                    format!("that score needs another vulnerability (here it is {vulnerable})")
                }
                WrittenFault::NotThisContract { gives, .. } => {
                    format!("the contract gives {gives} with {vulnerable} vulnerable")
                }
            };
            format!("{line}: {stated} was written, but {why}.")
        }
        What::WrongSide {
            contract,
            tricks,
            suspect,
        } => format!(
            "{line}: {contract} by {} with {tricks} tricks fits neither the cards nor the field; it was probably played by {}.",
            seat_name(contract.declarer),
            seat_name(*suspect)
        ),
        What::TricksOfOtherSide {
            contract,
            tricks,
            probably,
        } => format!(
            "{line}: {tricks} tricks in {contract} by {} are far from what the cards allow; probably declarer took {probably} and the defenders {tricks}.",
            seat_name(contract.declarer)
        ),
        What::MissingDouble {
            contract,
            elsewhere,
        } => {
            let others = match elsewhere {
                1 => "another table".to_owned(),
                tables => format!("{tables} other tables"),
            };
            format!(
                "{line}: {contract} by {} failed and was not doubled; at {others} the same side was doubled in these trumps. Was the double forgotten?",
                seat_name(contract.declarer)
            )
        }
        What::NotPlayedWasPassedOut(why) => {
            let why = match why {
                PassedBecause::Elsewhere(tables) => {
                    format!("it was passed out at {tables} other tables")
                }
                PassedBecause::NobodyOpens => "nobody holds a clear opening bid".to_owned(),
                PassedBecause::TimeForMore => {
                    "the table had time for the boards after it".to_owned()
                }
            };
            format!("{line} was entered as not played, but {why}: was it passed out?")
        }
        What::PassedOutWasNotPlayed { opener } => format!(
            "{line} was entered as passed out, but {} has a clear opening bid: was it not played?",
            seat_name(*opener)
        ),
        What::BoardNotHere { due, owner } => {
            let place = match owner {
                Some(owner) => format!("it belongs at table {owner} in this round"),
                None => "it is at no table in this round".to_owned(),
            };
            format!("{in_round}: board {board} came, but boards {due} are due here; {place}.")
        }
        What::BoardTwice { same, before } => {
            let same = if *same {
                "with the same result"
            } else {
                "with another result"
            };
            format!(
                "Table {table} entered board {board} in round {round} {same}, but it has had that board in round {before}."
            )
        }
        What::PairPlayedAlready { pair, round, table } => format!(
            "{line}: pair {pair} has played this board already, in round {round} at table {table}. Either the board number is wrong or the pairs are."
        ),
        What::BoardsExchanged { with } => format!(
            "Table {table}: the results of boards {board} and {with} fit each other's cards much better than their own; they were probably entered under each other's numbers."
        ),
        What::BoardsShifted { due, by } => format!(
            "{in_round}: boards {due} are due here, but the numbers entered are {} too {}.",
            by.unsigned_abs(),
            if *by > 0 { "high" } else { "low" }
        ),
        What::TableBehind { boards } => {
            format!("Table {table} is {boards} boards behind the middle of the room.")
        }
        What::PadsSwapped { one, other } => format!(
            "Tables {one} and {other} seem to have each other's pads: the pairs and boards of each are on the pad of the other."
        ),
        What::OtherPairs {
            planned,
            seen,
            belongs,
        } => {
            let name = |pair: Option<PairNumber>| {
                pair.map_or_else(|| "nobody".to_owned(), |pair| format!("pair {pair}"))
            };
            let belongs =
                belongs.map_or_else(String::new, |place| format!("; they belong at {place}"));
            format!(
                "{in_round}: expected North-South {} and East-West {}, but the players say {} and {}{belongs}.",
                name(planned.ns),
                name(planned.ew),
                name(seen.ns),
                name(seen.ew)
            )
        }
        What::ArrowSwitchMissed => format!(
            "{in_round}: the pairs sit the other way round than planned. Turn the boards, or record the round as they sit."
        ),
        What::MovementMistake {
            mistake,
            since,
            stand,
            tables,
        } => format!(
            "Round {round}: {}. It shows at {}.",
            happened(*mistake, since.get(), *stand),
            shows_at(tables)
        ),
        What::PairMissing { side, free } => {
            let side = match side {
                Side::NorthSouth => "North-South",
                Side::EastWest => "East-West",
            };
            let hint = match free {
                Some(pair) => format!("Pair {pair} sits nowhere in that round."),
                None => "Ask the table, and correct the pairs.".to_owned(),
            };
            format!(
                "{line} of round {round} has a result, but no {side} pair sits there: who played it? {hint}"
            )
        }
        What::DealsDoNotFit { fitting, contracts } => format!(
            "This deal file does not seem to belong to these boards: only {fitting} of {contracts} contracts fit its cards ({} in 100). Until that is settled no result is compared with it.",
            fitting * 100 / (*contracts).max(1)
        ),
        What::SignAlone {
            score,
            others,
            declarer_elsewhere,
        } => {
            let doubt = match declarer_elsewhere {
                Some(seat) => format!("elsewhere {} declared in these trumps", seat_name(*seat)),
                None => "was it typed with the wrong sign?".to_owned(),
            };
            format!(
                "{line}: {:+} for North-South stands alone against {others} scores of the other sign; {doubt}.",
                score.0
            )
        }
    }
}

/// What the room did wrong.
fn happened(mistake: Mistake, since: u8, stand: Option<(TableNumber, TableNumber)>) -> String {
    let belongs = stand.map_or_else(
        || "where it should be".to_owned(),
        |(lower, upper)| format!("between tables {lower} and {upper}"),
    );
    match mistake {
        Mistake::SkipEarly => "East-West have skipped a table one round too early".to_owned(),
        Mistake::SkipLate => "East-West should have skipped a table and have not".to_owned(),
        Mistake::SpecialMoveEarly => {
            "East-West have made the special move one round too early".to_owned()
        }
        Mistake::SpecialMoveLate => {
            "East-West should have made the special move and went up one table instead".to_owned()
        }
        Mistake::EastWestTooFar => "East-West have gone up two tables instead of one".to_owned(),
        Mistake::EastWestStayed => "East-West have stayed at their tables".to_owned(),
        Mistake::EastWestWrongWay => "East-West have gone down instead of up".to_owned(),
        Mistake::RelayTooLow => {
            format!("the bye-stand is one table too low since round {since}; it belongs {belongs}")
        }
        Mistake::RelayTooHigh => {
            format!("the bye-stand is one table too high since round {since}; it belongs {belongs}")
        }
        Mistake::FeedInsOutOfOrder => format!(
            "the sets at the highest table are fed in in the wrong order since round {since}"
        ),
        Mistake::BoardsWrongWay => "the boards have gone up instead of down one table".to_owned(),
        Mistake::BoardsStayed => "the boards have stayed where they were".to_owned(),
        Mistake::ShareMissing => {
            "the highest table has kept its boards instead of sharing those of table 1".to_owned()
        }
    }
}

fn shows_at(tables: &[TableNumber]) -> String {
    /// More are not worth reading.
    const NAMED_MAX: usize = 6;
    match tables {
        [one] => format!("table {one}"),
        many if many.len() > NAMED_MAX => format!("{} tables", many.len()),
        many => {
            let names: Vec<String> = many.iter().map(ToString::to_string).collect();
            format!("tables {}", names.join(", "))
        }
    }
}

/// What a button says.
pub(super) fn label(answer: &Answer) -> String {
    match answer {
        Answer::Replace => "Yes, replace the pad".to_owned(),
        Answer::Keep => "No".to_owned(),
        Answer::Revoke => "No, and revoke that pad".to_owned(),
        Answer::Noted => "Seen to it".to_owned(),
        Answer::NotPlayed => "Not played".to_owned(),
        Answer::LatePlay => "Late play".to_owned(),
        Answer::Use => "Use it".to_owned(),
        Answer::Ignore => "Ignore it".to_owned(),
        Answer::Allow => "Allow the board".to_owned(),
        Answer::Refuse => "Refuse the board".to_owned(),
        Answer::Right | Answer::Remedy(_, Remedy::ItIsRight) => "It is right as it is".to_owned(),
        Answer::Remedy(_, remedy) => remedy_label(remedy),
    }
}

fn remedy_label(remedy: &Remedy) -> String {
    match remedy {
        Remedy::ChangeDeclarer { declarer } => format!("{} declared", seat_name(*declarer)),
        Remedy::LeaveLeadEmpty => "Leave the lead empty".to_owned(),
        Remedy::ChangeLead { lead } => format!("The lead was {lead}"),
        Remedy::ChangeTricks { tricks } => format!("Declarer took {tricks} tricks"),
        Remedy::MakeDoubled => "It was doubled".to_owned(),
        Remedy::PassedOut => "It was passed out".to_owned(),
        Remedy::NotPlayed => "It was not played".to_owned(),
        Remedy::UseScore { score } => format!("The score is {score}"),
        Remedy::MoveToBoard { board } => format!("It belongs to board {board}"),
        Remedy::ExchangeBoards { with } => format!("Exchange with board {with}"),
        Remedy::ShiftBoards { by } => format!("Correct all numbers of this round by {by:+}"),
        Remedy::AllowBoard { board } => format!("Allow board {board}"),
        Remedy::TakeAway => "Take this result away".to_owned(),
        Remedy::SwapPads { with } => format!("Swap the pads with table {with}"),
        Remedy::SeatPairs { .. } => "Record the round for these pairs".to_owned(),
        Remedy::ApplyMovement { from, .. } => format!("Change the movement from round {from}"),
        Remedy::Tell { mistake, stand } => {
            format!("Tell the room: {}", put_right(*mistake, *stand))
        }
        Remedy::Visit { table } => format!("Seen to it at table {table}"),
        Remedy::TakeDealsOff => "Take the deal file off".to_owned(),
        Remedy::ItIsRight => "It is right as it is".to_owned(),
    }
}

/// How the room puts its mistake right.
fn put_right(mistake: Mistake, stand: Option<(TableNumber, TableNumber)>) -> String {
    match mistake {
        Mistake::SkipEarly | Mistake::EastWestTooFar => {
            "East-West go back one table. Boards stay.".to_owned()
        }
        Mistake::SkipLate => "East-West go up one more table. Boards stay.".to_owned(),
        Mistake::EastWestStayed => "East-West go up one table. Boards stay.".to_owned(),
        Mistake::EastWestWrongWay => "East-West go up two tables. Boards stay.".to_owned(),
        Mistake::SpecialMoveEarly => {
            "East-West go back to their last table and from there up one. Boards stay.".to_owned()
        }
        Mistake::SpecialMoveLate => {
            "East-West go back one table and make the special move from there. Boards stay."
                .to_owned()
        }
        Mistake::RelayTooLow => match stand {
            Some((lower, upper)) => format!(
                "Tables {} and {lower} exchange their boards, and the bye-stand goes up one, \
                 between tables {lower} and {upper}.",
                lower.get().saturating_sub(1)
            ),
            None => "The bye-stand goes up one table.".to_owned(),
        },
        Mistake::RelayTooHigh => match stand {
            Some((lower, upper)) => format!(
                "Tables {lower} and {upper} exchange their boards, and the bye-stand goes down \
                 one, between tables {lower} and {upper}."
            ),
            None => "The bye-stand goes down one table.".to_owned(),
        },
        Mistake::FeedInsOutOfOrder => {
            "The highest table puts its boards back on the stack and takes the set that is due."
                .to_owned()
        }
        Mistake::BoardsWrongWay => "All boards go down two tables.".to_owned(),
        Mistake::BoardsStayed => "All boards go down one table.".to_owned(),
        Mistake::ShareMissing => "The highest table hands its boards to the next lower one and \
                                  shares the boards of table 1."
            .to_owned(),
    }
}

const fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::North => "North",
        Seat::East => "East",
        Seat::South => "South",
        Seat::West => "West",
    }
}
