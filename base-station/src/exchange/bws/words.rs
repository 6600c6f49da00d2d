//! A result in the words of the table terminals.

use protocol::words::{Doubling, Rank};

use crate::exchange::LineSheet;
use crate::exchange::evening::Said;

/// Contract, result, lead and remark.
pub(super) fn words(line: &LineSheet) -> [String; 4] {
    let empty = String::new;
    match line.said() {
        Some(Said::Played(played)) => {
            let contract = played.contract;
            let doubled = match contract.doubling {
                Doubling::Undoubled => "",
                Doubling::Doubled => " x",
                Doubling::Redoubled => " xx",
            };
            let lead = played.lead.map(|lead| match lead.rank {
                Rank::TEN => format!("{}10", lead.suit),
                rank => format!("{}{rank}", lead.suit),
            });
            [
                format!("{} {}{doubled}", contract.level, contract.strain),
                crate::view::made(contract.over(played.tricks)),
                lead.unwrap_or_default(),
                empty(),
            ]
        }
        Some(Said::PassedOut) => ["PASS".to_owned(), empty(), empty(), empty()],
        Some(Said::Awarded(percents)) => [empty(), empty(), empty(), remark(percents)],
        Some(Said::Score(_)) => [empty(), empty(), empty(), "Arbitral score".to_owned()],
        None => [empty(), empty(), empty(), "Not played".to_owned()],
    }
}

/// `60%-40%`, in the three steps that the terminals know.
fn remark(percents: [Option<u16>; 2]) -> String {
    match percents {
        [
            Some(ns @ (4_000 | 5_000 | 6_000)),
            Some(ew @ (4_000 | 5_000 | 6_000)),
        ] => {
            format!("{}%-{}%", ns / 100, ew / 100)
        }
        _ => "Arbitral score".to_owned(),
    }
}
