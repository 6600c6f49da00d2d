//! How loudly each check speaks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::finding::Kind;

/// How a finding reaches the director.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attention {
    /// It is shown at once.
    #[default]
    On,
    /// It is listed, without a sound or a box.
    Quiet,
    /// It is not looked for.
    Off,
}

impl std::fmt::Display for Attention {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::On => "on",
            Self::Quiet => "quiet",
            Self::Off => "off",
        })
    }
}

/// The director's choice for every check. Checks that are not named are on. Nothing here ever
/// stops a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CheckSettings {
    chosen: BTreeMap<Kind, Attention>,
}

impl CheckSettings {
    /// How this check speaks.
    pub fn of(&self, kind: Kind) -> Attention {
        self.chosen.get(&kind).copied().unwrap_or_default()
    }

    /// Makes it speak so from now on.
    pub fn choose(&mut self, kind: Kind, attention: Attention) {
        self.chosen.insert(kind, attention);
    }
}
