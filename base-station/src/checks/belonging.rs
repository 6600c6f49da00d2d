//! Whether the deal file belongs to the boards that the room plays.
//!
//! Three things are looked at in every contract: the lead is the leader's card, declarer's side
//! has seven trumps, the tricks are within two of double dummy. With the right file all three are
//! almost always so (on the real evening 96 contracts in 100); with any other deals each is so by
//! chance only. The evidence adds up; a board says only so much, so that one fouled board does
//! not make a wrong file.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, BoardResult, Played};

use super::finding::{Confidence, Finding, Remedy};
use super::plausible::trumps;
use super::room::Room;
use super::what::What;
use crate::deals::DealtBoard;

/// The share of a thing that is so with the right file: players make mistakes, too.
const RIGHT: f64 = 0.95;

/// A card is with one of four players.
const LEAD_BY_CHANCE: f64 = 0.25;

/// Two hands have seven or more of a suit as often as six or fewer.
const TRUMPS_BY_CHANCE: f64 = 0.5;

/// Measured with the real evening under deals of other boards.
const TRICKS_BY_CHANCE: f64 = 0.6;

/// Tricks that players are away from double dummy: all but three of the real evening's 295.
const TRICKS_AWAY_MAX: u8 = 2;

/// Fewer trumps than this are nobody's choice.
const TRUMPS_MIN: usize = 7;

/// The most that one board says, either way, as a logarithm of odds.
const BOARD_SAYS_MAX: f64 = 4.0;

/// The odds against the file from which the director hears of it: 22,000 to 1.
const TELL_FROM: f64 = 10.0;

/// Contracts before anything is said, and the tables they come from: one table that has the
/// wrong boards is another mistake.
const CONTRACTS_MIN: u32 = 8;
const TABLES_MIN: usize = 3;

/// What the results of one board say about the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Evidence {
    /// Odds for the file, as a logarithm.
    odds: f64,
    /// Contracts that were compared.
    contracts: u32,
    /// Those in which everything fits.
    fitting: u32,
}

/// What all results say about the file, kept board by board.
#[derive(Clone, Debug, Default)]
pub(super) struct Belonging {
    boards: BTreeMap<BoardNumber, Evidence>,
}

impl Belonging {
    /// A result of this board came, changed or went.
    pub(super) fn look_at(&mut self, room: &Room, board: BoardNumber) {
        let mut evidence = Evidence::default();
        if let Some(dealt) = room.deals.board(board) {
            for (_, line) in room.traveller(board) {
                if let BoardResult::Played(played) = line.result {
                    evidence.add(dealt, played);
                }
            }
        }
        if evidence.contracts == 0 {
            self.boards.remove(&board);
        } else {
            self.boards.insert(board, evidence);
        }
    }

    /// The one thing to say of a file that does not belong here.
    pub(super) fn finding(&self, room: &Room) -> Option<Finding> {
        let says = |evidence: &Evidence| evidence.odds.clamp(-BOARD_SAYS_MAX, BOARD_SAYS_MAX);
        let odds: f64 = self.boards.values().map(says).sum();
        let contracts: u32 = self.boards.values().map(|it| it.contracts).sum();
        let fitting: u32 = self.boards.values().map(|it| it.fitting).sum();
        if odds > -TELL_FROM || contracts < CONTRACTS_MIN {
            return None;
        }
        let lines = self.boards.keys().flat_map(|board| room.traveller(*board));
        let tables: BTreeSet<_> = lines.map(|(id, _)| id.table).collect();
        if tables.len() < TABLES_MIN {
            return None;
        }
        Some(Finding::at(
            room,
            (None, None, None),
            What::DealsDoNotFit { fitting, contracts },
            Confidence::from_log_odds(-odds),
            vec![Remedy::TakeDealsOff, Remedy::ItIsRight],
        ))
    }
}

impl Evidence {
    fn add(&mut self, dealt: &DealtBoard, played: Played) {
        let contract = played.contract;
        let lead = played
            .lead
            .map(|lead| dealt.deal.hand(contract.leader()).holds(lead));
        let trumps = trumps(dealt, contract).map(|count| count >= TRUMPS_MIN);
        let table = dealt.tricks.as_ref();
        let double_dummy = table.and_then(|it| it.get(contract.declarer, contract.strain));
        let tricks =
            double_dummy.map(|it| it.get().abs_diff(played.tricks.get()) <= TRICKS_AWAY_MAX);
        let looked_at = [
            (lead, LEAD_BY_CHANCE),
            (trumps, TRUMPS_BY_CHANCE),
            (tricks, TRICKS_BY_CHANCE),
        ];
        for (so, by_chance) in looked_at {
            self.odds += match so {
                Some(true) => (RIGHT / by_chance).ln(),
                Some(false) => ((1.0 - RIGHT) / (1.0 - by_chance)).ln(),
                None => 0.0,
            };
        }
        let known: Vec<bool> = looked_at.iter().filter_map(|(so, _)| *so).collect();
        if !known.is_empty() {
            self.contracts += 1;
            self.fitting += u32::from(known.iter().all(|so| *so));
        }
    }
}
