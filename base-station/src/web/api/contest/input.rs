//! What the director writes about matches.

use protocol::words::TableNumber;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::field::{FromStage, LostInput};
use super::orders::contestant;
use crate::contest::draw::{Draw, FirstRound, Method, OddField, Pairing, Rematches};
use crate::contest::irregular::Decision;
use crate::contest::offence::Offence;
use crate::contest::rules::{Column, DatumOf, Fraction, Level, Ties};
use crate::contest::{Comparison, Regulation};
use crate::scoring::VpScale;
use crate::session::{
    AtTables, ByHand, ContestPlan, ContestantPlan, DrawWish, Format, WithdrawnMatches,
};
use crate::view::ContestView;
use crate::web::Problem;
use crate::web::api::competition::stage_field::StageOf;
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
    /// Or those who go on from an earlier stage, as they stood there.
    pub(super) from: Option<FromStage>,
    /// Or it is a stage of a championship: then those play it who go on to it, unless it has entries of
    /// its own.
    pub(super) stage: Option<StageOf>,
    /// Pairs or teams one by one, the strongest first where the first round is seeded.
    #[serde(default)]
    pub(super) contestants: Vec<NewContestant>,
    /// `swiss`, `round-robin`, `butler-chart`, `american-whist`, `head-to-head`, `two-fields` (the first
    /// half of the pairs stays North-South, and each half has its own winner), or `movement`: the section
    /// plays one already, and each meeting of it is a match.
    pub(super) format: FormatName,
    /// Rounds tonight. Left out in a round robin: everybody meets everybody, on so many nights.
    pub(super) rounds: Option<u8>,
    /// On how many nights the event is played, one where it is left out. Forfeits are settled with the
    /// last round of the last one; a match in stanzas is one match on all of them.
    #[schema(example = 3)]
    pub(super) nights: Option<u8>,
    /// Boards of a match; by its movement where the section plays one.
    #[schema(example = 9)]
    #[serde(default)]
    pub(super) boards: u8,
    /// The first board of round 1.
    pub(super) first_board: Option<u8>,
    /// `butler`, `cross-imps`, `matchpoints` (pairs); `teams-imps`, `board-a-match` (teams).
    #[schema(value_type = String, example = "butler")]
    pub(super) comparison: Comparison,
    /// `new-zealand-club`, `sabf`, `sabf-trials`, `abf-championships`, `gnot`.
    #[serde(default)]
    #[schema(value_type = String, example = "new-zealand-club")]
    pub(super) regulation: Regulation,
    /// Instead of the regulation's scale.
    #[schema(value_type = Option<String>)]
    pub(super) scale: Option<VpScale>,
    /// Instead of the regulation's datum.
    #[schema(value_type = Option<String>)]
    pub(super) datum: Option<DatumOf>,
    /// Instead of the regulation's column: `boards`, `nearest-even`, `seven-tenths`.
    #[schema(value_type = Option<String>)]
    pub(super) column: Option<Column>,
    /// Instead of the regulation's order of ties.
    #[schema(value_type = Option<String>)]
    pub(super) ties: Option<Ties>,
    /// Instead of what the regulation says of a match in stanzas that ends level: `shared`,
    /// `sabf-final`, `sabf-grand-final`, `gnot2006`, `gnot2012-rescored`, `gnot2012-second-half`,
    /// `gnot2012-long`, `gnot2012-final-place`.
    #[schema(value_type = Option<String>)]
    pub(super) level: Option<Level>,
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
    /// Where the field is odd: `bye`; for teams also `triangle`, over two rounds, which is a
    /// troika in a round robin, and in a Swiss `short-triangle`, in one round.
    #[serde(default)]
    #[schema(value_type = String, example = "bye")]
    pub(super) odd: OddField,
    /// Butler chart: the contestants are listed by strength.
    #[serde(default)]
    pub(super) seeded: bool,
    /// Teams: whether a table sees the other one's result as soon as both have finished a board.
    #[serde(default)]
    pub(super) other_table_shown: bool,
    /// Instead of what the regulation says: whether penalties count in the draw.
    pub(super) penalties_in_draw: Option<bool>,
    /// Instead of the regulation's rule for fractions of IMPs: `half-up`, `half-down`, `cut`.
    #[schema(value_type = Option<String>)]
    pub(super) fraction: Option<Fraction>,
    /// The two tables of a teams match share one set of boards; otherwise they have two.
    #[serde(default)]
    pub(super) one_set: bool,
    /// Minutes of a round, instead of what the regulation says.
    pub(super) minutes: Option<u16>,
    /// No board is begun in the last so many minutes, instead of what the regulation says.
    pub(super) no_new_board: Option<u16>,
    /// Appeals are heard for so many minutes after a match, instead of what the regulation says.
    pub(super) appeal_minutes: Option<u16>,
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
    /// IMPs brought along into a match in stanzas.
    #[serde(default)]
    pub(super) carry_imps: f64,
    /// Whom it may not meet.
    #[serde(default)]
    pub(super) forbidden: Vec<u16>,
    /// A pair of it plays highly unusual methods: its line-up is always posted first.
    #[serde(default)]
    pub(super) seats_first: bool,
    /// The knock-out match that it lost before it dropped in.
    pub(super) lost: Option<LostInput>,
}

