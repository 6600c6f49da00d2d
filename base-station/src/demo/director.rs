//! What the director of the demonstration does: sets the session up and opens it.

use protocol::message::{FeedbackLevel, HandRecord, PackedDeal, PairCheck, Pin, Settings};
use protocol::words::{BoardNumber, Deal, PlayerNumber, SectionLetter, TableNumber};

use super::{BOARDS, TABLES};
use crate::daemon::{HandleError, SessionHandle};
use crate::movement::{Kind, Setup, generate};
use crate::session::plan::SectionPlan;
use crate::session::{Command, Who};

/// First names of the club's members, four to a table.
const FIRST_NAMES: [&str; 36] = [
    "Ada", "Bert", "Clara", "David", "Edith", "Frank", "Greta", "Harold", "Irma", "Jack", "Kathe",
    "Leo", "Marion", "Nils", "Olga", "Peter", "Queenie", "Rolf", "Stella", "Tom", "Ursula",
    "Victor", "Wanda", "Xaver", "Yvonne", "Zeno", "Agnes", "Bruno", "Carla", "Dirk", "Elsa",
    "Felix", "Gerda", "Hugo", "Ines", "Jonas",
];

/// Family names of the club's members.
const FAMILY_NAMES: [&str; 6] = ["Archer", "Baker", "Cooper", "Draper", "Fisher", "Miller"];

/// The number of a player: four to a table from 101.
pub(super) fn player_number(table: TableNumber, seat: u8) -> PlayerNumber {
    PlayerNumber::new(100 + u32::from(table.get() - 1) * 4 + u32::from(seat) + 1)
        .unwrap_or(PlayerNumber::VISITOR)
}

/// Sets the session up and lets pads log on.
pub(super) async fn set_up(session: &SessionHandle, deals: &[Deal]) -> Result<(), HandleError> {
    let today = jiff::Zoned::now().date().to_string();
    for command in commands(deals, today) {
        session
            .command(command, Who::Director("Demonstration".to_owned()))
            .await?;
    }
    Ok(())
}

/// What opens the director's menu on the pads of the demonstration.
pub(super) const PIN: Pin = Pin(7316);

fn commands(deals: &[Deal], today: String) -> Vec<Command> {
    let tables = TableNumber::new(TABLES).unwrap_or(TableNumber::MIN);
    let boards = BoardNumber::new(BOARDS).unwrap_or(BoardNumber::MIN);
    let movement = generate(Kind::Mitchell, Setup::new(tables, boards))
        .expect("nine tables and 27 boards are a perfect Mitchell");
    let deals = deals.iter().zip(1..).filter_map(|(deal, number)| {
        Some(HandRecord {
            board: BoardNumber::new(number)?,
            deal: PackedDeal::from(deal),
            tricks: None,
            par: None,
        })
    });
    vec![
        Command::ListMembers { members: members() },
        Command::CreateEvent {
            name: "Demonstration evening".to_owned(),
            date: today,
            title: String::new(),
        },
        Command::PlanSection {
            section: SectionLetter::A,
            plan: SectionPlan::of(&movement, "blue"),
        },
        Command::ChangeSettings(Settings {
            pair_check: PairCheck::Confirm,
            feedback: FeedbackLevel::Percentage,
            hand_record: true,
            ..Settings::CLUB_EVENING
        }),
        Command::AttachDeals {
            file: "demonstration".to_owned(),
            deals: deals.collect(),
        },
        Command::SetDirectorPin { pin: PIN },
        Command::Open,
    ]
}

fn members() -> Vec<(PlayerNumber, String)> {
    let tables = (1..=TABLES).filter_map(TableNumber::new);
    let numbers = tables.flat_map(|table| (0..4).map(move |seat| player_number(table, seat)));
    let families = FAMILY_NAMES.into_iter().cycle();
    let names = FIRST_NAMES
        .into_iter()
        .zip(families)
        .map(|(first, family)| format!("{first} {family}"));
    numbers.zip(names).collect()
}
