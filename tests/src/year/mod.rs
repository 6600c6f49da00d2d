//! A year of club nights in the real daemon: does it grow?
//!
//! [`play`] starts the daemon, sets up one session after the other through its API, and lets a
//! client at every table log on and enter every board over pseudo-terminals, in the protocol's
//! own frames. After each night it notes how much memory the process holds and how large its
//! journal is.

mod tables;

use std::path::Path;
use std::time::{Duration, Instant};

use protocol::time::Span;
use serde_json::json;

use crate::daemon::Daemon;
use tables::Tables;

/// Tables of the largest section: a club hall is several of them.
const SECTION_TABLES: u16 = 13;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Nights; a year of five a week has 260.
    pub nights: u32,
    /// Tables in the hall, in sections of up to 13.
    pub tables: u16,
    /// Boards a night, about.
    pub boards: u8,
    /// Receivers of the base. A radio would need fewer and take hours; on wires more of them
    /// make the year shorter.
    pub receivers: u16,
    /// Their baud rate.
    pub baud: u32,
    /// No night begins later than this.
    pub at_most: Duration,
}

/// How the daemon was after a night.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AfterNight {
    /// Which, from 1.
    pub night: u32,
    /// Results that pads were told are received in this night.
    pub results: u64,
    /// Results since the first night.
    pub results_in_all: u64,
    /// How long the play took.
    pub took: Duration,
    /// From a frame with a result to its acknowledgement: the median.
    pub wait_median: Span,
    /// The same for the slowest in a hundred.
    pub wait_p99: Span,
    /// Bytes of memory that the process holds.
    pub memory: u64,
    /// Bytes of the journal, its write-ahead log included.
    pub journal: u64,
}

/// How the year went.
#[derive(Clone, Debug)]
pub struct Year {
    /// Night by night.
    pub nights: Vec<AfterNight>,
    /// From the start of the daemon until it is ready, with the whole year in its journal.
    pub reopened: Duration,
    /// Its memory then.
    pub memory_reopened: u64,
}

impl Year {
    /// Bytes of memory added between the first tenth of the nights and the last one. Before that
    /// the process is still getting warm.
    pub fn memory_added(&self) -> u64 {
        let warm = self.nights.len() / 10;
        let most = |nights: &[AfterNight]| nights.iter().map(|night| night.memory).max();
        let (first, rest) = self.nights.split_at((warm + 1).min(self.nights.len()));
        most(rest)
            .unwrap_or_default()
            .saturating_sub(most(first).unwrap_or_default())
    }

    /// Bytes of journal for a result, in the first half of the year and in the second.
    pub fn journal_a_result(&self) -> Option<(u64, u64)> {
        let half = self.nights.get(self.nights.len() / 2)?;
        let last = self.nights.last()?;
        let later = last.results_in_all - half.results_in_all;
        Some((
            half.journal / half.results_in_all.max(1),
            (last.journal - half.journal) / later.max(1),
        ))
    }
}

/// Plays the year. `tell` hears of every night.
pub fn play(options: &Options, tell: &mut dyn FnMut(&AfterNight)) -> Year {
    let sections = sections(options.tables);
    let mut tables = Tables::new(&sections, options.receivers, options.baud);
    let radios = tables.radios();
    let radios: Vec<&Path> = radios.iter().map(AsRef::as_ref).collect();
    let mut daemon = Daemon::start(&radios, options.baud);
    let mut nights = Vec::new();
    let mut results_in_all = 0;
    let year_began = Instant::now();
    for night in 1..=options.nights {
        if year_began.elapsed() > options.at_most {
            break;
        }
        set_up(&daemon, night, options.boards, &sections);
        let began = Instant::now();
        let results = tables.play();
        let took = began.elapsed();
        results_in_all += results;
        let waits = tables.waits();
        let share = |percent: usize| waits.get(waits.len().saturating_sub(1) * percent / 100);
        let wait = |percent: usize| share(percent).copied().unwrap_or(Span::ZERO);
        daemon.do_as_director("end-play", &json!({}));
        daemon.do_as_director("release", &json!({"despite_checklist": true}));
        let after = AfterNight {
            night,
            results,
            results_in_all,
            took,
            wait_median: wait(50),
            wait_p99: wait(99),
            memory: daemon.memory(),
            journal: daemon.journal_len(),
        };
        tell(&after);
        nights.push(after);
    }
    daemon.kill();
    let began = Instant::now();
    daemon.start_again();
    Year {
        nights,
        reopened: began.elapsed(),
        memory_reopened: daemon.memory(),
    }
}

/// Section letters with their numbers of tables, as even as can be.
fn sections(tables: u16) -> Vec<(char, u16)> {
    let count = tables.div_ceil(SECTION_TABLES).max(1);
    assert!(
        count <= 26,
        "expected at most 338 tables: sections have letters"
    );
    ('A'..='Z')
        .zip(0..count)
        .map(|(letter, at)| (letter, tables / count + u16::from(at < tables % count)))
        .collect()
}

fn set_up(daemon: &Daemon, night: u32, boards: u8, sections: &[(char, u16)]) {
    let (month, day) = (night % 240 / 20 + 1, night % 20 + 1);
    let event =
        json!({"name": format!("Night {night}"), "date": format!("2026-{month:02}-{day:02}")});
    daemon.do_as_director("calendar/events", &event);
    for (letter, tables) in sections {
        let section = json!({
            "section": letter.to_string(),
            "pairs": tables * 2,
            "boards_min": boards.saturating_sub(3).max(1),
            "boards_max": boards + 3,
        });
        daemon.do_as_director("setup/sections", &section);
    }
    if daemon.get("rules")["director_pin_chosen"] != json!(true) {
        daemon.choose_pin();
    }
    daemon.do_as_director("open", &json!({}));
}
