//! What the director writes about matches.

use protocol::words::TableNumber;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::contest::draw::{Draw, FirstRound, Method, OddField, Pairing, Rematches};
use crate::contest::irregular::Decision;
use crate::contest::rules::{Column, DatumOf, Scale, Ties};
use crate::contest::{Comparison, ContestantNumber, Regulation, Rules};
use crate::session::{ContestPlan, ContestantPlan, DrawWish, Format, WithdrawnMatches};
use crate::view::ContestView;
use crate::web::Problem;
use crate::web::api::input::round;
use telling::tell;

/// All sections that play matches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Contests {
    pub(super) contests: Vec<ContestView>,
}

/// A stage of matches.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewContest {
    #[schema(example = "A")]
    pub(super) section: String,
    #[schema(example = "Tuesday Swiss Pairs")]
    pub(super) name: String,
    #[serde(default)]
    pub(super) colour: String,
    /// How many pairs or teams, numbered from 1; or `contestants`.
    #[schema(example = 22)]
    pub(super) size: Option<u16>,
    /// Pairs or teams one by one, the strongest first where the first round is seeded.
    #[serde(default)]
    pub(super) contestants: Vec<NewContestant>,
    /// `swiss` or `round-robin`.
    pub(super) format: FormatName,
    /// Left out in a round robin: everybody meets everybody.
    pub(super) rounds: Option<u8>,
    /// Boards of a match.
    #[schema(example = 9)]
    pub(super) boards: u8,
    /// The first board of round 1.
    pub(super) first_board: Option<u8>,
    /// `butler`, `cross-imps`, `matchpoints` (pairs); `teams-imps`, `board-a-match` (teams).
    #[schema(value_type = String, example = "butler")]
    pub(super) comparison: Comparison,
    /// `new-zealand-club`, `sabf`, `abf-championships`, `gnot`.
    #[serde(default)]
    #[schema(value_type = String, example = "new-zealand-club")]
    pub(super) regulation: Regulation,
    /// Instead of the regulation's scale.
    #[schema(value_type = Option<String>)]
    pub(super) scale: Option<Scale>,
    /// Instead of the regulation's datum.
    #[schema(value_type = Option<String>)]
    pub(super) datum: Option<DatumOf>,
    /// Instead of the regulation's column: `boards`, `nearest-even`, `seven-tenths`.
    #[schema(value_type = Option<String>)]
    pub(super) column: Option<Column>,
    /// Instead of the regulation's order of ties.
    #[schema(value_type = Option<String>)]
    pub(super) ties: Option<Ties>,
    /// What a bye is worth, instead of what the regulation says.
    pub(super) bye: Option<f64>,
    /// Swiss: `random`, `halves`, `quarters`, `seeded-start`.
    #[serde(default)]
    #[schema(value_type = String, example = "random")]
    pub(super) first: FirstRound,
    /// Swiss: `swiss`, `classical`, `danish`; the regulation's where it is left out.
    #[schema(value_type = Option<String>)]
    pub(super) method: Option<Method>,
    /// Swiss: `avoided`, `{"of-first-half": 9}`, `{"from": 5}`.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub(super) rematches: Rematches,
    /// Swiss, where the field is odd: `bye`.
    #[serde(default)]
    #[schema(value_type = String, example = "bye")]
    pub(super) odd: OddField,
}

/// A pair or a team.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewContestant {
    pub(super) number: u16,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) club: String,
    /// A team's captain first.
    #[serde(default)]
    pub(super) players: Vec<String>,
    /// The table it keeps because somebody can't move.
    pub(super) stationary: Option<u16>,
    /// Victory points brought along.
    #[serde(default)]
    pub(super) carry_over: f64,
}

/// How rounds are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FormatName {
    /// By standing.
    Swiss,
    /// Everybody against everybody.
    RoundRobin,
}

/// What to draw; what is left out is as the stage was set up.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawInput {
    #[schema(example = "A")]
    pub(super) section: String,
    /// The next one where it is left out; one that is drawn already only before it has begun.
    pub(super) round: Option<u8>,
    #[schema(value_type = Option<String>)]
    pub(super) method: Option<Method>,
    #[schema(value_type = Option<String>)]
    pub(super) first: Option<FirstRound>,
    #[schema(value_type = Option<String>)]
    pub(super) odd: Option<OddField>,
    #[schema(value_type = Option<Object>)]
    pub(super) rematches: Option<Rematches>,
    /// The seed of the lots; a new one where it is left out.
    pub(super) seed: Option<u64>,
    /// By hand, or as it was proposed.
    pub(super) matches: Option<Vec<MatchInput>>,
    /// By hand: who has no opponent.
    pub(super) bye: Option<u16>,
    /// Whether matches may be repeated.
    #[serde(default)]
    pub(super) allow_rematches: bool,
    /// Why, where a published draw is replaced.
    #[serde(default)]
    pub(super) why: String,
}

/// A match by hand.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub(super) struct MatchInput {
    pub(super) home: u16,
    pub(super) away: u16,
    /// Its number; in the order of the list where it is left out.
    pub(super) table: Option<u16>,
}

/// A match of a draw.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchName {
    #[schema(example = "A")]
    pub(super) section: String,
    pub(super) round: u8,
    /// Its number in the draw.
    pub(super) number: u16,
}

