//! Players: the club's list, and who plays tonight.

use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use protocol::words::{PlayerNumber, RoundNumber};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::{pair, player, round};
use crate::exchange::people::{self, Column, PeopleList, Wanted};
use crate::session::plan::Partner;
use crate::session::{Command, PairId};
use crate::web::{Asked, Body, Director, Problem, Reader, Web};
use telling::tell;

/// The digits of the longest number.
const NUMBER_DIGITS_MAX: u8 = 9;

/// Members in one answer of the search.
const SEARCH_LEN: usize = 12;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(names, name_player))
        .routes(routes!(search, list_members))
        .routes(routes!(preview_members))
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
    players: Vec<NamedPlayer>,
}

/// A player.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct NamedPlayer {
    #[schema(value_type = Option<u32>)]
    number: Option<PlayerNumber>,
    /// The number as the club's list writes it; empty where it has none.
    written: String,
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
    /// With how many digits the number is written, zeros in front included: 6 for 004711.
    #[serde(default)]
    #[schema(maximum = 9)]
    digits: u8,
}

/// The club's list: CSV, a spreadsheet (XLSX, XLS, ODS) or BWS.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MemberFile {
    /// The text of a list.
    #[serde(default)]
    #[schema(example = "1001,Anna Berg\n1002,Karl Lind\n")]
    csv: String,
    /// Or the bytes of a file in Base64, whatever it is.
    #[serde(default)]
    base64: Option<String>,
    /// What is in which column, from the left; guessed where nothing is said.
    #[serde(default)]
    columns: Vec<Column>,
    /// The encoding of a text file, such as `windows-1252`; guessed where nothing is said.
    #[serde(default)]
    encoding: String,
    /// Take everybody else where some lines can't be taken.
    #[serde(default)]
    without_problems: bool,
}

impl MemberFile {
    /// What it says.
    async fn read(self) -> Result<PeopleList, Problem> {
        let bytes = match &self.base64 {
            None => self.csv.into_bytes(),
            Some(base64) => base64::engine::general_purpose::STANDARD
                .decode(base64)
                .map_err(|_| Problem::unreadable(tell!(Asked::ExpectedBytesFileBase64)))?,
        };
        let wanted = Wanted {
            columns: self.columns,
            encoding: self.encoding,
        };
        // A spreadsheet takes a moment, and pads must not wait for it.
        let reading = tokio::task::spawn_blocking(move || people::read(&bytes, &wanted));
        let read = reading.await.map_err(Problem::fault)?;
        read.map_err(|why| Problem::unreadable(why.0))
    }
}

/// How many players were taken.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct MembersRead {
    members: usize,
    /// Lines that were left out.
    left_out: usize,
}

/// A list before it counts.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct MembersPreview {
    #[serde(flatten)]
    list: PeopleList,
    /// Who would be in the club's list for the first time.
    new: usize,
    /// Whose name would be another one: number, name now, name then.
    #[schema(value_type = Vec<(u32, String, String)>)]
    renamed: Vec<(PlayerNumber, String, String)>,
    /// Lines that can't be taken.
    left_out: usize,
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
    members: Vec<NamedPlayer>,
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
            let number = player.and_then(|player| player.number);
            NamedPlayer {
                number,
                written: number.map_or_else(String::new, |it| session.written(&state.club, it)),
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
        digits: input.digits.min(NUMBER_DIGITS_MAX),
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
            .map(|(number, name)| NamedPlayer {
                number: Some(*number),
                written: state.club.written(*number),
                name: name.clone(),
            })
            .collect(),
    })
}

/// Takes in the club's list of players. A list with a line that can't be taken is refused, unless
/// `without_problems` says that the others are wanted all the same.
#[utoipa::path(post, path = "/api/members", tag = "names", request_body = MemberFile, responses((status = 200, body = MembersRead), (status = 400, body = crate::web::ProblemBody)))]
async fn list_members(
    State(web): State<Web>,
    director: Director,
    Body(file): Body<MemberFile>,
) -> Result<Json<MembersRead>, Problem> {
    let despite_problems = file.without_problems;
    let list = file.read().await?;
    if let Some(problem) = list.first_problem().filter(|_| !despite_problems) {
        return Err(Problem::unreadable(problem));
    }
    let (members, digits) = (list.members(), list.digits());
    let count = members.len();
    web.desk()
        .act(&director, Command::ListMembers { members, digits })
        .await?;
    Ok(Json(MembersRead {
        members: count,
        left_out: list.people.len() - count,
    }))
}

/// What a list of players says, and what it would change. Changes nothing.
#[utoipa::path(post, path = "/api/members/preview", tag = "names", request_body = MemberFile, responses((status = 200, body = MembersPreview), (status = 400, body = crate::web::ProblemBody)))]
async fn preview_members(
    State(web): State<Web>,
    _director: Director,
    Body(file): Body<MemberFile>,
) -> Result<Json<MembersPreview>, Problem> {
    let list = file.read().await?;
    let state = web.desk().state();
    let known = &state.club.members;
    let members = list.members();
    let new = members
        .iter()
        .filter(|(number, _)| !known.contains_key(number));
    let new = new.count();
    let renamed = members.iter().filter_map(|(number, name)| {
        let now = known.get(number).filter(|now| *now != name)?;
        Some((*number, now.clone(), name.clone()))
    });
    Ok(Json(MembersPreview {
        new,
        renamed: renamed.collect(),
        left_out: list.people.len() - members.len(),
        list,
    }))
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
