//! Contracts and tricks that hardly fit the cards or the field: the wrong side, the defenders'
//! tricks, a double that nobody entered.

use protocol::words::{Doubling, Played, Tricks};

use super::finding::{Confidence, Finding, Remedy};
use super::plausible::Judge;
use super::room::{LineId, Room};
use super::what::What;

/// How often players make a given one of these mistakes, as a logarithm: about once in 250
/// results.
const MISTAKE: f64 = -5.5;

/// The odds from which the director hears about it.
const TELL_FROM: f64 = 0.5;

/// At most one finding: the likeliest explanation of a result that does not fit.
pub(super) fn check(room: &Room, id: LineId, played: Played, judge: &Judge) -> Option<Finding> {
    // Nothing to compare with.
    judge.expected_tricks(played.contract)?;
    let as_entered = judge.plausibility_with_lead(played.contract, played.tricks, played.lead);
    // Nothing can be so likely that it would beat this one: most results end here.
    if as_entered + TELL_FROM > MISTAKE {
        return missing_double(room, id, played, judge);
    }
    let best = [wrong_side(judge, played), other_tricks(judge, played)]
        .into_iter()
        .flatten()
        .max_by(|one, other| one.plausibility.total_cmp(&other.plausibility))?;
    let odds = best.plausibility + MISTAKE - as_entered;
    if odds < TELL_FROM {
        return missing_double(room, id, played, judge);
    }
    Some(Finding::line(
        room,
        id,
        best.what,
        Confidence::from_log_odds(odds),
        vec![
            best.remedy,
            Remedy::Visit { table: id.table },
            Remedy::ItIsRight,
        ],
    ))
}

struct Explanation {
    what: What,
    plausibility: f64,
    remedy: Remedy,
}

/// The same contract and tricks by an opponent of the declarer entered.
fn wrong_side(judge: &Judge, played: Played) -> Option<Explanation> {
    let declarer = played.contract.declarer;
    [declarer.left(), declarer.right()]
        .into_iter()
        .map(|declarer| {
            let mut contract = played.contract;
            contract.declarer = declarer;
            let plausibility = judge.plausibility_with_lead(contract, played.tricks, played.lead);
            (declarer, plausibility)
        })
        .max_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(suspect, plausibility)| Explanation {
            what: What::WrongSide {
                contract: played.contract,
                tricks: played.tricks,
                suspect,
            },
            plausibility,
            remedy: Remedy::ChangeDeclarer { declarer: suspect },
        })
}

/// The defenders' tricks entered as declarer's.
fn other_tricks(judge: &Judge, played: Played) -> Option<Explanation> {
    let tricks = Tricks::new(Tricks::MAX.get() - played.tricks.get())?;
    Some(Explanation {
        what: What::TricksOfOtherSide {
            contract: played.contract,
            tricks: played.tricks,
            probably: tricks,
        },
        plausibility: judge.plausibility_with_lead(played.contract, tricks, played.lead),
        remedy: Remedy::ChangeTricks { tricks },
    })
}

/// A contract that failed undoubled while others were doubled in it.
///
/// Most doubles that nobody entered can't be told from contracts that nobody doubled: on the
/// real evening ten contracts went three or more down undoubled, and three doubled.
fn missing_double(room: &Room, id: LineId, played: Played, judge: &Judge) -> Option<Finding> {
    let contract = played.contract;
    let doubled_elsewhere = judge.field.doubled_down(contract);
    let others = judge
        .field
        .by_side(contract.declarer.side(), contract.strain);
    let failed = contract.over(played.tricks) < 0;
    let usual = doubled_elsewhere * 2 > others;
    if contract.doubling != Doubling::Undoubled || !failed || !usual {
        return None;
    }
    Some(Finding::line(
        room,
        id,
        What::MissingDouble {
            contract,
            elsewhere: doubled_elsewhere,
        },
        Confidence::percent(if doubled_elsewhere > 1 { 65 } else { 50 }),
        vec![
            Remedy::MakeDoubled,
            Remedy::Visit { table: id.table },
            Remedy::ItIsRight,
        ],
    ))
}
