//! Some nights of the year that `cargo run --release -p tests --bin year` plays.

use std::time::Duration;

use tests::year::{Options, play};

#[test]
fn a_few_nights_in_the_real_daemon_leave_only_the_last_one_in_its_memory() {
    let options = Options {
        nights: 4,
        tables: 16,
        boards: 8,
        receivers: 8,
        baud: 460_800,
        at_most: Duration::MAX,
    };
    let mut told = 0;
    let year = play(&options, &mut |_| told += 1);
    assert_eq!(told, 4);
    let last = year.nights.last().expect("four nights");
    assert!(last.results_in_all >= 4 * 16 * 5, "{last:?}");
    assert!(year.memory_added() < 4_000_000, "{:?}", year.nights);
    let (early, late) = year.journal_a_result().expect("a year");
    assert!(
        late <= early + early / 2,
        "{early} then {late} bytes a result"
    );
}
