//! How a pad came to hold a table.

use serde::{Deserialize, Serialize};

/// How a pad came to hold a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Admission {
    /// The table was free.
    LoggedOn,
    /// In the place of another pad.
    Replaced,
    /// The same pad, which had lost its game.
    Recovered,
}
