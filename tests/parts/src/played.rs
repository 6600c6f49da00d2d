//! Results as people write them.

use protocol::words::{BoardResult, Contract, Played, Seat};

/// `4S N =`: contract, declarer, result.
pub fn played(text: &str) -> BoardResult {
    let words: Vec<&str> = text.split(' ').collect();
    let [contract, declarer, result] = words.as_slice() else {
        panic!("expected a result such as 4S N =, not {text}");
    };
    let declarer: Seat = declarer.parse().expect("a seat");
    let contract = Contract::parse(contract, declarer).expect("a contract");
    let tricks = contract.level.tricks_from_text(result).expect("a result");
    BoardResult::Played(Played {
        contract,
        tricks,
        lead: None,
    })
}