/// What the director decided about a match.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchDecision {
    #[schema(example = "A")]
    pub(super) section: String,
    pub(super) round: u8,
    /// Its number in the draw.
    pub(super) number: u16,
    /// `{"kind": "forfeit", "by": 7}`, `both-forfeit`, `same-direction`, `cancelled`,
    /// `{"kind": "awarded", "home": 1200, "away": 800}` in hundredths; left out: its boards count.
    #[schema(value_type = Option<Object>)]
    pub(super) decision: Option<Decision>,
    pub(super) why: String,
}

/// Somebody goes home.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Withdrawal {
    #[schema(example = "A")]
    pub(super) section: String,
    pub(super) contestant: u16,
    /// The first round it does not play; the first that is not drawn where it is left out.
    pub(super) from: Option<u8>,
    /// `stand`, or `cancelled`: then all its matches count as forfeited by it.
    #[serde(default)]
    #[schema(value_type = String, example = "stand")]
    pub(super) matches: WithdrawnMatches,
    pub(super) why: String,
}

pub(super) fn contestant(number: u16) -> Result<ContestantNumber, Problem> {
    ContestantNumber::try_from(number).map_err(Problem::from)
}

/// Victory points as people write them, in hundredths.
fn hundredths(points: f64) -> Result<i32, Problem> {
    if !(-1_000.0..=1_000.0).contains(&points) {
        return Err(Problem::unreadable(tell!(
            Contest::ExpectedVictoryPointsFrom
        )));
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 100,000")]
    let hundredths = (points * 100.0).round() as i32;
    Ok(hundredths)
}

impl NewContest {
    pub(super) fn plan(&self) -> Result<ContestPlan, Problem> {
        let contestants = self.field()?;
        let field = u8::try_from(contestants.len()).unwrap_or(u8::MAX);
        let everybody = field.saturating_sub(1) | 1;
        let mut rules = Rules::of(self.regulation, self.comparison);
        rules.scale = self.scale.unwrap_or(rules.scale);
        rules.datum = self.datum.unwrap_or(rules.datum);
        rules.column = self.column.unwrap_or(rules.column);
        rules.ties = self.ties.unwrap_or(rules.ties);
        if let Some(bye) = self.bye {
            rules.bye = hundredths(bye)?;
        }
        let format = match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Swiss => Format::Swiss {
                first: self.first,
                method: self.method.unwrap_or(match self.regulation {
                    // These two prescribe it.
                    Regulation::Sabf | Regulation::Gnot => Method::Classical,
                    Regulation::NewZealandClub | Regulation::AbfChampionships => Method::Swiss,
                }),
                rematches: self.rematches,
                odd: self.odd,
            },
        };
        let rounds = match (self.rounds, self.format) {
            (Some(rounds), _) => rounds,
            (None, FormatName::RoundRobin) => everybody,
            (None, FormatName::Swiss) => {
                return Err(Problem::unreadable(tell!(Contest::HowManyRoundsSwiss)));
            }
        };
        if self.format == FormatName::Swiss
            && !contestants.len().is_multiple_of(2)
            && self.odd != OddField::Bye
        {
            return Err(Problem::refused(tell!(Asked::OddNumberSaySomebody {
                n: contestants.len()
            })));
        }
        Ok(ContestPlan {
            name: self.name.clone(),
            colour: self.colour.clone(),
            contestants,
            format,
            rounds,
            boards: self.boards,
            first_board: self.first_board.unwrap_or(1),
            rules,
        })
    }

    fn field(&self) -> Result<Vec<ContestantPlan>, Problem> {
        if self.size.is_some() != self.contestants.is_empty() {
            return Err(Problem::unreadable(tell!(
                Contest::ExpectedEitherSizeNumber
            )));
        }
        let by_size = (1..=self.size.unwrap_or_default()).map(|number| {
            Ok(ContestantPlan {
                number: contestant(number)?,
                name: String::new(),
                club: String::new(),
                players: Vec::new(),
                stationary: None,
                carry_over: 0,
            })
        });
        let by_name = self.contestants.iter().map(|it| {
            let table = it.stationary.map(TableNumber::try_from).transpose();
            Ok(ContestantPlan {
                number: contestant(it.number)?,
                name: it.name.clone(),
                club: it.club.clone(),
                players: it.players.clone(),
                stationary: table.map_err(Problem::from)?,
                carry_over: hundredths(it.carry_over)?,
            })
        });
        by_size.chain(by_name).collect()
    }
}

impl DrawInput {
    pub(super) fn wish(&self) -> Result<DrawWish, Problem> {
        let by_hand = self.matches.as_ref().map(|matches| {
            let pairs = matches.iter().map(|it| {
                let home = contestant(it.home)?;
                Ok((home, contestant(it.away)?))
            });
            let bye = self.bye.map(contestant).transpose()?;
            Ok::<_, Problem>((pairs.collect::<Result<Vec<_>, Problem>>()?, bye))
        });
        Ok(DrawWish {
            round: self.round.map(round).transpose()?,
            method: self.method,
            first: self.first,
            odd: self.odd,
            rematches: self.rematches,
            by_hand: by_hand.transpose()?,
        })
    }

    /// Matches by hand are at the tables that were written beside them.
    pub(super) fn keep_tables(&self, draw: &mut Draw) -> Result<(), Problem> {
        let written = self.matches.iter().flatten();
        for (pairing, input) in draw.matches.iter_mut().zip(written) {
            if let Some(table) = input.table {
                *pairing = Pairing {
                    table: TableNumber::try_from(table).map_err(Problem::from)?,
                    ..pairing.clone()
                };
            }
        }
        draw.matches.sort_by_key(|it| it.table);
        Ok(())
    }
}
