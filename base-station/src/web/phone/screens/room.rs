//! Who is asked to accept what, as a pure value: phones come and go and say things, and what is to
//! be said to whom comes out.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, PadId, RoundNumber};
use serde::{Deserialize, Serialize};

use super::shown::{Now, Other, now, other_tables};
use crate::session::{PairId, Scores, State, TableId};

/// What a phone says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Said {
    /// The table's pad: a result waits to be accepted.
    Check(Check),
    /// It waits no more.
    NoCheck {},
    /// The table's pad: East-West want to use their own phone.
    Code {},
    /// A pair's own phone: the result with this name is right.
    Accept {
        /// The check's name.
        id: String,
    },
    /// A pair's own phone: how did the others play this board?
    Board {
        /// Which.
        board: BoardNumber,
    },
}

/// A result that waits for East-West, in the words of the pad that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Check {
    /// The pad's name for it: an answer to another one counts for nothing.
    id: String,
    round: RoundNumber,
    title: String,
    lines: Vec<CheckLine>,
}

/// A line of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct CheckLine {
    columns: Vec<String>,
    style: String,
}

/// What a phone is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Note {
    /// The table's pad: whether East-West have been asked on their own phone.
    Asked { id: String, there: bool },
    /// The table's pad: they have accepted.
    Accepted { id: String },
    /// The table's pad: what East-West's phone opens, and the same as a picture.
    Code(ShownCode),
    /// A pair's own phone: everything that it shows.
    Now(Box<Now>),
    /// A pair's own phone: a board that it has played.
    Board(Box<Other>),
    /// A pair's own phone: the director has taken it off the list.
    Revoked {},
}

/// A code for East-West's own phone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ShownCode {
    pub(super) pair: telling::Pair,
    pub(super) link: String,
    /// The picture: a row of dark (1) and light (0) modules each.
    pub(super) rows: Vec<String>,
}

/// For whom, and what.
pub(super) type Out = Vec<(PadId, Note)>;

/// Phones with a line, and what waits to be accepted.
#[derive(Debug, Default)]
pub(super) struct Room {
    here: BTreeSet<PadId>,
    /// By the table's pad.
    checks: BTreeMap<PadId, Check>,
    /// What own phones were told last.
    told: BTreeMap<PadId, Now>,
}

impl Room {
    pub(super) fn came(&mut self, phone: PadId, known: Known<'_>) -> Out {
        self.here.insert(phone);
        self.told.remove(&phone);
        let mut out = self.tell(known);
        out.extend(self.asked(known.state));
        out
    }

    pub(super) fn left(&mut self, phone: PadId, known: Known<'_>) -> Out {
        self.here.remove(&phone);
        self.told.remove(&phone);
        let was_asked = self.checks.remove(&phone).is_some();
        let mut out = if was_asked {
            self.tell(known)
        } else {
            Vec::new()
        };
        out.extend(self.asked(known.state));
        out
    }

    pub(super) fn said(
        &mut self,
        phone: PadId,
        said: Said,
        known: Known<'_>,
        code: impl Fn(PairId) -> Option<ShownCode>,
    ) -> Out {
        match said {
            Said::Check(check) => {
                if table_of(known.state, phone).is_none() {
                    return Vec::new();
                }
                self.checks.insert(phone, check);
                let mut out = self.tell(known);
                out.extend(
                    self.asked(known.state)
                        .into_iter()
                        .filter(|it| it.0 == phone),
                );
                out
            }
            Said::NoCheck {} => {
                self.checks.remove(&phone);
                self.tell(known)
            }
            Said::Code {} => {
                let pair = table_of(known.state, phone).and_then(|table| {
                    let session = known.state.session.as_ref()?;
                    east_west(known.state, table, session.table_round(table))
                });
                let code = pair.and_then(code);
                code.map(|code| (phone, Note::Code(code)))
                    .into_iter()
                    .collect()
            }
            Said::Accept { id } => self.accept(phone, id, known),
            Said::Board { board } => {
                let shown =
                    pair_of(known.state, phone).and_then(|pair| other_tables(known, pair, board));
                shown
                    .map(|shown| (phone, Note::Board(Box::new(shown))))
                    .into_iter()
                    .collect()
            }
        }
    }

