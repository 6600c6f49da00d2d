//! Rules, conditions and substitutes of a competition in plain words.

use season::{
    Absence, Cell, Contestants, Hundredths, Line, Partners, Played, Rules, Status, Substitutes,
    TieOrder, TieStep, Total, Why,
};
use telling::{All, Decimal, Told, tell};

use crate::session::Club;

/// What the rules say, a sentence each.
pub(super) fn rules(rules: &Rules, some_were_away: bool) -> Vec<Told> {
    let (sessions, count) = (rules.sessions, rules.to_count);
    let nominated = rules.contestants == Contestants::NominatedPairs;
    let mut says = vec![
        match rules.contestants {
            Contestants::NominatedPairs => tell!(Competition::SaysNominated),
            Contestants::Pairs => tell!(Competition::SaysPairs),
            Contestants::Players => tell!(Competition::SaysPlayers),
        },
        match rules.total {
            Total::Sum if count == sessions => tell!(Competition::SaysSumOfAll { sessions }),
            Total::Sum => tell!(Competition::SaysSum { sessions, count }),
            Total::Mean => tell!(Competition::SaysMean { sessions, count }),
        },
    ];
    if rules.to_qualify > 0 {
        let n = rules.to_qualify;
        says.push(tell!(Competition::SaysToQualify { n }));
    }
    if nominated {
        if rules.own > 0 {
            says.push(tell!(Competition::SaysOwn { n: rules.own }));
        }
        says.push(match rules.substitutes {
            Substitutes::Capped => tell!(Competition::SaysCapped),
            Substitutes::AsScored => tell!(Competition::SaysAsScored),
            Substitutes::NotCounted => tell!(Competition::SaysNotCounted),
        });
        if some_were_away {
            says.push(tell!(Competition::SaysAway));
        }
    }
    match rules.partners {
        Partners::Any => {}
        Partners::OnceEach => says.push(tell!(Competition::SaysOnceEach)),
        Partners::MustChange => says.push(tell!(Competition::SaysMustChange)),
    }
    if rules.handicap {
        says.push(tell!(Competition::SaysHandicap));
    }
    if rules.members_only {
        says.push(tell!(Competition::SaysMembersOnly));
    }
    says.extend(ties(rules));
    says
}

fn ties(rules: &Rules) -> Vec<Told> {
    let mut says = Vec::new();
    if rules.level_within > Hundredths(0) {
        let within = Decimal::new(rules.level_within.to_f64(), 2);
        says.push(tell!(Competition::SaysLevelWithin { within }));
    }
    let steps: &[TieStep] = match rules.ties {
        TieOrder::Shared => {
            says.push(tell!(Competition::SaysShared));
            return says;
        }
        TieOrder::SabfPairs => &[
            TieStep::MostSessions,
            TieStep::Above(60),
            TieStep::Above(55),
            TieStep::Above(50),
        ],
        TieOrder::BestSession => &[TieStep::BestSession],
        TieOrder::LastSession => &[TieStep::LastSession],
    };
    let steps: Vec<Told> = steps.iter().map(|it| step(*it)).collect();
    says.push(tell!(Competition::SaysTies { steps: All(steps) }));
    says
}

/// What separates two who are level.
pub(super) fn step(step: TieStep) -> Told {
    match step {
        TieStep::MostSessions => tell!(Competition::StepMostSessions),
        TieStep::Above(percent) => tell!(Competition::StepAbove { percent }),
        TieStep::BestSession => tell!(Competition::StepBestSession),
        TieStep::LastSession => tell!(Competition::StepLastSession),
    }
}

/// Why a contestant has no place, or what it still needs.
pub(super) fn status(line: &Line, rules: &Rules) -> Option<Told> {
    Some(match line.status {
        Status::Qualified => return None,
        Status::Needs(n) => tell!(Competition::StatusNeeds { n }),
        Status::NeedsPartner => tell!(Competition::StatusNeedsPartner),
        Status::Out(Why::TooFew) => tell!(Competition::StatusTooFew {
            n: line.sessions,
            needed: rules.to_qualify
        }),
        Status::Out(Why::TooFewOwn) => tell!(Competition::StatusTooFewOwn {
            n: line.own,
            needed: rules.own
        }),
        Status::Out(Why::OnePartner) => tell!(Competition::StatusOnePartner),
        Status::Out(Why::Withdrawn) => tell!(Competition::StatusWithdrawn),
        Status::Out(Why::NonContending) => tell!(Competition::StatusNonContending),
    })
}

/// What is special about a session of a contestant.
pub(super) fn played(club: &Club, cell: &Cell) -> Option<Told> {
    let scored = Decimal::new(cell.scored.unwrap_or_default().to_f64(), 2);
    Some(match &cell.played {
        Played::Own | Played::Missed => return None,
        Played::WithSubstitute(Some(player)) => tell!(Competition::PlayedSubstitute {
            player: club.called(player),
            scored
        }),
        Played::WithSubstitute(None) => tell!(Competition::PlayedSubstituteUnknown { scored }),
        Played::ByOthers => tell!(Competition::PlayedByOthers { scored }),
        Played::ByOthersUnexcused => tell!(Competition::PlayedByOthersUnexcused),
        Played::SamePartner => tell!(Competition::PlayedSamePartner),
        Played::Away(Absence::Representing) => tell!(Competition::PlayedAwayRepresenting),
        Played::Away(Absence::OtherChampionship) => tell!(Competition::PlayedAwayOther),
        Played::Away(Absence::PlayOffsDay) => tell!(Competition::PlayedAwayPlayOffs),
        Played::Unclear => tell!(Competition::PlayedUnclear),
    })
}
