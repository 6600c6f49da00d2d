//! Penalties and warnings that regulations name, ready to be chosen. Every figure comes from
//! [`crate::scoring::regulations`], where it is checked against the regulations themselves.

use protocol::words::Percentage;
use serde::Serialize;
use utoipa::ToSchema;

use crate::scoring::regulations::{
    Amount, FouledByTeam, LateArrival, Lateness, SlowPlay, UnconfirmedScore,
};
use crate::session::plan::{Method, PenaltyAmount};

/// A penalty to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PenaltyPreset {
    /// For what.
    #[schema(example = "late arrival")]
    pub offence: String,
    /// Whose rule, by the number and the kind of event.
    #[schema(example = "SABF pairs")]
    pub regulation: String,
    /// When it applies.
    #[schema(example = "5 to 10 minutes late")]
    pub when: String,
    /// The kind that `POST /api/penalties` takes.
    #[schema(example = "PercentOfTop")]
    pub kind: String,
    /// The value that it takes; empty for a warning.
    #[schema(example = "15")]
    pub value: String,
    /// Whether it fits the way in which the session is scored.
    pub fits: bool,
}

/// Every penalty that a regulation names.
pub fn penalty_presets(method: Method, in_matches: bool) -> Vec<PenaltyPreset> {
    let mut presets = late_arrivals();
    presets.extend(slow_play());
    presets.extend(others());
    let kinds = penalty_kinds(method, in_matches);
    for preset in &mut presets {
        preset.fits = kinds.contains(&preset.kind.as_str());
    }
    presets
}

/// The kinds of penalties that a session scored by this method can count, as the page sends them;
/// victory points where it plays matches.
pub fn penalty_kinds(method: Method, in_matches: bool) -> Vec<&'static str> {
    let some = Percentage::MAX;
    [
        ("Warning", PenaltyAmount::Warning),
        ("PercentOfTop", PenaltyAmount::PercentOfTop(some)),
        ("PercentOfSession", PenaltyAmount::PercentOfSession(some)),
        ("Matchpoints", PenaltyAmount::Matchpoints(100)),
        ("Imps", PenaltyAmount::Imps(1)),
        ("VictoryPoints", PenaltyAmount::VictoryPoints(100)),
    ]
    .into_iter()
    .filter(|(kind, amount)| {
        amount.has_an_effect_in(method) || (in_matches && *kind == "VictoryPoints")
    })
    .map(|(kind, _)| kind)
    .collect()
}

/// The longest lateness that any table knows.
const MINUTES_MAX: u16 = 30;

fn late_arrivals() -> Vec<PenaltyPreset> {
    let rules = [
        (LateArrival::SabfPairs, "SABF pairs"),
        (LateArrival::SabfTeams, "SABF teams"),
        (LateArrival::SabfFinals, "SABF finals"),
        (LateArrival::Itc, "ABF inter-state teams"),
        (LateArrival::ItcFinal, "ABF inter-state teams, final"),
        (LateArrival::SwissPairs, "ABF Swiss pairs"),
        (LateArrival::SwissPairsImps, "ABF pairs scored by IMPs"),
    ];
    let mut presets = Vec::new();
    for (rule, name) in rules {
        let forgiven = (1..=MINUTES_MAX)
            .rev()
            .find(|minutes| rule.penalty(*minutes, false) == Lateness::Warning);
        if let Some(until) = forgiven {
            presets.push(preset(
                "late arrival",
                name,
                format!("up to {until} minutes late, the first time"),
                ("Warning", String::new()),
            ));
        }
        let mut from = 1;
        for minutes in 1..=MINUTES_MAX {
            let now = rule.penalty(minutes, true);
            let next = rule.penalty(minutes + 1, true);
            if minutes < MINUTES_MAX && now == next {
                continue;
            }
            if let Lateness::Penalty(amount) = now {
                let when = format!("{from} to {minutes} minutes late");
                presets.push(preset("late arrival", name, when, amount_input(amount)));
            }
            from = minutes + 1;
        }
    }
    presets
}

