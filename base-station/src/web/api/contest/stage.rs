//! The rules of a new stage, and over how many rounds and nights it goes.

use telling::tell;

use super::input::{FormatName, NewContest, hundredths};
use crate::contest::rules::{Column, DatumOf};
use crate::contest::{Regulation, Rules};
use crate::session::Format;
use crate::web::Problem;

impl NewContest {
    /// Those of its regulation, with what is to be otherwise.
    pub(super) fn rules(&self) -> Result<Rules, Problem> {
        let mut rules = Rules::of(self.regulation, self.comparison);
        if rules.datum == DatumOf::SabfSwiss && self.format != FormatName::Swiss {
            // The top tables are those of a Swiss; everywhere else SABF leaves out a sixth.
            rules.datum = DatumOf::Sabf;
        }
        if self.regulation == Regulation::Gnot && self.format == FormatName::AmericanWhist {
            // Its whist has seven boards a match, and its scale columns for eight and fourteen.
            rules.column = Column::NearestEven;
        }
        rules.scale = self.scale.unwrap_or(rules.scale);
        rules.datum = self.datum.unwrap_or(rules.datum);
        rules.column = self.column.unwrap_or(rules.column);
        rules.ties = self.ties.unwrap_or(rules.ties);
        rules.level = self.level.unwrap_or(rules.level);
        rules.fraction = self.fraction.unwrap_or(rules.fraction);
        rules.penalties_in_draw = self.penalties_in_draw.unwrap_or(rules.penalties_in_draw);
        if let Some(bye) = self.bye {
            rules.bye = hundredths(bye)?;
        }
        Ok(rules)
    }

    /// Rounds tonight, and of the whole event where it has several nights.
    pub(super) fn rounds_of(&self, format: Format, field: u8) -> Result<(u8, Option<u8>), Problem> {
        let everybody = field.saturating_sub(1) | 1;
        let nights = self.nights.unwrap_or(1);
        if nights == 0 {
            return Err(Problem::unreadable(tell!(Contest::HowManyNights)));
        }
        let chart = match format {
            // The charts with troikas, and the whist, have a round less than the one with byes.
            Format::Troikas | Format::AmericanWhist => Some(field.saturating_sub(1)),
            Format::RoundRobin | Format::ButlerChart { .. } => Some(everybody),
            Format::TwoFields => Some(field / 2),
            Format::Swiss { .. } | Format::HeadToHead | Format::Movement => None,
        };
        // Troikas and the whist need an even number of rounds each night.
        let by_twos = matches!(format, Format::Troikas | Format::AmericanWhist);
        let rounds = match (self.rounds, chart, format) {
            (Some(rounds), ..) => rounds,
            (None, Some(chart), _) if by_twos => (chart / 2).div_ceil(nights) * 2,
            (None, Some(chart), _) => chart.div_ceil(nights),
            (None, None, Format::HeadToHead | Format::Movement) => 1,
            (None, None, _) => {
                return Err(Problem::unreadable(tell!(Contest::HowManyRoundsSwiss)));
            }
        };
        let all = rounds.saturating_mul(nights);
        // The last night of a chart may be shorter.
        let once = chart.filter(|_| self.regulation != Regulation::AbfChampionships);
        let shorter = once.filter(|chart| *chart > rounds);
        let all = shorter.map_or(all, |chart| all.min(chart));
        let rounds_in_all = (nights > 1).then_some(all);
        Ok((rounds, rounds_in_all))
    }
}
