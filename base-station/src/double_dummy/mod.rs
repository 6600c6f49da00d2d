//! What a deal is worth when everybody sees all the cards: tricks for every declarer and strain,
//! and par.
//!
//! Tricks come from the deal file, or from an [`Engine`]: the `double-dummy` feature brings one,
//! which needs a C++ compiler and libclang to build. Par follows from the tricks alone, so that
//! it is there in every build. The work is done one deal at a time on one core, because the base
//! station has an evening to run beside it.

#[cfg(feature = "double-dummy")]
mod dds;
mod par;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use protocol::message::TricksTable;
use protocol::words::Deal;

use crate::deals::Deals;

pub use par::par;

/// Finds double-dummy tricks. It takes about a third of a second a deal.
pub trait Engine: Send {
    /// The tricks of every declarer in every strain.
    fn tricks(&mut self, deal: &Deal) -> TricksTable;
}

/// Whether this program was built with an engine.
pub const IS_BUILT_IN: bool = cfg!(feature = "double-dummy");

/// The engine this program was built with, if any.
pub fn engine() -> Option<Box<dyn Engine>> {
    #[cfg(feature = "double-dummy")]
    return Some(Box::new(dds::Dds::default()));
    #[cfg(not(feature = "double-dummy"))]
    None
}

/// How far the work is, for the progress bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Progress {
    /// Boards with tricks and par.
    pub done: usize,
    /// All boards.
    pub total: usize,
}

/// Fills in what the deal file left out. Reports after every board, and ends early when told to
/// (the director has chosen another file). Boards that can't be completed without an engine are
/// left as they are.
pub fn complete(
    deals: &mut Deals,
    mut engine: Option<&mut dyn Engine>,
    mut report: impl FnMut(Progress, &Deals) -> ControlFlow<()>,
) {
    let boards: Vec<_> = deals.iter().copied().collect();
    let total = boards.len();
    let mut done = 0;
    for mut dealt in boards {
        if dealt.tricks.is_none()
            && let Some(engine) = engine.as_deref_mut()
        {
            dealt.tricks = Some(engine.tricks(&dealt.deal));
        }
        if let Some(tricks) = &dealt.tricks {
            let found = par(tricks, dealt.board.dealer(), dealt.board.vulnerability());
            // A file's own par is kept where it differs: its program may count otherwise.
            if dealt.par.is_none_or(|file| file.score == found.score) {
                dealt.par = Some(found);
            }
            done += 1;
        }
        deals.put(dealt);
        if report(Progress { done, total }, deals).is_break() {
            return;
        }
    }
}
