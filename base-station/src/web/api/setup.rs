//! Setting up: calendar and settings.

use axum::Json;
use axum::extract::State;
use protocol::message::Settings;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::section;
use crate::session::plan::{AdjustedRows, Method, Rounding, Scoring, ShortBoards, Timing, Way};
use crate::session::{Command, EventId};
use crate::web::{Body, Director, Named, Problem, Reader, Reads, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(calendar))
        .routes(routes!(create_event))
        .routes(routes!(add_session))
        .routes(routes!(choose_session))
        .routes(routes!(remove_section))
        .routes(routes!(settings, change_settings))
        .routes(routes!(scoring_presets))
        .routes(routes!(choose_way))
        .routes(routes!(set_section_gate))
}

/// Sessions of the calendar.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Calendar {
    /// The latest first.
    sessions: Vec<CalendarLine>,
}

/// A session of the calendar.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CalendarLine {
    id: u32,
    event_id: u32,
    event: String,
    date: String,
    title: String,
    chosen: bool,
    /// Results that pads still held when another session was being played.
    late_entries: u16,
}

/// A new event with its first session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewEvent {
    name: String,
    /// As 2026-11-16.
    #[schema(example = "2026-11-16")]
    date: String,
    #[serde(default)]
    title: String,
}

/// One more session of an event.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewSession {
    event: u32,
    #[schema(example = "2026-11-16")]
    date: String,
    #[serde(default)]
    title: String,
}

/// A session.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Chosen {
    session: u32,
}

/// Everything that can be chosen about a session.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AllSettings {
    /// How pads behave.
    #[schema(value_type = Object)]
    pads: Settings,
    /// How it is scored.
    scoring: ScoringSettings,
    /// How long rounds take.
    #[schema(value_type = Object)]
    timing: Timing,
}

/// How a session is scored. What came to the list later may be left out: then it stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ScoringSettings {
    /// `Matchpoints`, `CrossImps` or `Butler`.
    #[schema(value_type = String, example = "Matchpoints")]
    method: Method,
    /// One point for each pair beaten rather than two.
    single: bool,
    /// All sections are one field.
    across_sections: bool,
    /// `Neuberg` or `Manual`.
    #[schema(value_type = String, example = "Neuberg")]
    adjusted_rows: AdjustedRows,
    /// `Tenth`, `Hundredth` or `TenThousandth`.
    #[schema(value_type = String, example = "Hundredth")]
    rounding: Rounding,
    /// What boards with fewer results are worth: `CommonTop` or `OwnTop`.
    #[schema(value_type = Option<String>, example = "CommonTop")]
    short_boards: Option<ShortBoards>,
    /// Who has less than this share of the boards, in percent, has no place.
    #[schema(maximum = 100)]
    least_share_percent: Option<u8>,
}

impl ScoringSettings {
    const fn of(scoring: Scoring) -> Self {
        Self {
            method: scoring.method,
            single: scoring.single,
            across_sections: scoring.across_sections,
            adjusted_rows: scoring.adjusted_rows,
            rounding: scoring.rounding,
            short_boards: Some(scoring.short_boards),
            least_share_percent: Some(scoring.least_share_percent),
        }
    }

    fn over(self, now: Scoring) -> Scoring {
        Scoring {
            method: self.method,
            single: self.single,
            across_sections: self.across_sections,
            adjusted_rows: self.adjusted_rows,
            rounding: self.rounding,
            short_boards: self.short_boards.unwrap_or(now.short_boards),
            least_share_percent: self.least_share_percent.unwrap_or(now.least_share_percent),
        }
    }
}

/// Ways of scoring that can be chosen as a whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ScoringPresets {
    presets: Vec<ScoringPreset>,
}

/// A way of scoring.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct ScoringPreset {
    /// `ClubEvening` or `ClubManual`.
    #[schema(example = "ClubEvening")]
    name: &'static str,
    scoring: ScoringSettings,
}

/// Whether the tables of a section may log on.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SectionGate {
    open: bool,
}

/// How results come to the base station tonight.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChosenWay {
    /// `Pads` or `Paper`.
    #[schema(value_type = String, example = "Paper")]
    way: Way,
}

/// The calendar.
#[utoipa::path(get, path = "/api/calendar", tag = "set-up", responses((status = 200, body = Calendar)))]
async fn calendar(State(web): State<Web>, _reader: Reader) -> Json<Calendar> {
    let state = web.desk().state();
    let sessions = state
        .club
        .sessions
        .iter()
        .rev()
        .map(|(id, scheduled)| CalendarLine {
            id: id.get(),
            event_id: scheduled.event.0,
            event: state.club.event_name(*id).unwrap_or_default().to_owned(),
            date: scheduled.date.clone(),
            title: scheduled.title.clone(),
            chosen: state.club.chosen == Some(*id),
            late_entries: scheduled.late_entries,
        });
    Json(Calendar {
        sessions: sessions.collect(),
    })
}

