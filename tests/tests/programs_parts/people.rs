//! Lists of players that spreadsheet programs saved.

use std::process::Command;

use serde_json::json;
use tests::daemon::Daemon;

use crate::{here, installed, run};

#[test]
fn lists_of_players_are_read_from_the_files_of_spreadsheet_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let python = installed().join("venv/bin/python");
    let script = here().join("programs/write_lists.py");
    run(Command::new(python).arg(script).arg(folder.path()));
    let daemon = Daemon::start(&[], 19_200);
    for (file, kind) in [
        ("members.xlsx", "XLSX"),
        ("members.ods", "ODS"),
        ("members.xls", "XLS"),
    ] {
        let bytes = std::fs::read(folder.path().join(file)).expect("the file");
        let base64 = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes);
        let shown = daemon.post("members/preview", &json!({"base64": base64}));
        assert_eq!(shown["kind"], kind, "{shown}");
        let people: Vec<_> = (shown["people"].as_array().expect("people").iter())
            .map(|person| json!([person["number"], person["name"], person["problem"]]))
            .collect();
        let expected = json!([
            [17, "Jürgen Müller", null],
            [1018, "Łucja Dvořáková", null],
            [12_345_678, "Søren Ångström", null],
        ]);
        assert_eq!(json!(people), expected, "{kind}");
        assert!(!shown.to_string().contains("example.org"), "{shown}");
        let taken = daemon.post("members", &json!({"base64": base64}));
        assert_eq!(taken["members"], 3, "{taken}");
    }
}
