//! PDF files, read by poppler: text can be found and copied, and every page has its number.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::{export, played, run};

fn text(path: &Path, page: Option<usize>) -> String {
    let mut pdftotext = Command::new("pdftotext");
    pdftotext.arg("-layout");
    if let Some(page) = page.map(|page| page.to_string()) {
        pdftotext.args(["-f", &page, "-l", &page]);
    }
    run(pdftotext.arg(path).arg("-"))
}

fn pages(path: &Path) -> (usize, String) {
    let said = run(Command::new("pdfinfo").arg(path));
    let line = |name: &str| {
        let found = said.lines().find_map(|line| line.strip_prefix(name));
        found.expect("a line").trim().to_owned()
    };
    (line("Pages:").parse().expect("pages"), line("Page size:"))
}

#[test]
fn all_sheets_of_an_evening_are_a_pdf_whose_text_can_be_found_and_copied() {
    let (daemon, _) = played();
    let names = [
        "Zoë Müller-Lüdenscheid",
        "Łucja Dvořáková",
        "Søren Ångström",
    ];
    for (at, name) in names.into_iter().enumerate() {
        let player = json!({"pair": format!("A{}", at + 1), "partner": "First", "number": null, "name": name, "from": 1});
        daemon.do_as_director("names", &player);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("all.pdf");
    let file = export(&daemon, "pdf", &whole);
    assert!(file.starts_with(b"%PDF-"));
    let (count, size) = pages(&whole);
    assert!(count > 15, "{count} pages");
    assert!(size.contains("A4"), "{size}");
    let all = text(&whole, None);
    for name in names {
        assert!(all.contains(name), "{name} in {all}");
    }
    for said in ["♠", "♥", "♦", "♣", "Ranking", "Travellers", "Frequencies"] {
        assert!(all.contains(said), "{said}");
    }
    for page in 1..=count {
        let own = text(&whole, Some(page));
        assert!(own.contains(&format!("Page {page} of {count}")), "{own}");
        assert!(own.contains("Monday"), "whose page {page} is: {own}");
    }
    // One sheet, in German, on the other paper; twenty deals on its first page.
    let records = folder.path().join("records.pdf");
    let out = records.to_str().expect("a path");
    let words = [
        "export", "--format", "pdf", "--sheet", "records", "--paper", "letter",
    ];
    let done = daemon.command(&[&words[..], &["--language", "de", "--out", out]].concat());
    assert!(done.status.success(), "{done:?}");
    let (count, size) = pages(&records);
    assert!(size.contains("letter"), "{size}");
    let deals = |page: usize| text(&records, Some(page)).matches("Par:").count();
    assert_eq!(deals(1), 20);
    let rest: usize = (2..=count).map(deals).sum();
    assert!((1..=20).contains(&rest), "{rest} on {count} pages");
    assert!(text(&records, Some(1)).contains(&format!("Seite 1 von {count}")));
    let words = ["export", "--format", "pdf", "--sheet", "menu", "--out", out];
    let done = daemon.command(&words);
    assert_eq!(done.status.code(), Some(2), "{done:?}");
}