/// A further night of an event of matches.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FurtherNight {
    /// The section of this session.
    #[schema(example = "A")]
    pub(super) section: String,
    /// The session of the night before.
    pub(super) from_session: u32,
    /// Its section there.
    #[schema(example = "A")]
    pub(super) from_section: String,
    /// Rounds tonight; as many as last time where it is left out, or as are left of the event.
    pub(super) rounds: Option<u8>,
    /// Rounds of the whole event, where the first night did not say it or it has changed.
    pub(super) rounds_in_all: Option<u8>,
}

/// An offence.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FineInput {
    #[schema(example = "A")]
    pub(super) section: String,
    pub(super) contestant: u16,
    /// `{"kind": "late", "minutes": 7, "boards": 0}`, `{"kind": "psyche", "imps": 5}` (IMPs won on the
    /// board), `{"kind": "slow", "boards": 1, "minutes": 5}`,
    /// `{"kind": "score"}`, `telephone`, `line-up`, `{"kind": "fouled", "exchanged": false}`,
    /// `{"kind": "substitute", "gain": "some"}` (`none`, `significant`, `substantial`).
    #[schema(value_type = Object)]
    pub(super) offence: Offence,
    pub(super) why: String,
}

/// A section that plays matches.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SectionName {
    #[schema(example = "A")]
    pub(super) section: String,
}

/// Who of a team sits where.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LineUpInput {
    #[schema(example = "A")]
    pub(super) section: String,
    /// The team.
    pub(super) contestant: u16,
    /// From this round, or stanza, on.
    pub(super) round: u8,
    /// North, South, East, West by their names in the entry.
    pub(super) players: [String; 4],
}

/// How rounds are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FormatName {
    /// By standing.
    Swiss,
    /// Everybody against everybody.
    RoundRobin,
    /// The charts for 12 and 14 pairs.
    ButlerChart,
    /// An odd number of teams, each match in two halves.
    AmericanWhist,
    /// One match in stanzas.
    HeadToHead,
    /// The movement that the section plays.
    Movement,
    /// The first half of the pairs stays North-South, the others move.
    TwoFields,
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
    /// By hand: three who begin a triangle.
    pub(super) triangle: Option<[u16; 3]>,
    /// The k-th of the Swiss meets the k-th of those who come new in this round, by the knock-out
    /// matches that they lost.
    #[serde(default)]
    pub(super) drop_ins: bool,
    /// Only the matches that are the same however the unfinished ones end; the others when those
    /// are in.
    #[serde(default)]
    pub(super) certain_only: bool,
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
    /// `{"kind": "awarded", "home": 1200, "away": 800}` in hundredths; `boards-in`: those that are
    /// in count and no others; `{"kind": "mismatch", "home_at_fault": true, "away_at_fault": false}`;
    /// left out: its boards count.
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

