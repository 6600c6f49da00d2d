//! What the director of the demonstration does: sets the session up and opens it.

use protocol::message::{FeedbackLevel, HandRecord, PackedDeal, PairCheck, Pin, Settings};
use protocol::words::{BoardNumber, Deal, PairNumber, PlayerNumber, SectionLetter, TableNumber};

use super::{BOARDS, Evening, TABLES};
use crate::contest::draw::{FirstRound, OddField, Rematches};
use crate::contest::{self, Comparison, Regulation, Rules};
use crate::daemon::{HandleError, SessionHandle};
use crate::movement::{Kind, Setup, generate};
use crate::session::plan::SectionPlan;
use crate::session::{
    AtTables, Command, ContestCommand, ContestPlan, ContestantPlan, DrawAsked, DrawWish, Format,
    NextStep, Who,
};

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
pub(super) async fn set_up(
    session: &SessionHandle,
    deals: &[Deal],
    evening: Evening,
) -> Result<(), HandleError> {
    let today = jiff::Zoned::now().date().to_string();
    for command in commands(deals, today, evening) {
        session.command(command, director()).await?;
        // The first round of a Swiss is drawn as soon as it is set up.
        draw_what_is_due(session).await?;
    }
    session
        .command(Command::SetDirectorPin { pin: PIN }, director())
        .await?;
    session.command(Command::Open, director()).await?;
    Ok(())
}

fn director() -> Who {
    Who::Director("Demonstration".to_owned())
}

/// Draws each round of a Swiss when the one before it is in; ends with the last one.
pub(super) async fn draws(session: SessionHandle) {
    let mut views = session.watch();
    while views.changed().await.is_ok() {
        if let Err(fault) = draw_what_is_due(&session).await {
            tracing::error!(%fault, "the demonstration could not draw a round");
            return;
        }
    }
}

async fn draw_what_is_due(session: &SessionHandle) -> Result<(), HandleError> {
    let section = SectionLetter::A;
    let view = session.view();
    let Some(known) = view.state.session.as_ref() else {
        return Ok(());
    };
    let Some(NextStep::Draw(round)) = known.contest_next_step(section) else {
        return Ok(());
    };
    let wish = DrawWish {
        round: Some(round),
        ..DrawWish::default()
    };
    let seed = fastrand::u64(1..1 << 53);
    let proposal = known.propose_draw(section, &wish, seed)?;
    let publish = ContestCommand::Publish {
        section,
        round,
        draw: proposal.drawn.draw,
        wish: proposal.wish,
        asked: DrawAsked::default(),
        rematches: true,
        why: String::new(),
    };
    session
        .command(Command::Contest(publish), director())
        .await?;
    Ok(())
}

/// Eighteen pairs over three rounds of nine boards.
fn swiss() -> ContestPlan {
    let names: Vec<String> = members().into_iter().map(|(_, name)| name).collect();
    let numbers = (1..=2 * TABLES).filter_map(PairNumber::new);
    let contestants = numbers
        .zip(names.chunks(2))
        .map(|(number, two)| ContestantPlan {
            players: two.to_vec(),
            ..ContestantPlan::numbered(number)
        });
    ContestPlan {
        name: "Swiss Pairs".to_owned(),
        colour: String::new(),
        contestants: contestants.collect(),
        format: Format::Swiss {
            first: FirstRound::Random,
            method: contest::draw::Method::Swiss,
            rematches: Rematches::Avoided,
            odd: OddField::Bye,
        },
        rounds: 3,
        boards: BOARDS / 3,
        first_board: 1,
        rules: Rules::of(Regulation::NewZealandClub, Comparison::Butler),
        other_table_shown: false,
        earlier: None,
        play_offs: Vec::new(),
        rounds_in_all: None,
        at_tables: AtTables::default(),
    }
}

/// What opens the director's menu on the pads of the demonstration.
pub(super) const PIN: Pin = Pin(7316);

fn commands(deals: &[Deal], today: String, evening: Evening) -> Vec<Command> {
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
    let section = SectionLetter::A;
    let play = match evening {
        Evening::Mitchell => Command::PlanSection {
            section,
            plan: SectionPlan::of(&movement, "blue"),
        },
        Evening::Swiss => Command::Contest(ContestCommand::Plan {
            section,
            plan: swiss(),
        }),
    };
    let feedback = match evening {
        Evening::Mitchell => FeedbackLevel::Percentage,
        // Who plays for IMPs has no percentages.
        Evening::Swiss => FeedbackLevel::None,
    };
    vec![
        Command::ListMembers {
            members: members(),
            digits: Vec::new(),
        },
        Command::CreateEvent {
            name: "Demonstration evening".to_owned(),
            date: today,
            title: String::new(),
        },
        play,
        Command::ChangeSettings(Settings {
            pair_check: PairCheck::Confirm,
            feedback,
            hand_record: true,
            ..Settings::CLUB_EVENING
        }),
        Command::AttachDeals {
            file: "demonstration".to_owned(),
            deals: deals.collect(),
        },
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