fn slow_play() -> Vec<PenaltyPreset> {
    let rules = [
        (SlowPlay::SabfTeams, "SABF teams"),
        (SlowPlay::Itc, "ABF inter-state teams"),
        (SlowPlay::SwissPairs, "ABF Swiss pairs"),
        (SlowPlay::GnotSwissPairs, "GNOT Swiss pairs"),
        (SlowPlay::Club, "club pairs"),
    ];
    let mut presets = Vec::new();
    for (rule, name) in rules {
        if rule.penalty(1, 0, true).is_none() {
            let when = "the first time".to_owned();
            presets.push(preset("slow play", name, when, ("Warning", String::new())));
        }
        let mut said = None;
        for boards in 1..=2 {
            if let Some(amount) = rule.penalty(boards, 0, false)
                && said.replace(amount) != Some(amount)
            {
                let when = format!(
                    "{boards} board{} not played",
                    if boards == 1 { "" } else { "s" }
                );
                presets.push(preset("slow play", name, when, amount_input(amount)));
            }
        }
    }
    presets
}

fn others() -> Vec<PenaltyPreset> {
    let vp = |points| amount_input(Amount::Vp(points));
    let (misboarded, _) = FouledByTeam::Misboarded.penalty();
    let (exchanged, _) = FouledByTeam::HandsExchanged.penalty();
    let score = "score not entered or not checked";
    let fouled = "board fouled by a team";
    let warned = || ("Warning", String::new());
    [
        (score, "ABF inter-state teams", "the first time", warned()),
        (
            score,
            "ABF inter-state teams",
            "after a warning",
            vp(UnconfirmedScore::Itc.penalty()),
        ),
        (
            score,
            "ABF inter-state pairs",
            "after a warning",
            vp(UnconfirmedScore::Pairs.penalty()),
        ),
        (
            fouled,
            "club teams",
            "cards in the wrong pocket",
            vp(misboarded),
        ),
        (
            fouled,
            "club teams",
            "partners' hands exchanged",
            vp(exchanged),
        ),
    ]
    .into_iter()
    .map(|(offence, name, when, amount)| preset(offence, name, when.to_owned(), amount))
    .collect()
}

fn preset(
    offence: &str,
    regulation: &str,
    when: String,
    (kind, value): (&str, String),
) -> PenaltyPreset {
    PenaltyPreset {
        offence: offence.to_owned(),
        regulation: regulation.to_owned(),
        when,
        kind: kind.to_owned(),
        value,
        fits: false,
    }
}

/// An amount as the page sends it.
fn amount_input(amount: Amount) -> (&'static str, String) {
    let hundredths = |points: i32| match (points / 100, points % 100) {
        (whole, 0) => whole.to_string(),
        (whole, part) => format!("{whole}.{part:02}"),
    };
    match amount {
        Amount::OfATop(share) => ("PercentOfTop", hundredths(share.0)),
        Amount::Vp(points) => ("VictoryPoints", hundredths(points.0)),
        Amount::Imps(points) => ("Imps", (points.ten_thousandths() / 10_000).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_ten_minutes_late_is_offered_what_its_regulation_says() {
        let presets = penalty_presets(Method::Matchpoints, false);
        let of_pairs: Vec<_> = presets
            .iter()
            .filter(|it| it.regulation == "SABF pairs" && it.offence == "late arrival")
            .map(|it| (it.when.as_str(), it.kind.as_str(), it.value.as_str()))
            .collect();
        assert_eq!(
            of_pairs,
            [
                ("up to 4 minutes late, the first time", "Warning", ""),
                ("1 to 4 minutes late", "PercentOfTop", "10"),
                ("5 to 10 minutes late", "PercentOfTop", "15"),
                ("11 to 15 minutes late", "PercentOfTop", "25"),
                ("16 to 20 minutes late", "PercentOfTop", "40"),
                ("21 to 30 minutes late", "PercentOfTop", "100"),
            ]
        );
        let fits = |method| {
            let presets = penalty_presets(method, false);
            presets.iter().filter(|it| it.fits).count()
        };
        assert!(fits(Method::Matchpoints) < presets.len());
        assert!(fits(Method::CrossImps) > 0, "IMPs off for a late pair");
        let in_vps = |it: &PenaltyPreset| it.fits && it.kind == "VictoryPoints";
        assert!(!penalty_presets(Method::CrossImps, false).iter().any(in_vps));
        assert!(penalty_presets(Method::CrossImps, true).iter().any(in_vps));
    }
}
