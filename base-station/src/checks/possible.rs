//! The scores that some contract gives, by vulnerability.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use protocol::words::{Score, Tricks, Vulnerability, score_of};

use super::written::contracts;

pub(super) const ALL_VULNERABILITIES: [Vulnerability; 4] = [
    Vulnerability::None,
    Vulnerability::NorthSouth,
    Vulnerability::EastWest,
    Vulnerability::Both,
];

/// All scores that can be made at this vulnerability, 0 for a board passed out among them.
pub fn scores(vulnerability: Vulnerability) -> &'static BTreeSet<Score> {
    static SCORES: LazyLock<[BTreeSet<Score>; 4]> =
        LazyLock::new(|| ALL_VULNERABILITIES.map(at_vulnerability));
    let [none, ns, ew, both] = &*SCORES;
    match vulnerability {
        Vulnerability::None => none,
        Vulnerability::NorthSouth => ns,
        Vulnerability::EastWest => ew,
        Vulnerability::Both => both,
    }
}

fn at_vulnerability(vulnerability: Vulnerability) -> BTreeSet<Score> {
    let made = contracts().flat_map(|contract| {
        (0..=Tricks::MAX.get())
            .filter_map(Tricks::new)
            .map(move |tricks| score_of(contract, tricks, vulnerability))
    });
    made.chain([Score(0)]).collect()
}
