//! Matches of a knock-out played in a section of tonight's session: stanzas, pads and all.

use axum::Json;
use axum::extract::State;
use protocol::words::PairNumber;
use season::MatchNumber;
use serde::{Deserialize, Serialize};
use telling::tell;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::knockout;
use crate::contest::rules::Level;
use crate::contest::{Comparison, Regulation, Rules};
use crate::scoring::VpScale;
use crate::session::{
    AtTables, Command, CompetitionCommand, ContestCommand, ContestPlan, ContestantPlan, DrawAsked,
    DrawWish, Format, KnockOutCommand, KnockOutId, PlayedAt,
};
use crate::view::{Audience, KnockOutMatch};
use crate::web::api::input::section;
use crate::web::api::results;
use crate::web::{Body, Director, Named, Problem, Web};

pub(in crate::web::api) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new().routes(routes!(play))
}

/// Which matches are played, and how.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayInput {
    /// A section of tonight's session that plays nothing else.
    #[schema(example = "A")]
    section: String,
    /// Left out: all that can be played now.
    #[serde(default)]
    matches: Vec<u16>,
    /// Stanzas of a match tonight.
    #[schema(example = 2)]
    stanzas: u8,
    /// Boards of a stanza.
    #[schema(example = 14)]
    boards: u8,
    #[serde(default = "one")]
    first_board: u8,
    /// `teams-imps`, `board-a-match`, or for pairs `butler`, `cross-imps`, `matchpoints`.
    #[serde(default = "teams")]
    #[schema(value_type = String, example = "teams-imps")]
    comparison: Comparison,
    /// As where matches are set up.
    #[serde(default)]
    #[schema(value_type = String, example = "gnot")]
    regulation: Regulation,
    /// Instead of the regulation's scale.
    #[schema(value_type = Option<String>)]
    scale: Option<VpScale>,
    /// Instead of what the regulation says of a match that ends level.
    #[schema(value_type = Option<String>)]
    level: Option<Level>,
    /// The matches go on in another session: nobody has won yet when this one ends.
    #[serde(default)]
    goes_on: bool,
    /// The two tables of a match share one set of boards.
    #[serde(default)]
    one_set: bool,
}

const fn one() -> u8 {
    1
}

const fn teams() -> Comparison {
    Comparison::TeamsImps
}

/// Matches that are played now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Playing {
    /// By their numbers.
    matches: Vec<u16>,
    /// The first stanza is drawn in this section.
    #[schema(example = "A")]
    section: String,
}

/// Lets a section of tonight's session play matches of a knock-out: contestants keep the numbers of
/// their seeds, the first stanza is drawn, and the boards say who goes on. A match that goes on from
/// an earlier session begins with what it has come to there.
#[utoipa::path(post, path = "/api/knockouts/{knockout}/play", operation_id = "play_knockout", tag = "competitions", params(("knockout" = u32, Path)), request_body = PlayInput, responses((status = 200, body = Playing), (status = 409, body = crate::web::ProblemBody)))]
async fn play(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<PlayInput>,
) -> Result<Json<Playing>, Problem> {
    let desk = web.desk();
    let state = desk.state();
    let session = results::session(&state)?.id;
    let now = knockout::view(&web, &state, number, Audience::Director).await?;
    if now.away {
        return Err(Problem::refused(tell!(Knockout::IsAway {
            name: &*now.name
        })));
    }
    let own = chosen(&now.matches, &input.matches)?;
    let letter = section(&input.section)?;
    let plan = plan_of(&own, &input, &now.name)?;
    let planned = ContestCommand::Plan {
        section: letter,
        plan,
    };
    desk.act(&director, Command::Contest(planned)).await?;
    let proposal = {
        let state = desk.state();
        let session = results::session(&state)?;
        let drawn = session.propose_draw(letter, &DrawWish::default(), 0);
        drawn.map_err(|refused| Problem::refused(refused.0))?
    };
    let drawn = ContestCommand::Publish {
        section: letter,
        round: proposal.round,
        draw: proposal.drawn.draw,
        wish: None,
        asked: DrawAsked::default(),
        rematches: true,
        why: String::new(),
    };
    desk.act(&director, Command::Contest(drawn)).await?;
    for it in &own {
        let sides = seeds(it)?;
        let before = it.at.iter().map(|at| {
            Ok(PlayedAt {
                session: super::session(at.session)?,
                section: section(&at.section)?,
                contestants: at.contestants,
                brings: at.brings,
            })
        });
        let mut at = before.collect::<Result<Vec<_>, Problem>>()?;
        // A section that is set up anew is the same part.
        at.retain(|it| (it.session, it.section) != (session, letter));
        at.push(PlayedAt {
            session,
            section: letter,
            contestants: sides,
            brings: !at.is_empty(),
        });
        let met = KnockOutCommand::Meet {
            knock_out: KnockOutId(number),
            number: MatchNumber(it.number),
            sides,
            at,
            goes_on: input.goes_on,
        };
        let met = Command::Competition(CompetitionCommand::KnockOut(met));
        desk.act(&director, met).await?;
    }
    Ok(Json(Playing {
        matches: own.iter().map(|it| it.number).collect(),
        section: letter.to_string(),
    }))
}

