//! A base that answers like the real one.

use std::collections::BTreeMap;

use protocol::message::{
    Down, Entry, EntryNumber, Pin, Question, Recorded, RefusalReason, RoundSheet, Settings, Source,
    Up, Welcome,
};
use protocol::words::{
    Epoch, Outcome, Percentage, RoundNumber, SectionLetter, SessionId, TableNumber,
};

use super::told::ranking;
use super::{BOARDS, ROUNDS, hand_record, names, round, sheet, traveller};

/// A base that answers at once and keeps what it is told.
#[derive(Clone, Debug)]
pub struct Base {
    pub settings: Settings,
    pub session: u32,
    pub epoch: u16,
    /// Refuses every log-on with this.
    pub refuses: Option<RefusalReason>,
    /// Refuses every entry with this.
    pub refuses_entries: Option<RefusalReason>,
    pub sheets: Vec<RoundSheet>,
    pub journal: BTreeMap<EntryNumber, Entry>,
    /// The session that the pad speaks of; `None` for this one.
    pub bound: Option<u32>,
    /// What came of earlier sessions: the director's to decide about.
    pub kept: Vec<Entry>,
    pub repeated: u32,
    /// No deal file was attached.
    pub no_deals: bool,
    new: Vec<Entry>,
    pub heard: Vec<Up>,
}

impl Base {
    pub fn new(mut settings: Settings) -> Self {
        if !settings.director_pin.is_chosen() {
            settings.director_pin = Pin(2580);
        }
        Self {
            settings,
            session: 7,
            epoch: 1,
            refuses: None,
            refuses_entries: None,
            sheets: (1..=ROUNDS).map(sheet).collect(),
            journal: BTreeMap::new(),
            bound: None,
            kept: Vec::new(),
            repeated: 0,
            no_deals: false,
            new: Vec::new(),
            heard: Vec::new(),
        }
    }

    /// What the base has of a board.
    pub fn of_board(&self, number: u8) -> Vec<Entry> {
        let of_board = |entry: &&Entry| entry.board.get() == number;
        self.journal.values().filter(of_board).copied().collect()
    }

    /// What came in since this was asked last.
    pub fn newly_received(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.new)
    }

    pub fn answer(&mut self, up: &Up) -> Vec<Down> {
        self.heard.push(up.clone());
        match up {
            Up::LogOn(_) | Up::Replace(_) | Up::Recover(_) if self.refuses.is_some() => {
                let reason = self.refuses.expect("just seen");
                vec![Down::Refused {
                    number: None,
                    reason,
                }]
            }
            Up::LogOn(log_on) => self.welcome(log_on.table, false),
            Up::Replace(log_on) | Up::Recover(log_on) => self.welcome(log_on.table, true),
            Up::Entry(entry) | Up::Held(entry) if self.refuses_entries.is_some() => {
                let (number, reason) = (Some(entry.number), self.refuses_entries);
                let reason = reason.expect("just seen");
                vec![Down::Refused { number, reason }]
            }
            Up::Entry(entry) => {
                let number = entry.number;
                if self.bound.is_some_and(|session| session != self.session) {
                    self.kept.push(*entry);
                    self.new.push(*entry);
                    let percentage = None;
                    return vec![Down::Received { number, percentage }];
                }
                match self.journal.insert(number, *entry) {
                    Some(before) => {
                        assert_eq!(before, *entry, "one number for two entries");
                        self.repeated += 1;
                    }
                    None => self.new.push(*entry),
                }
                let percentage = Percentage::new(6250);
                vec![Down::Received { number, percentage }]
            }
            Up::Held(entry) => {
                self.kept.push(*entry);
                let (number, percentage) = (entry.number, None);
                vec![Down::Received { number, percentage }]
            }
            Up::Ask(Question::Traveller(board)) => vec![Down::Feedback(traveller(*board))],
            Up::Ask(Question::HandRecord(_)) if self.no_deals => vec![Down::Refused {
                number: None,
                reason: RefusalReason::NoDealFile,
            }],
            Up::Ask(Question::HandRecord(board)) => vec![Down::Feedback(hand_record(*board))],
            Up::Ask(Question::Ranking) => vec![Down::Feedback(ranking())],
            Up::DirectorPin(pin) => {
                let right = *pin == self.settings.director_pin;
                let judged = Down::PinJudged { right, rest_s: 0 };
                let settings = right.then_some(Down::Settings(self.settings));
                settings.into_iter().chain([judged]).collect()
            }
            Up::BoardAllowedHere { round, board } => {
                let (round, board) = (*round, *board);
                vec![if board.get() <= ROUNDS * BOARDS {
                    Down::BoardAllowed { round, board }
                } else {
                    let reason = RefusalReason::BoardNotOfSession;
                    Down::BoardRefused {
                        round,
                        board,
                        reason,
                    }
                }]
            }
            _ => Vec::new(),
        }
    }

    fn welcome(&mut self, table: TableNumber, with_history: bool) -> Vec<Down> {
        self.epoch += 1;
        let journal = self.journal.values().copied();
        let history: Vec<Entry> = journal.filter(|_| with_history).collect();
        let reached = history.iter().map(|entry| entry.round).max();
        let mut downs = vec![Down::Welcome(Welcome {
            session: SessionId::new(self.session).expect("a session"),
            epoch: Epoch::new(self.epoch).expect("an epoch"),
            section: SectionLetter::A,
            table,
            event: "Tuesday pairs".try_into().expect("a short name"),
            round: reached.unwrap_or(RoundNumber::FIRST),
            rounds_total: round(ROUNDS),
            next_entry: self
                .journal
                .keys()
                .max()
                .map_or(EntryNumber::FIRST, |last| last.next()),
            recorded: u8::try_from(history.len()).expect("a short evening"),
            settings: self.settings,
        })];
        for sheets in self.sheets.chunks(8) {
            downs.push(Down::Schedule {
                rounds_total: round(ROUNDS),
                rounds: sheets.try_into().expect("at most eight"),
            });
        }
        downs.push(Down::Names(names()));
        downs.extend(history.iter().map(|entry| {
            Down::Recorded(Recorded {
                round: entry.round,
                board: entry.board,
                result: Some(Outcome::Result(entry.result)),
                source: Source::Table,
            })
        }));
        downs
    }
}
