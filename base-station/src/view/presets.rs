//! Penalties and warnings that regulations name, ready to be chosen. Every figure comes from
//! [`crate::scoring::regulations`], where it is checked against the regulations themselves.

use protocol::words::Percentage;
use serde::Serialize;
use utoipa::ToSchema;

use crate::scoring::regulations::{
    Amount, FouledByTeam, LateArrival, Lateness, SlowPlay, UnconfirmedScore,
};
use crate::session::plan::{Method, PenaltyAmount};
use telling::{Told, tell};

/// A penalty to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PenaltyPreset {
    /// For what.
    #[schema(value_type = String, example = "late arrival")]
    pub offence: Told,
    /// Whose rule, by the number and the kind of event.
    #[schema(value_type = String, example = "SABF pairs")]
    pub regulation: Told,
    /// When it applies.
    #[schema(value_type = String, example = "5 to 10 minutes late")]
    pub when: Told,
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
        (LateArrival::SabfPairs, tell!(Preset::SabfPairs)),
        (LateArrival::SabfTeams, tell!(Preset::SabfTeams)),
        (LateArrival::SabfFinals, tell!(Preset::SabfFinals)),
        (LateArrival::Itc, tell!(Preset::AbfInterStateTeams)),
        (
            LateArrival::ItcFinal,
            tell!(Preset::AbfInterStateTeamsFinal),
        ),
        (LateArrival::SwissPairs, tell!(Preset::AbfSwissPairs)),
        (LateArrival::SwissPairsImps, tell!(Preset::AbfPairsScoredBy)),
    ];
    let mut presets = Vec::new();
    for (rule, name) in rules {
        let forgiven = (1..=MINUTES_MAX)
            .rev()
            .find(|minutes| rule.penalty(*minutes, false) == Lateness::Warning);
        if let Some(until) = forgiven {
            presets.push(preset(
                tell!(Preset::LateArrival),
                &name,
                tell!(Preset::UpMinutesLateFirst { until }),
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
                let when = tell!(Preset::MinutesLate { from, minutes });
                presets.push(preset(
                    tell!(Preset::LateArrival),
                    &name,
                    when,
                    amount_input(amount),
                ));
            }
            from = minutes + 1;
        }
    }
    presets
}

fn slow_play() -> Vec<PenaltyPreset> {
    let rules = [
        (SlowPlay::SabfTeams, tell!(Preset::SabfTeams)),
        (SlowPlay::Itc, tell!(Preset::AbfInterStateTeams)),
        (SlowPlay::SwissPairs, tell!(Preset::AbfSwissPairs)),
        (SlowPlay::GnotSwissPairs, tell!(Preset::GnotSwissPairs)),
        (SlowPlay::Club, tell!(Preset::ClubPairs)),
    ];
    let mut presets = Vec::new();
    for (rule, name) in rules {
        if rule.penalty(1, 0, true).is_none() {
            let when = tell!(Preset::FirstTime);
            presets.push(preset(
                tell!(Preset::SlowPlay),
                &name,
                when,
                ("Warning", String::new()),
            ));
        }
        let mut said = None;
        for boards in 1..=2 {
            if let Some(amount) = rule.penalty(boards, 0, false)
                && said.replace(amount) != Some(amount)
            {
                let when = tell!(Preset::BoardsNotPlayed { boards });
                presets.push(preset(
                    tell!(Preset::SlowPlay),
                    &name,
                    when,
                    amount_input(amount),
                ));
            }
        }
    }
    presets
}

fn others() -> Vec<PenaltyPreset> {
    let vp = |points| amount_input(Amount::Vp(points));
    let (misboarded, _) = FouledByTeam::Misboarded.penalty();
    let (exchanged, _) = FouledByTeam::HandsExchanged.penalty();
    let score = tell!(Preset::ScoreNotEnteredOr);
    let fouled = tell!(Preset::BoardFouledByTeam);
    let warned = || ("Warning", String::new());
    [
        (
            &score,
            Told::as_written("001"),
            tell!(Preset::FirstTime),
            warned(),
        ),
        (
            &score,
            tell!(Preset::AbfInterStateTeams),
            tell!(Preset::AfterWarning),
            vp(UnconfirmedScore::Itc.penalty()),
        ),
        (
            &score,
            tell!(Preset::AbfInterStatePairs),
            tell!(Preset::AfterWarning),
            vp(UnconfirmedScore::Pairs.penalty()),
        ),
        (
            &fouled,
            Told::as_written("003"),
            tell!(Preset::CardsWrongPocket),
            vp(misboarded),
        ),
        (
            &fouled,
            Told::as_written("003"),
            tell!(Preset::PartnersHandsExchanged),
            vp(exchanged),
        ),
    ]
    .into_iter()
    .map(|(offence, name, when, amount)| preset(offence.clone(), &name, when, amount))
    .collect()
}

fn preset(
    offence: Told,
    regulation: &Told,
    when: Told,
    (kind, value): (&str, String),
) -> PenaltyPreset {
    PenaltyPreset {
        offence,
        regulation: regulation.clone(),
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
            .map(|it| (it.when.to_string(), it.kind.as_str(), it.value.as_str()))
            .collect();
        let of_pairs: Vec<_> = of_pairs
            .iter()
            .map(|(when, kind, value)| (when.as_str(), *kind, *value))
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