/// Creates an event with its first session, which becomes the one being worked with. Its pads speak
/// what they spoke last; a club's first ones speak what its director reads.
#[utoipa::path(post, path = "/api/calendar/events", tag = "set-up", request_body = NewEvent, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn create_event(
    State(web): State<Web>,
    director: Director,
    Reads(reads): Reads,
    Body(new): Body<NewEvent>,
) -> Answer {
    let before = web.desk().state();
    let spoken = before.session.as_ref();
    let language = spoken.map_or(reads, |session| session.settings.language);
    let command = Command::CreateEvent {
        name: new.name,
        date: new.date,
        title: new.title,
    };
    let done = web.desk().act(&director, command).await?;
    let pads = web.desk().state().pad_settings();
    if pads.language == language {
        return Ok(Json(done));
    }
    let settings = Settings { language, ..pads };
    web.desk()
        .done(&director, Command::ChangeSettings(settings))
        .await
}

/// Adds a session to an event.
#[utoipa::path(post, path = "/api/calendar/sessions", tag = "set-up", request_body = NewSession, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn add_session(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<NewSession>,
) -> Answer {
    let command = Command::AddSession {
        event: EventId(new.event),
        date: new.date,
        title: new.title,
    };
    web.desk().done(&director, command).await
}

/// Works with another session from now on.
#[utoipa::path(post, path = "/api/calendar/choose", tag = "set-up", request_body = Chosen, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn choose_session(
    State(web): State<Web>,
    director: Director,
    Body(chosen): Body<Chosen>,
) -> Answer {
    let session = chosen
        .session
        .try_into()
        .map_err(|refusal: protocol::words::Refusal| Problem::from(refusal))?;
    web.desk()
        .done(&director, Command::ChooseSession { session })
        .await
}

/// Drops a section.
#[utoipa::path(delete, path = "/api/setup/sections/{section}", tag = "set-up", params(("section" = String, Path, example = "A")), responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn remove_section(
    State(web): State<Web>,
    director: Director,
    Named(letter): Named<String>,
) -> Answer {
    let section = section(&letter)?;
    web.desk()
        .done(&director, Command::RemoveSection { section })
        .await
}

/// All settings of the session.
#[utoipa::path(get, path = "/api/settings", tag = "set-up", responses((status = 200, body = AllSettings)))]
async fn settings(
    State(web): State<Web>,
    _director: Director,
) -> Result<Json<AllSettings>, Problem> {
    let state = web.desk().state();
    AllSettings::of(&state).map(Json)
}

/// Ways of scoring that can be chosen as a whole: as federations do it, and as the club manual.
#[utoipa::path(get, path = "/api/settings/presets", tag = "set-up", responses((status = 200, body = ScoringPresets)))]
async fn scoring_presets(_director: Director) -> Json<ScoringPresets> {
    let preset = |name, scoring| ScoringPreset {
        name,
        scoring: ScoringSettings::of(scoring),
    };
    Json(ScoringPresets {
        presets: vec![
            preset("ClubEvening", Scoring::CLUB_EVENING),
            preset("ClubManual", Scoring::CLUB_MANUAL),
        ],
    })
}

/// Changes settings; they reach pads at their next contact.
#[utoipa::path(put, path = "/api/settings", tag = "set-up", request_body = AllSettings, responses((status = 200, body = AllSettings), (status = 409, body = crate::web::ProblemBody)))]
async fn change_settings(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<AllSettings>,
) -> Result<Json<AllSettings>, Problem> {
    let state = web.desk().state();
    let now = AllSettings::of(&state)?;
    let pads = (new.pads != now.pads).then_some(Command::ChangeSettings(new.pads));
    let before = super::results::session(&state)?.scoring;
    let scoring = new.scoring.over(before);
    let scoring = (scoring != before).then_some(Command::ChooseScoring(scoring));
    let timing = (new.timing != now.timing).then_some(Command::ChooseTiming(new.timing));
    let commands: Vec<_> = [pads, scoring, timing].into_iter().flatten().collect();
    // All or nothing: one that will be refused must not leave the others changed.
    for command in &commands {
        web.desk().would_do(&director, command)?;
    }
    for command in commands {
        web.desk().act(&director, command).await?;
    }
    let state = web.desk().state();
    AllSettings::of(&state).map(Json)
}

/// Lets the tables of a section log on, or not yet.
#[utoipa::path(put, path = "/api/setup/sections/{section}/gate", tag = "set-up", params(("section" = String, Path, example = "A")), request_body = SectionGate, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn set_section_gate(
    State(web): State<Web>,
    director: Director,
    Named(letter): Named<String>,
    Body(SectionGate { open }): Body<SectionGate>,
) -> Answer {
    let section = section(&letter)?;
    web.desk()
        .done(&director, Command::SetSectionGate { section, open })
        .await
}

/// Chooses whether results come from pads or on paper.
#[utoipa::path(put, path = "/api/settings/way", tag = "set-up", request_body = ChosenWay, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn choose_way(
    State(web): State<Web>,
    director: Director,
    Body(chosen): Body<ChosenWay>,
) -> Answer {
    web.desk()
        .done(&director, Command::ChooseWay(chosen.way))
        .await
}

impl AllSettings {
    fn of(state: &crate::session::State) -> Result<Self, Problem> {
        let session = super::results::session(state)?;
        Ok(Self {
            pads: state.pad_settings(),
            scoring: ScoringSettings::of(session.scoring),
            timing: session.timing,
        })
    }
}