/// The matches that are played: those that were named, or all that can be.
fn chosen(all: &[KnockOutMatch], named: &[u16]) -> Result<Vec<KnockOutMatch>, Problem> {
    let free = |own: &&KnockOutMatch| own.ready && (own.at.is_empty() || own.goes_on);
    if named.is_empty() {
        let free: Vec<_> = all.iter().filter(free).cloned().collect();
        if free.is_empty() {
            return Err(Problem::refused(tell!(Knockout::NothingToPlay)));
        }
        return Ok(free);
    }
    let found = named.iter().map(|&number| {
        let own = all.iter().find(|it| it.number == number);
        let own = own.ok_or_else(|| Problem::refused(tell!(Knockout::NoSuchMatch { number })))?;
        if own.sides.iter().any(|it| it.seed.is_none()) {
            return Err(Problem::refused(tell!(Knockout::NotReady { number })));
        }
        if !free(&own) {
            return Err(Problem::refused(tell!(Knockout::PlayedAlready { number })));
        }
        Ok(own.clone())
    });
    let found = found.collect::<Result<Vec<_>, _>>()?;
    let twice = |at: usize| named[..at].contains(&named[at]);
    if let Some(at) = (0..named.len()).find(|at| twice(*at)) {
        let number = named[at];
        return Err(Problem::refused(tell!(Knockout::PlayedAlready { number })));
    }
    Ok(found)
}

fn seeds(own: &KnockOutMatch) -> Result<[u16; 2], Problem> {
    let number = own.number;
    match (own.sides[0].seed, own.sides[1].seed) {
        (Some(one), Some(other)) => Ok([one, other]),
        _ => Err(Problem::refused(tell!(Knockout::NotReady { number }))),
    }
}

/// One stage of a section: contestants in twos, under the numbers of their seeds.
fn plan_of(
    matches: &[KnockOutMatch],
    input: &PlayInput,
    name: &str,
) -> Result<ContestPlan, Problem> {
    let mut contestants = Vec::new();
    for own in matches {
        for (seed, (side, sign)) in seeds(own)?
            .into_iter()
            .zip(own.sides.iter().zip([1.0, -1.0]))
        {
            let number = PairNumber::try_from(seed).map_err(Problem::from)?;
            // The lead of a match that goes on is brought along by who has it.
            let lead = own
                .margin
                .filter(|_| !own.at.is_empty())
                .unwrap_or_default();
            let carry_imps = in_ten_thousandths(lead * sign).max(0);
            contestants.push(ContestantPlan {
                name: side.name.to_string(),
                carry_imps,
                ..ContestantPlan::numbered(number)
            });
        }
    }
    let mut rules = Rules::of(input.regulation, input.comparison);
    rules.scale = input.scale.unwrap_or(rules.scale);
    rules.level = input.level.unwrap_or(rules.level);
    Ok(ContestPlan {
        name: name.to_owned(),
        colour: String::new(),
        contestants,
        format: Format::HeadToHead,
        rounds: input.stanzas,
        boards: input.boards,
        first_board: input.first_board,
        rules,
        other_table_shown: false,
        earlier: None,
        play_offs: Vec::new(),
        rounds_in_all: None,
        at_tables: AtTables {
            one_set: input.one_set,
            ..AtTables::default()
        },
    })
}

/// Of an IMP.
fn in_ten_thousandths(imps: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a few hundred IMPs")]
    let whole = (imps * 10_000.0).round() as i64;
    whole
}
