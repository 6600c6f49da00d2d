//! A warning whose cause is gone is gone: every kind is raised, its cause removed, and looked for
//! again, by a watch that has followed the evening and by one that comes new to it.

use protocol::words::PlayerNumber;

use super::*;
use crate::session::plan::Partner;
use crate::view::{WarningView, warnings};
use crate::watch::Watchful;

impl Room {
    fn warned(&self, watchful: &mut Watchful) -> Vec<WarningView> {
        let (state, presence) = (self.keeper.state(), self.keeper.presence());
        let followed = watchful.shown(state, presence, self.now);
        let anew = warnings(state, presence, self.now);
        assert_eq!(followed, anew, "whoever comes later sees the same");
        followed
    }

    fn pairs_said(&mut self, pad: &PadAtTable, in_round: u8, ns: u16, ew: u16) {
        let pairs = Up::PairsSeen {
            round: round(in_round),
            ns: PairNumber::new(ns),
            ew: PairNumber::new(ew),
        };
        pad.says(self, pairs);
    }
}

/// A story: what is to be warned of, how it comes, and how it goes.
fn comes_and_goes(what: &str, raise: impl FnOnce(&mut Room), remove: impl FnOnce(&mut Room)) {
    let mut room = Room::playing(Kind::Mitchell, 9, 27);
    let mut watchful = Watchful::default();
    let is_told = |warnings: &[WarningView]| {
        warnings.iter().any(|warning| {
            format!("{:?}", warning.kind) == what || warning.check.as_deref() == Some(what)
        })
    };
    assert!(!is_told(&room.warned(&mut watchful)), "{what}: too early");
    raise(&mut room);
    let told = room.warned(&mut watchful);
    assert!(is_told(&told), "{what} is not told: {told:#?}");
    remove(&mut room);
    let left = room.warned(&mut watchful);
    assert!(!is_told(&left), "{what} is still told: {left:#?}");
}

fn named(room: &mut Room, pair: &str, number: u32) {
    room.direct(Command::NamePlayer {
        pair: pair.parse().expect("a pair"),
        partner: Partner::First,
        number: PlayerNumber::new(number),
        name: String::new(),
        from: RoundNumber::FIRST,
        digits: 0,
    });
}

fn ruled(room: &mut Room, cell: Cell, ruling: Ruling) {
    let why = String::new();
    room.direct(Command::Rule { cell, ruling, why });
}

#[test]
fn a_warning_about_a_pad_is_gone_with_its_cause() {
    comes_and_goes(
        "PadSilent",
        |room| {
            room.log_on(1, 1);
            for _ in 0..5 {
                room.later(1);
                room.ask(Request::LookRound);
            }
        },
        |room| {
            let binding = room.session().pads.get(&pad_id(1)).map(|pad| Binding {
                session: room.session().id,
                epoch: pad.epoch,
            });
            room.says(pad_id(1), binding, Up::CheckIn(state(150, 0)));
        },
    );
    comes_and_goes(
        "BatteryLow",
        |room| {
            let low = room.log_on(1, 1);
            low.says(room, Up::CheckIn(state(100, 0)));
        },
        |room| {
            room.log_on(2, 2);
            let binding = room.session().pads.get(&pad_id(1)).map(|pad| Binding {
                session: room.session().id,
                epoch: pad.epoch,
            });
            // New cells.
            room.says(pad_id(1), binding, Up::CheckIn(state(155, 0)));
        },
    );
}

#[test]
fn a_warning_about_missing_boards_is_gone_with_its_cause() {
    for what in ["BoardMissing", "ReplaceAdvised"] {
        comes_and_goes(
            what,
            |room| {
                let mut pad = room.log_on(1, 1);
                let second = room.session().sections[&SectionLetter::A]
                    .sheets(table_number(1))
                    .find(|sitting| sitting.round == round(2))
                    .and_then(|sitting| sitting.boards.iter().next())
                    .expect("round 2 has boards");
                pad.enters(room, 2, second.get(), "4S N =");
            },
            |room| {
                for number in 1..=3 {
                    ruled(room, cell(1, 1, number), ruling("3NT N ="));
                }
            },
        );
    }
}

#[test]
fn a_warning_about_a_kept_result_or_a_wanted_board_is_gone_with_its_cause() {
    comes_and_goes(
        "EntryKept",
        |room| {
            let mut old = room.log_on(1, 1);
            room.replace(2, 1);
            let entry = old.agree(1, 1, played("4S N ="));
            old.says(room, Up::Held(entry));
        },
        |room| {
            let kept = room.session().kept.keys().copied().next();
            let kept = kept.expect("it was kept");
            room.direct(Command::IgnoreKept { kept });
        },
    );
    let wants = |room: &mut Room| {
        let pad = room.log_on(1, 1);
        let (round, board) = (round(1), board(20));
        pad.says(room, Up::BoardWanted { round, board });
    };
    comes_and_goes("BoardWanted", wants, |room| {
        let cell = cell(1, 1, 20);
        room.direct(Command::AllowBoard { cell });
    });
    // Nobody asks any more when the table has gone on.
    comes_and_goes("BoardWanted", wants, |room| {
        room.direct(Command::EndRound {
            section: SectionLetter::A,
            table: Some(table_a(1)),
            round: round(1),
        });
    });
}

#[test]
fn a_warning_about_pairs_players_or_the_movement_is_gone_with_its_cause() {
    let binding = |room: &Room, number: u32| {
        room.session().pads.get(&pad_id(number)).map(|pad| Binding {
            session: room.session().id,
            epoch: pad.epoch,
        })
    };
    comes_and_goes(
        "OtherPairs",
        |room| {
            let pad = room.log_on(1, 1);
            room.pairs_said(&pad, 1, 1, 5);
        },
        |room| {
            let right = Up::PairsSeen {
                round: round(1),
                ns: PairNumber::new(1),
                ew: PairNumber::new(1),
            };
            let binding = binding(room, 1);
            room.says(pad_id(1), binding, right);
        },
    );
    let sit = |room: &mut Room, too_far: u16| {
        for number in 1..=9_u16 {
            let pad = u32::from(number);
            // In round 2 East-West have moved up one table.
            let ew = (number + 9 - 2 - too_far) % 9 + 1;
            let seen = Up::PairsSeen {
                round: round(2),
                ns: PairNumber::new(number),
                ew: PairNumber::new(ew),
            };
            let binding = binding(room, pad);
            room.says(pad_id(pad), binding, seen);
        }
    };
    comes_and_goes(
        "Movement",
        |room| {
            for number in 1..=9_u16 {
                room.log_on(u32::from(number), number);
            }
            sit(room, 1);
        },
        |room| sit(room, 0),
    );
    comes_and_goes(
        "SamePlayer",
        |room| {
            named(room, "A1NS", 7);
            named(room, "A2NS", 7);
        },
        |room| named(room, "A2NS", 8),
    );
}

#[test]
fn point_17_a_warning_about_a_result_is_gone_with_its_cause() {
    comes_and_goes(
        "sign-alone",
        |room| {
            for table in 1..=5 {
                ruled(room, cell(table, 1, 1), ruling("4S N ="));
            }
            ruled(room, cell(6, 1, 1), ruling("4S E ="));
        },
        |room| ruled(room, cell(6, 1, 1), ruling("4S N +1")),
    );
    comes_and_goes(
        "board-not-here",
        |room| ruled(room, cell(1, 1, 20), ruling("4S N =")),
        |room| ruled(room, cell(1, 1, 20), Ruling::TakenAway),
    );
}
