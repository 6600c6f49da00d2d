//! What a regulation sets, before somebody chooses it.

use axum::Json;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::contest::{Comparison, Regulation};
use crate::view::RegulationView;
use crate::web::{Asked, Director, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new().routes(routes!(regulation))
}

/// A regulation, and for which matches.
#[derive(Clone, Copy, Debug, Deserialize)]
struct RegulationAsked {
    regulation: Regulation,
    comparison: Comparison,
    boards: u16,
    #[serde(default)]
    stanzas: bool,
}

impl RegulationAsked {
    fn view(self) -> RegulationView {
        let boards = self.boards.clamp(1, 255);
        RegulationView::of(self.regulation, self.comparison, boards, self.stanzas)
    }
}

/// What a regulation sets for such matches, in plain words. Nothing is changed.
#[utoipa::path(get, path = "/api/contest/regulation", tag = "matches", params(("regulation" = String, Query, example = "gnot"), ("comparison" = String, Query, example = "teams-imps"), ("boards" = u16, Query, description = "Boards of a match"), ("stanzas" = Option<bool>, Query, description = "A match that IMPs decide")), responses((status = 200, body = RegulationView), (status = 400, body = crate::web::ProblemBody)))]
async fn regulation(
    _director: Director,
    Asked(asked): Asked<RegulationAsked>,
) -> Json<RegulationView> {
    Json(asked.view())
}
