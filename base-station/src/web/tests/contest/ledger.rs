//! Which story plays which row of the regulations, the worked examples and the printed tables, and
//! through which part of the interface: `ledger.tsv`. Whoever adds a row finds it here as not
//! played. A story reads its row's figures itself, or was written from those that the ledger has.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

/// A line of the ledger.
struct Kept {
    row: &'static str,
    /// The story; or `no match`, or `not yet`.
    story: &'static str,
    /// What is asked for it; or the reason.
    through: &'static str,
    /// Where the row has a figure that the story was written from, and the figure.
    pinned: Option<(&'static str, Value)>,
}

fn ledger() -> Vec<Kept> {
    let lines = include_str!("ledger.tsv").lines().skip(1);
    lines
        .map(|line| {
            let mut cells = line.split('\t');
            let mut next = || cells.next().unwrap_or_default();
            let (row, story, through) = (next(), next(), next());
            let (at, figure) = (next(), next());
            let figure = (!at.is_empty()).then(|| serde_json::from_str(figure));
            Kept {
                row,
                story,
                through,
                pinned: figure.map(|it| (at, it.unwrap_or_else(|_| panic!("{line}")))),
            }
        })
        .collect()
}

fn golden_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/golden")
        .join(name)
}

/// Every row of a list, with what it says.
fn rows(name: &str) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(golden_path(name)).expect("a list");
    let all: Vec<Value> = serde_json::from_str(&text).expect("a list");
    all.into_iter()
        .map(|row| (row["id"].as_str().expect("an id").to_owned(), row))
        .collect()
}

/// A function of the stories: its file, its name, its text, and whether it is a story.
struct Function {
    file: PathBuf,
    name: String,
    text: String,
    story: bool,
}

fn functions() -> Vec<Function> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web");
    let files = std::fs::read_dir(here.join("tests/contest")).expect("stories");
    let files = files.map(|file| file.expect("a file").path());
    let more = ["tests/contest.rs", "tests.rs"].map(|it| here.join(it));
    let sources = files
        .chain(more)
        .filter(|it| it.extension() == Some("rs".as_ref()));
    let mut all = Vec::new();
    for file in sources {
        let source = std::fs::read_to_string(&file).expect("a story");
        let mut before = "";
        let mut at = 0;
        for line in source.split_inclusive('\n') {
            let code = line.trim_start();
            let after = code.split_once("fn ").filter(|(head, _)| {
                head.split_whitespace()
                    .all(|word| word == "async" || word == "const" || word.starts_with("pub"))
            });
            if let Some((_, rest)) = after {
                let indent = &line[..line.len() - code.len()];
                let end = source[at..].find(&format!("\n{indent}}}\n"));
                let name = rest.split(['(', '<']).next().unwrap_or_default();
                all.push(Function {
                    file: file.clone(),
                    name: name.to_owned(),
                    text: source[at..at + end.unwrap_or_default()].to_owned(),
                    story: before.trim_start().starts_with("#[tokio::test]"),
                });
            }
            before = line;
            at += line.len();
        }
    }
    all
}

/// The text of a story with that of everything it calls.
fn whole_text(functions: &[Function], story: &str) -> Option<String> {
    let first = functions.iter().find(|it| it.story && it.name == story)?;
    let mut all: Vec<&Function> = vec![first];
    let mut at = 0;
    while let Some(own) = all.get(at).copied() {
        at += 1;
        for called in functions {
            let by_name = own.text.contains(&format!("{}(", called.name));
            let nearer = |it: &&Function| it.name == called.name && it.file == own.file;
            let here = called.file == own.file || !functions.iter().any(|it| nearer(&it));
            let known = all.iter().any(|it| std::ptr::eq(*it, called));
            if by_name && here && !known && !called.story {
                all.push(called);
            }
        }
    }
    Some(all.iter().map(|it| it.text.as_str()).collect())
}

#[test]
fn every_row_that_is_a_match_or_a_draw_has_a_story_that_plays_it() {
    let lists = ["regulations.json", "examples.json"].map(rows).concat();
    let files = std::fs::read_dir(golden_path("")).expect("the tables");
    let files = files.map(|file| file.expect("a file").file_name());
    let all: BTreeSet<String> = lists
        .iter()
        .map(|(id, _)| id.clone())
        .chain(files.filter_map(|it| it.into_string().ok()))
        .collect();
    let (ledger, functions) = (ledger(), functions());
    let mut faults = Vec::new();
    for row in &all {
        let own: Vec<&Kept> = ledger.iter().filter(|it| it.row == row).collect();
        let unplayed = |it: &&&Kept| ["no match", "not yet"].contains(&it.story);
        if own.is_empty() {
            faults.push(format!("{row} has no story"));
        } else if own.len() > 1 && own.iter().any(|it| unplayed(&it)) {
            faults.push(format!("{row} is played and is not"));
        }
    }
    for kept in &ledger {
        let Kept {
            row,
            story,
            through,
            pinned,
        } = kept;
        if !all.contains(*row) {
            faults.push(format!("there is no row {row}"));
        }
        if through.is_empty() {
            faults.push(format!("{row} does not say through what, or why not"));
        }
        if let Some((at, figure)) = pinned {
            let own = lists.iter().find(|(id, _)| id == row);
            let says = own.and_then(|(_, says)| says.pointer(at));
            if says != Some(figure) {
                faults.push(format!(
                    "{row} {at} says {says:?}, and was played as {figure}"
                ));
            }
        }
        if ["no match", "not yet"].contains(story) {
            continue;
        }
        let Some(text) = whole_text(&functions, story) else {
            faults.push(format!("there is no story {story}"));
            continue;
        };
        // Rows that differ by a number are read by how they begin.
        let begin = row.trim_end_matches(|it: char| it.is_ascii_digit());
        let read = [format!("\"{row}\""), format!("\"{begin}\"")];
        if pinned.is_none() && !read.iter().any(|it| text.contains(it)) {
            faults.push(format!("{story} does not read {row}"));
        }
        let asked =
            text.contains(&format!("\"{through}\"")) || text.contains(&format!("\"{through}?"));
        if !asked {
            faults.push(format!("{story} does not ask for {through}, as {row} says"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
