//! Players: the club's list, and who plays tonight.

use axum::Json;
use axum::extract::State;
use protocol::words::{PlayerNumber, RoundNumber};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::{pair, player, round};
use crate::session::plan::Partner;
use crate::session::{Command, PairId};
use crate::web::{Asked, Body, Director, Problem, Reader, Web};

/// Members in one answer of the search.
const SEARCH_LEN: usize = 12;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(names, name_player))
        .routes(routes!(search, list_members))
        .routes(routes!(rename_member))
}

/// Everybody who plays tonight.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Names {
    pairs: Vec<PairNames>,
}

/// A pair and its two players.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PairNames {
    #[schema(value_type = String, example = "A7NS")]
    pair: PairId,
    players: Vec<PlayerView>,
}

/// A player.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PlayerView {
    #[schema(value_type = Option<u32>)]
    number: Option<PlayerNumber>,
    /// Empty where nobody knows it.
    name: String,
}

/// A player of a pair.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NamePlayer {
    #[schema(example = "A7NS")]
    pair: String,
    /// `First` (North or East) or `Second`.
    #[schema(value_type = String, example = "First")]
    partner: Partner,
    /// 0 for a visitor.
    number: Option<u32>,
    /// Empty to take it from the club's list.
    #[serde(default)]
    #[schema(max_length = 60)]
    name: String,
    /// From this round on; later than 1 for a substitute.
    #[serde(default = "first_round")]
    from: u8,
}

/// The club's list as CSV.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MemberFile {
    /// Number and name in each line; a heading is skipped.
    #[schema(example = "1001,Anna Berg\n1002,Karl Lind\n")]
    csv: String,
}

/// How many players were read.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct MembersRead {
    members: usize,
}

/// Whom to look for.
#[derive(Clone, Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct Search {
    /// Part of a name or a number.
    search: String,
}

/// Members found.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Found {
    members: Vec<PlayerView>,
}

/// The right spelling of a name.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Rename {
    number: u32,
    name: String,
}

const fn first_round() -> u8 {
    1
}

/// Everybody who plays tonight, pair by pair.
#[utoipa::path(get, path = "/api/names", tag = "names", responses((status = 200, body = Names)))]
async fn names(State(web): State<Web>, _reader: Reader) -> Result<Json<Names>, Problem> {
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    let pairs = session.pairs().into_iter().map(|pair| {
        let player = |partner| {
            let player = session.roster.at(pair, partner, RoundNumber::FIRST);
            PlayerView {
                number: player.and_then(|player| player.number),
                name: player.map_or_else(String::new, |player| player.name_from(&state.club)),
            }
        };
        PairNames {
            pair,
            players: vec![player(Partner::First), player(Partner::Second)],
        }
    });
    Ok(Json(Names {
        pairs: pairs.collect(),
    }))
}

/// Names a player, a substitute or a visitor for tonight.
#[utoipa::path(post, path = "/api/names", tag = "names", request_body = NamePlayer, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn name_player(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<NamePlayer>,
) -> Answer {
    let command = Command::NamePlayer {
        pair: pair(&input.pair)?,
        partner: input.partner,
        number: input.number.map(player).transpose()?,
        name: input.name,
        from: round(input.from)?,
    };
    web.desk().done(&director, command).await
}

/// Looks for members by part of their name or number.
#[utoipa::path(get, path = "/api/members", tag = "names", params(Search), responses((status = 200, body = Found)))]
async fn search(
    State(web): State<Web>,
    _director: Director,
    Asked(Search { search }): Asked<Search>,
) -> Json<Found> {
    let wanted = search.trim().to_lowercase();
    let state = web.desk().state();
    let members = state.club.members.iter().filter(|(number, name)| {
        name.to_lowercase().contains(&wanted) || number.to_string().starts_with(&wanted)
    });
    Json(Found {
        members: members
            .take(SEARCH_LEN)
            .map(|(number, name)| PlayerView {
                number: Some(*number),
                name: name.clone(),
            })
            .collect(),
    })
}

/// Takes in the club's list of players.
#[utoipa::path(post, path = "/api/members", tag = "names", request_body = MemberFile, responses((status = 200, body = MembersRead), (status = 400, body = crate::web::ProblemBody)))]
async fn list_members(
    State(web): State<Web>,
    director: Director,
    Body(MemberFile { csv }): Body<MemberFile>,
) -> Result<Json<MembersRead>, Problem> {
    let members = read_members(&csv)?;
    let count = members.len();
    web.desk()
        .act(&director, Command::ListMembers { members })
        .await?;
    Ok(Json(MembersRead { members: count }))
}

/// Puts a misspelt name right for good.
#[utoipa::path(post, path = "/api/members/rename", tag = "names", request_body = Rename, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn rename_member(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<Rename>,
) -> Answer {
    let command = Command::RenameMember {
        number: player(input.number)?,
        name: input.name,
    };
    web.desk().done(&director, command).await
}

/// Number and name, separated by comma, semicolon or tab. A first line without a number is a
/// heading.
fn read_members(text: &str) -> Result<Vec<(PlayerNumber, String)>, Problem> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    let delimiter = [b';', b'\t', b',']
        .into_iter()
        .max_by_key(|mark| first.bytes().filter(|byte| byte == mark).count())
        .unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut members = Vec::new();
    for (line, row) in (1_usize..).zip(reader.records()) {
        let row = row.map_err(|error| Problem::unreadable(format!("Line {line}: {error}.")))?;
        if row.iter().all(str::is_empty) {
            continue;
        }
        let number = row
            .get(0)
            .and_then(|text| text.parse::<PlayerNumber>().ok());
        let name: Vec<&str> = row.iter().skip(1).filter(|part| !part.is_empty()).collect();
        match number {
            Some(number) if !name.is_empty() => members.push((number, name.join(" "))),
            None if line == 1 => {}
            _ => {
                return Err(Problem::unreadable(format!(
                    "Line {line}: expected a player's number and name, such as 1001,Anna Berg."
                )));
            }
        }
    }
    if members.is_empty() {
        return Err(Problem::unreadable(
            "The file names no players. Expected a number and a name in each line.",
        ));
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::read_members;

    #[test]
    fn a_list_of_players_is_read_however_the_office_saved_it() {
        for text in [
            "1001,Anna Berg\n1002,Karl Lind\n",
            "\u{feff}number;name\r\n1001;Anna Berg\r\n1002;Karl Lind\r\n",
            "1001\tAnna\tBerg\n\n1002\tKarl\tLind",
        ] {
            let members = read_members(text).expect("readable");
            let names: Vec<&str> = members.iter().map(|(_, name)| name.as_str()).collect();
            assert_eq!(names, ["Anna Berg", "Karl Lind"], "{text:?}");
        }
    }

    #[test]
    fn a_list_with_a_bad_line_is_refused_with_its_number() {
        let refused = read_members("1001,Anna\nno number,Karl\n").expect_err("bad line");
        assert!(refused.sentence().starts_with("Line 2:"), "{refused:?}");
        assert!(read_members("").is_err());
        assert!(read_members("number,name\n").is_err());
    }
}
