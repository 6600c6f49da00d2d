//! Sessions with random results and whatever directors do to them.

use protocol::message::HandRecord;
use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Deal, Hand, Percentage, Played, RoundNumber, Score,
    Seat, SectionLetter, TableNumber, Tricks,
};

use crate::deals::DealtBoard;
use crate::movement::{Kind, Setup, generate};
use crate::session::plan::{
    Method, Partner, PenaltyAmount, Ruling, Scoring, SectionPlan, SideAward, WeightedScore,
};
use crate::session::{
    Cell, Command, Keeper, MemoryJournal, Moment, PairId, Request, Session, State, TableId, Who,
};

/// Whether the director awards only what every format can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sayable {
    Yes,
    NotAll,
}

pub(super) struct Room {
    keeper: Keeper<MemoryJournal>,
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

impl Room {
    fn new() -> Self {
        let keeper = Keeper::open(MemoryJournal::new(), Moment(0)).expect("a journal");
        let mut room = Self { keeper };
        room.does(Command::CreateEvent {
            name: "Monday \"Pairs\"".to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        });
        room.does(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        });
        room
    }

    pub(super) fn mitchell(tables: u16, boards: u8) -> Self {
        let mut room = Self::new();
        room.section(SectionLetter::A, Kind::Mitchell, tables, boards);
        room.does(Command::Open);
        room
    }

    fn does(&mut self, command: Command) {
        let said = format!("{command:?}");
        let request = Request::Command {
            command: Box::new(command),
            who: Who::Base,
        };
        let mut batch = self.keeper.deal_with(request, Moment(0));
        if let Some(crate::session::Outcome::Refused(refused)) = batch.outcomes.pop() {
            panic!("{said}: {refused}");
        }
    }

    fn section(&mut self, section: SectionLetter, kind: Kind, tables: u16, boards: u8) {
        let tables = TableNumber::new(tables).expect("tables");
        let movement = generate(kind, Setup::new(tables, board(boards))).expect("a movement");
        let plan = SectionPlan::of(&movement, "red");
        self.does(Command::PlanSection { section, plan });
    }

    pub(super) fn known(&self) -> (&State, &Session) {
        let state = self.keeper.state();
        (state, state.session.as_ref().expect("a session"))
    }

    pub(super) fn name(&mut self, pair: &str, names: [&str; 2], numbers: [Option<u32>; 2]) {
        let partners = [Partner::First, Partner::Second];
        for ((partner, name), number) in partners.into_iter().zip(names).zip(numbers) {
            self.does(Command::NamePlayer {
                pair: pair.parse().expect("a pair"),
                partner,
                number: number.map(|number| number.try_into().expect("a number")),
                name: name.to_owned(),
                from: RoundNumber::FIRST,
                digits: 0,
            });
        }
    }

    fn rule(&mut self, cell: Cell, ruling: Ruling) {
        let why = "a test".to_owned();
        self.does(Command::Rule { cell, ruling, why });
    }

    fn cell(table: u16, round: u8, number: u8) -> Cell {
        let table = TableId {
            section: SectionLetter::A,
            table: TableNumber::new(table).expect("a table"),
        };
        Cell::new(
            table,
            RoundNumber::new(round).expect("a round"),
            board(number),
        )
    }

    /// `at` is table, round and board; `said` contract, declarer, tricks and lead.
    pub(super) fn result(&mut self, at: (u16, u8, u8), said: [&str; 4]) {
        let [contract, declarer, tricks, lead] = said;
        let declarer = declarer.parse().expect("a seat");
        let played = Played {
            contract: Contract::parse(contract, declarer).expect("a contract"),
            tricks: tricks.parse().expect("tricks"),
            lead: lead.parse().ok(),
        };
        let ruling = Ruling::Result(BoardResult::Played(played));
        self.rule(Self::cell(at.0, at.1, at.2), ruling);
    }

    pub(super) fn passed_out(&mut self, table: u16, round: u8, board: u8) {
        let ruling = Ruling::Result(BoardResult::PassedOut);
        self.rule(Self::cell(table, round, board), ruling);
    }
}

fn random_deal(random: &mut fastrand::Rng) -> Deal {
    let mut cards: Vec<u8> = (0..52).collect();
    random.shuffle(&mut cards);
    let mut hands = [Hand::EMPTY; 4];
    for (at, card) in cards.into_iter().enumerate() {
        hands[at % 4].insert(Card::from_index(card).expect("a card"));
    }
    Deal::new(hands).expect("a deal")
}

fn played(random: &mut fastrand::Rng) -> Ruling {
    let strain = ["C", "D", "H", "S", "NT"][random.usize(..5)];
    let doubled = ["", "", "", "X", "XX"][random.usize(..5)];
    let declarer = Seat::from_index(random.u8(..4));
    let text = format!("{}{strain}{doubled}", random.u8(1..8));
    Ruling::Result(BoardResult::Played(Played {
        contract: Contract::parse(&text, declarer).expect("a contract"),
        tricks: Tricks::new(random.u8(5..14)).expect("tricks"),
        lead: Card::from_index(random.u8(..80)),
    }))
}

fn percent(hundredths: u16) -> Percentage {
    Percentage::new(hundredths).expect("a percentage")
}

