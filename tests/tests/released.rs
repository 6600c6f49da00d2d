//! A released program does an evening: set up through the page, pads over a serial port (or over the
//! network, with `BYESTAND_RELAY`), killed in the middle and started again, sheets made. `BYESTAND_PROGRAM` names it; `tests/wine-program` and
//! `tests/arm64-program` stand for those that this machine can't run itself.

use std::time::Duration;

use bench_parts::Relay;
use protocol::words::{BoardResult, Contract, Played, Seat, Tricks};
use serde_json::json;
use tests::daemon::Daemon;
use tests::pads::Pads;

const TABLES: u16 = 4;
const BAUD: u32 = 19_200;

/// Foreign machines are emulated, and slow.
const PATIENCE: Duration = Duration::from_secs(300);

/// Each player holds a suit: the engine is soon done with it.
const DEAL: &str = r#"[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
"#;

fn result(table: u16) -> BoardResult {
    let tricks = 7 + u8::try_from(table % 5).expect("few");
    BoardResult::Played(Played {
        contract: Contract::parse("3NT", Seat::South).expect("a contract"),
        tricks: Tricks::new(tricks).expect("tricks"),
        lead: Some("HK".parse().expect("a card")),
    })
}

#[test]
fn a_released_program_plays_an_evening_is_killed_and_loses_nothing() {
    let mut pads = Pads::new(TABLES, BAUD);
    // qemu-user knows nothing of serial ports; there the receiver is one in the network.
    let relay = std::env::var_os("BYESTAND_RELAY").map(|_| Relay::of(pads.radio()));
    let radio = relay.as_ref().map_or(pads.radio(), |relay| &relay.name);
    let radio = std::path::PathBuf::from(radio);
    let mut base = Daemon::start_with(&[radio.as_path()], BAUD, &["--pad-port", "none"]);
    let named = base.put("house/club", &json!({"name": "Released"}));
    assert!(named["seq"].is_u64(), "{named}");
    base.open_evening(2 * TABLES);
    has_all_its_parts(&base);
    let view = base.get("view");
    let cells = view["cells"].as_array().expect("cells");
    let mut entered = 0;
    for cell in cells.iter().filter(|cell| cell["round"] == 1) {
        let table = cell["table"].as_str().expect("a table");
        let table: u16 = table[1..].parse().expect("a number");
        for board in cell["boards"].as_array().expect("boards") {
            let board = u8::try_from(board.as_u64().expect("a board")).expect("small");
            pads.enter(table, 1, board, result(table));
            entered += 1;
        }
    }
    pads.play_until(entered / 2, PATIENCE);
    base.start_again();
    pads.play_until(entered, PATIENCE);
    let known = base.wait_for("view", |view| {
        let cells = view["cells"].as_array()?;
        let arrived = cells
            .iter()
            .filter_map(|cell| cell["in"].as_u64())
            .sum::<u64>();
        (arrived == entered as u64).then_some(arrived)
    });
    assert_eq!(known, entered as u64, "everything, and nothing twice");
    for format in ["pdf", "csv", "usebio"] {
        let file = base.download(&format!("exchange/{format}"));
        assert!(file.len() > 200, "{format}: {} bytes", file.len());
    }
}

/// The double-dummy engine works, and phones can be pads.
fn has_all_its_parts(base: &Daemon) {
    base.do_as_director("deals", &json!({"file": "monday.pbn", "pbn": DEAL}));
    base.wait_for("view", |view| {
        (view["session"]["deals_analysed"] == 1).then_some(())
    });
    let phone = ureq::get(format!("{}phone", base.page())).call();
    let phone = phone.expect("a page").body_mut().read_to_string();
    let phone = phone.expect("a text");
    assert!(
        phone.contains("data-missing=\"\""),
        "no pad for phones: {phone}"
    );
}