    /// The session has gone on.
    pub(super) fn changed(&mut self, known: Known<'_>) -> Out {
        // A pad that has lost its table asks nobody.
        self.checks
            .retain(|pad, _| table_of(known.state, *pad).is_some());
        self.tell(known)
    }

    fn accept(&mut self, phone: PadId, id: String, known: Known<'_>) -> Out {
        let Some(pair) = pair_of(known.state, phone) else {
            return Vec::new();
        };
        let asked = |pad: &PadId, check: &Check| {
            check.id == id && sits(known.state, *pad, check) == Some(pair)
        };
        let waits = self.checks.iter().find(|(pad, check)| asked(pad, check));
        let Some(pad) = waits.map(|(pad, _)| *pad) else {
            return Vec::new();
        };
        self.checks.remove(&pad);
        let mut out = vec![(pad, Note::Accepted { id })];
        out.extend(self.tell(known));
        out
    }

    /// Tells every table's pad that waits whether East-West have been asked.
    fn asked(&self, state: &State) -> Out {
        let waits = self.checks.iter();
        waits
            .map(|(pad, check)| {
                let pair = sits(state, *pad, check);
                let there = self.phones_of(state, pair).next().is_some();
                let id = check.id.clone();
                (*pad, Note::Asked { id, there })
            })
            .collect()
    }

    /// Tells own phones what is new to them.
    fn tell(&mut self, known: Known<'_>) -> Out {
        let state = known.state;
        let mut out = Vec::new();
        for phone in self.here.clone() {
            if is_revoked(state, phone) {
                self.here.remove(&phone);
                out.push((phone, Note::Revoked {}));
                continue;
            }
            let Some(pair) = pair_of(state, phone) else {
                continue;
            };
            let mut waits = self.checks.iter();
            let check = waits.find(|(pad, check)| sits(state, **pad, check) == Some(pair));
            let check = check.map(|(_, check)| check.clone());
            let Some(now) = now(known, pair, check) else {
                continue;
            };
            if self.told.get(&phone) != Some(&now) {
                self.told.insert(phone, now.clone());
                out.push((phone, Note::Now(Box::new(now))));
            }
        }
        out
    }

    fn phones_of(&self, state: &State, pair: Option<PairId>) -> impl Iterator<Item = PadId> {
        let here = self.here.iter().copied();
        here.filter(move |phone| pair.is_some() && pair_of(state, *phone) == pair)
    }
}

/// What there is to know.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) state: &'a State,
    /// None where there is no session.
    pub(super) scores: Option<&'a Scores>,
}

/// Whether it is an own phone that counts no more.
fn is_revoked(state: &State, phone: PadId) -> bool {
    state.club.own_phones.contains_key(&phone) && state.club.revoked.contains(&phone)
}

/// The table that a pad holds.
fn table_of(state: &State, pad: PadId) -> Option<TableId> {
    let mut holders = state.session.as_ref()?.holders();
    holders.find(|(_, holder)| *holder == pad).map(|it| it.0)
}

/// Whose own phone it is, while the director has not revoked it.
fn pair_of(state: &State, phone: PadId) -> Option<PairId> {
    let session = state.session.as_ref()?.id;
    let own = state.club.own_phones.get(&phone)?;
    let counts = own.session == session && !state.club.revoked.contains(&phone);
    counts.then_some(own.pair)
}

/// Who has to accept a result.
fn sits(state: &State, pad: PadId, check: &Check) -> Option<PairId> {
    east_west(state, table_of(state, pad)?, check.round)
}

fn east_west(state: &State, table: TableId, round: RoundNumber) -> Option<PairId> {
    state.session.as_ref()?.seated(table, round).1
}