fn ruling(random: &mut fastrand::Rng, sayable: Sayable) -> Ruling {
    let score = |random: &mut fastrand::Rng| Score(random.i16(-60..60) * 10);
    match random.u8(..40) {
        0 | 1 => Ruling::Result(BoardResult::PassedOut),
        2 => Ruling::Result(BoardResult::Adjusted {
            ns: percent(u16::from(random.u8(..100)) * 100),
            ew: percent(u16::from(random.u8(..100)) * 100),
        }),
        3 => Ruling::Award {
            ns: SideAward::Average,
            ew: SideAward::Percent(percent(u16::from(random.u8(..100)) * 100)),
        },
        4 => {
            let score = score(random);
            Ruling::Award {
                ns: SideAward::Score(score),
                ew: SideAward::Score(score),
            }
        }
        5 if sayable == Sayable::NotAll => Ruling::Award {
            ns: SideAward::Weighted(vec![
                WeightedScore {
                    score: Score(420),
                    weight: percent(7_000),
                },
                WeightedScore {
                    score: Score(-50),
                    weight: percent(3_000),
                },
            ]),
            ew: SideAward::Score(score(random)),
        },
        6 if sayable == Sayable::NotAll => Ruling::Award {
            ns: SideAward::AveragePlus,
            ew: SideAward::AverageMinus,
        },
        7 if sayable == Sayable::NotAll => Ruling::Result(BoardResult::NotPlayed),
        8 if sayable == Sayable::NotAll => Ruling::Award {
            ns: SideAward::Score(Score(420)),
            ew: SideAward::Score(Score(-50)),
        },
        9 if sayable == Sayable::NotAll => Ruling::Award {
            ns: SideAward::Percent(percent(5_250)),
            ew: SideAward::Percent(percent(4_750)),
        },
        _ => played(random),
    }
}

/// A session of one or two sections, with names, cards, penalties and results.
pub(super) fn random(seed: u64, sayable: Sayable) -> Room {
    let random = &mut fastrand::Rng::with_seed(seed);
    let mut room = Room::new();
    let boards = 12;
    let kind = if random.bool() {
        Kind::Mitchell
    } else {
        Kind::Howell
    };
    let tables = if kind == Kind::Howell {
        4
    } else {
        random.u16(3..7)
    };
    let boards = match kind {
        Kind::Howell => 14,
        _ => u8::try_from(tables).expect("few") * (boards / u8::try_from(tables).expect("few")),
    };
    room.section(SectionLetter::A, kind, tables, boards);
    let two = random.u8(..3) == 0;
    if two {
        let section = SectionLetter::new('B').expect("a letter");
        room.section(section, kind, tables, boards);
    }
    let method = [Method::Matchpoints, Method::CrossImps, Method::Butler][random.usize(..3)];
    room.does(Command::ChooseScoring(Scoring {
        method,
        single: random.bool() && method == Method::Matchpoints,
        across_sections: two && random.bool() && method == Method::Matchpoints,
        ..Scoring::CLUB_EVENING
    }));
    if random.bool() {
        let deals = (1..=boards).map(|number| DealtBoard {
            board: board(number),
            deal: random_deal(random),
            tricks: None,
            par: None,
        });
        let deals: Vec<HandRecord> = deals.map(|dealt| HandRecord::from(&dealt)).collect();
        let file = "monday.pbn".to_owned();
        room.does(Command::AttachDeals { file, deals });
    }
    room.does(Command::Open);
    let mut cells = Vec::new();
    for (letter, section) in &room.known().1.sections {
        for sitting in section.sittings.values().filter(|it| it.is_played()) {
            let table = TableId {
                section: *letter,
                table: sitting.table,
            };
            cells.extend(
                sitting
                    .boards
                    .iter()
                    .map(|it| Cell::new(table, sitting.round, it)),
            );
        }
    }
    for cell in cells {
        let ruling = ruling(random, sayable);
        room.rule(cell, ruling);
        if random.u8(..60) == 0 {
            let why = "they sat the other way".to_owned();
            room.does(Command::TurnLine { cell, why });
        }
    }
    people(&mut room, random, sayable);
    room
}

fn people(room: &mut Room, random: &mut fastrand::Rng, sayable: Sayable) {
    let pairs: Vec<PairId> = room.known().1.pairs().into_iter().collect();
    let method = room.known().1.scoring.method;
    for (pair, at) in pairs.iter().zip(1_u32..) {
        let names = [format!("Player {at} \"É\" <A>"), format!("Player {at} & B")];
        let names = names.each_ref().map(String::as_str);
        let number = random.bool().then_some(at * 100);
        room.name(&pair.to_string(), names, [number, Some(at * 100 + 1)]);
        if sayable == Sayable::NotAll && random.u8(..4) == 0 {
            room.does(Command::NamePlayer {
                pair: *pair,
                partner: Partner::Second,
                number: None,
                name: "A substitute".to_owned(),
                from: RoundNumber::new(2).expect("a round"),
                digits: 0,
            });
        }
    }
    if random.u8(..3) == 0 {
        let amount = match method {
            Method::Matchpoints => PenaltyAmount::Matchpoints(random.u32(1..500)),
            Method::CrossImps | Method::Butler => PenaltyAmount::Imps(random.u16(1..6)),
        };
        let pair = pairs[random.usize(..pairs.len())];
        let why = "late".to_owned();
        let public = false;
        room.does(Command::Penalise {
            pair,
            amount,
            why,
            public,
        });
    }
}
