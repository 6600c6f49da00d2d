//! Who comes into a stage from elsewhere: those who go on from an earlier one, and those who drop in.

use serde::Deserialize;
use utoipa::ToSchema;

use super::input::NewContestant;
use crate::contest::carried::Carried;
use crate::session::{ContestantPlan, LostMatch};
use crate::web::api::input::section;
use crate::web::{Problem, Web};

/// A stage whose best go on.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FromStage {
    /// The session it was played in; this one where it is left out.
    pub(super) session: Option<u32>,
    /// Its section there.
    #[schema(example = "A")]
    pub(super) section: String,
    /// How many go on.
    #[schema(example = 4)]
    pub(super) take: u16,
    /// What they bring along: `nothing`, `all`, `difference`, `wide-spread`, `itc-final`,
    /// `open-pairs`, `mixed-pairs`.
    #[serde(default)]
    #[schema(value_type = String, example = "difference")]
    pub(super) carry: Carried,
}

impl FromStage {
    /// Those who go on, the best first.
    pub(super) async fn field(&self, web: &Web) -> Result<Vec<ContestantPlan>, Problem> {
        let wanted = self.session.map(protocol::words::SessionId::try_from);
        let wanted = wanted.transpose().map_err(Problem::from)?;
        let (_, stage) = web.desk().known_session(wanted).await?;
        let letter = section(&self.section)?;
        let (take, carry) = (usize::from(self.take), self.carry);
        let field = tokio::task::spawn_blocking(move || stage.contest_field(letter, take, carry));
        let field = field.await.map_err(Problem::fault)?;
        field.map_err(|refused| Problem::refused(refused.0))
    }
}

/// Somebody who comes late, or drops in from a knock-out.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Latecomer {
    #[schema(example = "A")]
    pub(super) section: String,
    pub(super) contestant: NewContestant,
    /// Instead of `carry_over`: what the rule of a knock-out gives who drops in from it, by the
    /// leader's score: `gnot2006`, `gnot2012`.
    pub(super) entry: Option<EntryRule>,
    pub(super) why: String,
}

/// IMPs of a knock-out match that was lost; of one that was level, in a play-off.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LostInput {
    /// What it scored.
    #[schema(example = 38)]
    pub(super) scored: u16,
    /// What its opponents did.
    #[schema(example = 41)]
    pub(super) conceded: u16,
}

impl LostInput {
    pub(super) const fn read(self) -> LostMatch {
        LostMatch {
            scored: self.scored,
            conceded: self.conceded,
        }
    }
}

/// What somebody who drops into a Swiss starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EntryRule {
    /// The leader's score, but at most 20 a round.
    Gnot2006,
    /// Four fifths of what could be had, or the leader's score; at most five above the leader.
    Gnot2012,
}