/// Victory points as people write them, in hundredths.
pub(super) fn hundredths(points: f64) -> Result<i32, Problem> {
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
    /// With those who go on from an earlier stage, or the field as it is written here.
    pub(super) fn plan(
        &self,
        qualified: Option<Vec<ContestantPlan>>,
    ) -> Result<ContestPlan, Problem> {
        let contestants = match qualified {
            Some(qualified) => qualified,
            None => self.field()?,
        };
        let field = u8::try_from(contestants.len()).unwrap_or(u8::MAX);
        let rules = self.rules()?;
        let odd = !contestants.len().is_multiple_of(2);
        let format = match self.format {
            FormatName::RoundRobin if odd && self.odd == OddField::Triangle => Format::Troikas,
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::ButlerChart => Format::ButlerChart {
                seeded: self.seeded,
            },
            FormatName::AmericanWhist => Format::AmericanWhist,
            FormatName::HeadToHead => Format::HeadToHead,
            FormatName::Movement => Format::Movement,
            FormatName::TwoFields => Format::TwoFields,
            FormatName::Swiss => Format::Swiss {
                first: self.first,
                method: self.method.unwrap_or(self.regulation.method()),
                rematches: self.rematches,
                odd: self.odd,
            },
        };
        let (rounds, rounds_in_all) = self.rounds_of(format, field)?;
        if self.format == FormatName::Swiss && odd && self.odd == OddField::Ask {
            return Err(Problem::refused(tell!(Contest::OddNumber {
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
            other_table_shown: self.other_table_shown,
            earlier: None,
            play_offs: Vec::new(),
            rounds_in_all,
            at_tables: AtTables {
                one_set: self.one_set,
                minutes: self.minutes,
                no_new_board: self.no_new_board,
                appeal_minutes: self.appeal_minutes,
            },
        })
    }

    fn field(&self) -> Result<Vec<ContestantPlan>, Problem> {
        if self.format != FormatName::Movement && self.size.is_some() != self.contestants.is_empty()
        {
            return Err(Problem::unreadable(tell!(
                Contest::ExpectedEitherSizeNumber
            )));
        }
        let by_size = (1..=self.size.unwrap_or_default())
            .map(|number| Ok(ContestantPlan::numbered(contestant(number)?)));
        let by_name = self.contestants.iter().map(NewContestant::plan);
        by_size.chain(by_name).collect()
    }
}

impl NewContestant {
    pub(super) fn plan(&self) -> Result<ContestantPlan, Problem> {
        let it = self;
        let table = it.stationary.map(TableNumber::try_from).transpose();
        Ok(ContestantPlan {
            number: contestant(it.number)?,
            name: it.name.clone(),
            club: it.club.clone(),
            players: it.players.clone(),
            stationary: table.map_err(Problem::from)?,
            carry_over: hundredths(it.carry_over)?,
            carry_imps: i64::from(hundredths(it.carry_imps)?) * 100,
            forbidden: it
                .forbidden
                .iter()
                .map(|number| contestant(*number))
                .collect::<Result<_, _>>()?,
            seats_first: it.seats_first,
            lost: it.lost.map(LostInput::read),
            apart: false,
        })
    }
}

impl DrawInput {
    pub(super) fn wish(&self) -> Result<DrawWish, Problem> {
        let by_hand = self.matches.as_ref().map(|matches| {
            let pairs = matches.iter().map(|it| {
                let home = contestant(it.home)?;
                Ok((home, contestant(it.away)?))
            });
            let three = self.triangle.map(|three| three.map(contestant));
            let triangle = match three {
                Some([one, two, three]) => Some([one?, two?, three?]),
                None => None,
            };
            Ok::<_, Problem>(ByHand {
                matches: pairs.collect::<Result<Vec<_>, Problem>>()?,
                bye: self.bye.map(contestant).transpose()?,
                triangle,
            })
        });
        Ok(DrawWish {
            round: self.round.map(round).transpose()?,
            method: self.method,
            first: self.first,
            odd: self.odd,
            rematches: self.rematches,
            by_hand: by_hand.transpose()?,
            drop_ins: self.drop_ins,
        })
    }

    /// Matches by hand are at the tables that were written beside them.
    pub(super) fn keep_tables(&self, draw: &mut Draw) -> Result<(), Problem> {
        for input in self.matches.iter().flatten() {
            let own =
                |it: &&mut Pairing| (it.home.get(), it.away.get()) == (input.home, input.away);
            let pairing = draw.matches.iter_mut().find(own);
            if let Some((pairing, table)) = pairing.zip(input.table) {
                pairing.table = TableNumber::try_from(table).map_err(Problem::from)?;
            }
        }
        draw.matches.sort_by_key(|it| it.table);
        Ok(())
    }
}
