//! Results, players, seats, cards, settings and calls that a scoring program sends.

use connector::data::{
    BoardScore, Bridgemate2Settings, Bridgemate3Settings, Handrecord, More, Participation, Player,
    TdCall,
};
use connector::{ErrorType, Fault, check, hand, people, result, settings};
use protocol::message::{HandRecord, Settings};
use protocol::words::{
    BoardNumber, PairNumber, PlayerNumber, RoundNumber, Seat, Side, TableNumber,
};

use super::draft::Draft;
use super::score;
use crate::session::plan::{Deals, Partner, Ruling};
use crate::session::{Cell, Command, Link, LinkedSession, PairId, Refused, TableId};
use telling::tell;

/// Why a line is as it is.
const WHY: &str = "given by the scoring program";

/// What comes with a session.
pub(super) fn more(draft: &mut Draft, link: &Link, more: &More) -> Result<(), Fault> {
    players(draft, &more.player_data)?;
    for session in &link.sessions {
        let own = |guid: &str| guid == session.guid;
        let seats: Vec<Participation> = (more.participations.iter())
            .filter(|seat| own(&seat.session_guid))
            .cloned()
            .collect();
        participations(draft, link, &session.guid, &seats)?;
    }
    hands(draft, &more.handrecords)?;
    bridgemate2(draft, &more.bridgemate2_settings)?;
    bridgemate3(draft, &more.bridgemate3_settings)
}

/// Names for the club's list of players.
pub(super) fn players(draft: &mut Draft, players: &[Player]) -> Result<(), Fault> {
    let mut members: Vec<(PlayerNumber, String)> = Vec::new();
    for player in players {
        let name = people::name(&player.first_name, &player.last_name);
        if name.is_empty() {
            let number = &player.player_number;
            let why = format!("player {number} has no name: LastName is needed");
            return Err(Fault::invalid(why));
        }
        match people::number(&player.player_number) {
            Some(number) if number != PlayerNumber::VISITOR => {
                if draft.state().club.members.get(&number) != Some(&name) {
                    members.push((number, name));
                }
            }
            _ => draft.note(tell!(Connector::PlayerNumberCantTyped {
                n: player.player_number
            })),
        }
    }
    if members.is_empty() {
        return Ok(());
    }
    draft
        .try_to(Command::ListMembers {
            members,
            digits: Vec::new(),
        })
        .map_err(|Refused(why)| Fault::invalid(why.to_string()))
}

/// Who sits where.
pub(super) fn participations(
    draft: &mut Draft,
    link: &Link,
    guid: &str,
    seats: &[Participation],
) -> Result<(), Fault> {
    let part = part(link, guid)?;
    for seat in seats {
        check::participation(seat)?;
        let named = format!("{}{}", seat.section_letters, seat.table_number);
        if seat.is_removal {
            draft.note(tell!(Connector::TableSeatCantEmptied { table: named }));
            continue;
        }
        let table = table(part, &seat.section_letters, seat.table_number)?;
        let round = u8::try_from(seat.round_number.max(1)).ok();
        let round = round.and_then(RoundNumber::new);
        let round = round
            .ok_or_else(|| Fault::invalid(format!("table {named}: there is no such round")))?;
        let Some((pair, partner)) = seated(draft, table, round, seat.direction)? else {
            draft.note(tell!(Connector::TableNobodySitsThere {
                table: named,
                round
            }));
            continue;
        };
        let number = people::number(&seat.player_number);
        let name = people::name(&seat.first_name, &seat.last_name);
        if number.is_none() && name.is_empty() {
            draft.note(tell!(Connector::PlayerNumberCantTyped {
                n: seat.player_number
            }));
            continue;
        }
        let known = draft.session()?.roster.at(pair, partner, round);
        let same = known.is_some_and(|known| {
            known.number == number && known.name.clone().unwrap_or_default() == name
        });
        if same {
            continue;
        }
        draft.must(Command::NamePlayer {
            pair,
            partner,
            number,
            name,
            from: round,
            digits: 0,
        })?;
    }
    Ok(())
}

fn part<'a>(link: &'a Link, guid: &str) -> Result<&'a LinkedSession, Fault> {
    link.session(guid).ok_or_else(|| {
        Fault::new(
            ErrorType::EntryUnknown,
            "this session is not the one that Byestand plays: continue its event, or set it up",
        )
    })
}

fn table(part: &LinkedSession, letters: &str, number: i64) -> Result<TableId, Fault> {
    let number = u16::try_from(number).ok().and_then(TableNumber::new);
    let section = part.section(letters);
    let table = section.zip(number).map(|(section, table)| TableId {
        section: section.section,
        table,
    });
    table.ok_or_else(|| {
        let letters: String = letters.chars().take(3).collect();
        Fault::new(
            ErrorType::Movement,
            format!("there is no such table in section {letters}"),
        )
    })
}

/// The pair whose chair this is, and which of the two sits there.
fn seated(
    draft: &Draft,
    table: TableId,
    round: RoundNumber,
    direction: i64,
) -> Result<Option<(PairId, Partner)>, Fault> {
    let session = draft.session()?;
    let seat = Seat::from_index(u8::try_from(direction - 1).unwrap_or_default());
    let (ns, ew) = session.seated(table, round);
    let pair = match seat.side() {
        Side::NorthSouth => ns,
        Side::EastWest => ew,
    };
    let partner = match seat {
        Seat::North | Seat::East => Partner::First,
        Seat::South | Seat::West => Partner::Second,
    };
    Ok(pair.map(|pair| (pair, partner)))
}

/// Cards of boards, beside those that are there.
pub(super) fn hands(draft: &mut Draft, written: &[Handrecord]) -> Result<(), Fault> {
    let mut deals = draft.session()?.deals.clone();
    let mut new: std::collections::BTreeMap<BoardNumber, HandRecord> =
        std::collections::BTreeMap::new();
    for record in written {
        let record = hand::read(record)?;
        match new.get(&record.board) {
            Some(known) if known.deal != record.deal => {
                draft.note(tell!(Connector::BoardOtherCardsAnother {
                    board: record.board
                }));
            }
            Some(_) => {}
            None => {
                new.insert(record.board, record);
            }
        }
    }
    let mut changed = false;
    for (board, record) in new {
        let known = deals.get(&board);
        let same = known.is_some_and(|known| {
            known.deal == record.deal && (record.tricks.is_none() || known.tricks == record.tricks)
        });
        if !same {
            changed = true;
            deals.insert(board, record);
        }
    }
    if !changed {
        return Ok(());
    }
    let deals: Deals = deals.into_iter().map(|(_, record)| record).collect();
    draft.must(Command::AttachDeals {
        file: "the scoring program".to_owned(),
        deals,
    })
}

/// Settings of the older terminals, as far as our pads can do the same.
pub(super) fn bridgemate2(draft: &mut Draft, wanted: &[Bridgemate2Settings]) -> Result<(), Fault> {
    let Some(first) = wanted.first() else {
        return Ok(());
    };
    let before = draft.session()?.settings;
    let take = |wanted: &Bridgemate2Settings| settings::of_bridgemate2(before, wanted);
    let all_same = wanted.iter().all(|it| take(it) == take(first));
    change_settings(draft, take(first), &first.pin, all_same)
}

/// Settings of the newer terminals, as far as our pads can do the same.
pub(super) fn bridgemate3(draft: &mut Draft, wanted: &[Bridgemate3Settings]) -> Result<(), Fault> {
    let Some(first) = wanted.first() else {
        return Ok(());
    };
    let before = draft.session()?.settings;
    let take = |wanted: &Bridgemate3Settings| settings::of_bridgemate3(before, wanted);
    let all_same = wanted.iter().all(|it| take(it) == take(first));
    change_settings(draft, take(first), &first.pin, all_same)
}

fn change_settings(
    draft: &mut Draft,
    mut wanted: Settings,
    pin: &str,
    all_same: bool,
) -> Result<(), Fault> {
    if !all_same {
        draft.note(tell!(Connector::PadsOneSetSettings));
    }
    let before = draft.session()?.settings;
    let own = draft.state().director_pin();
    match settings::pin(pin) {
        Some(pin) if own.is_none() => wanted.director_pin = pin,
        Some(pin) if own != Some(pin) => {
            draft.note(tell!(Connector::DirectorsPinPadsStays));
        }
        _ => {}
    }
    if wanted == before {
        return Ok(());
    }
    if let Err(Refused(why)) = draft.try_to(Command::ChangeSettings(wanted)) {
        // The number is one that anybody would try; everything else can be done.
        draft.note(tell!(Connector::DirectorsPinNotTaken { why }));
        wanted.director_pin = before.director_pin;
        if wanted != before {
            draft.must(Command::ChangeSettings(wanted))?;
        }
    }
    Ok(())
}

/// Results of boards.
pub(super) fn results(
    draft: &mut Draft,
    link: &Link,
    guid: &str,
    scores: &[BoardScore],
) -> Result<(), Fault> {
    let part = part(link, guid)?;
    for written in scores {
        let table = table(part, &written.section_letters, written.table_number)?;
        let round = u8::try_from(written.round_number).ok();
        let board = u8::try_from(written.board_number).ok();
        let (Some(round), Some(board)) = (
            round.and_then(RoundNumber::new),
            board.and_then(BoardNumber::new),
        ) else {
            let place = result::place(written);
            return Err(Fault::invalid(format!("{place}: there is no such place")));
        };
        let cell = Cell::new(table, round, board);
        let (outcome, switched) = result::read(written)?;
        match outcome {
            None => {
                let there = draft.session()?.lines.get(&cell);
                if there.is_some_and(crate::session::Line::is_in) {
                    rule(draft, cell, Ruling::TakenAway)?;
                }
            }
            Some(outcome) => {
                seat(draft, cell, written, switched)?;
                rule(draft, cell, score::ruling(outcome))?;
            }
        }
    }
    Ok(())
}

/// Whoever the program says that has played.
fn seat(draft: &mut Draft, cell: Cell, score: &BoardScore, turned: bool) -> Result<(), Fault> {
    let session = draft.session()?;
    let pair = |side, number: i64| {
        let number = u16::try_from(number).ok().and_then(PairNumber::new);
        let number = number.ok_or_else(|| {
            let place = result::place(score);
            Fault::invalid(format!("{place}: both pairs must have a number"))
        })?;
        Ok::<_, Fault>(session.pair_id(cell.section, side, number))
    };
    let ns = pair(Side::NorthSouth, score.pair_north_south)?;
    let ew = pair(Side::EastWest, score.pair_east_west)?;
    let wanted = if turned {
        (Some(ew), Some(ns))
    } else {
        (Some(ns), Some(ew))
    };
    let meant = session.seated(cell.table_id(), cell.round);
    let now = session
        .lines
        .get(&cell)
        .map_or(meant, |line| (line.ns, line.ew));
    if now == wanted {
        return Ok(());
    }
    let (ns, ew) = wanted;
    draft.must(Command::CorrectPairs {
        cell,
        ns,
        ew,
        why: WHY.to_owned(),
    })
}

fn rule(draft: &mut Draft, cell: Cell, ruling: Ruling) -> Result<(), Fault> {
    let line = draft.session()?.lines.get(&cell);
    if line.is_some_and(|line| line.ruling == ruling) {
        return Ok(());
    }
    draft.must(Command::Rule {
        cell,
        ruling,
        why: WHY.to_owned(),
    })
}

/// The director has been at a table.
pub(super) fn calls(
    draft: &mut Draft,
    link: &Link,
    guid: &str,
    calls: &[TdCall],
) -> Result<(), Fault> {
    let part = part(link, guid)?;
    for call in calls {
        let table = table(part, &call.section_letters, call.table_number)?;
        if call.status != TdCall::SETTLED {
            return Err(Fault::not_here(format!(
                "table {table}: a call can be settled from here and nothing else"
            )));
        }
        let story = draft.session()?.tables.get(&table);
        if story.is_some_and(|story| story.called.is_some()) {
            draft.must(Command::SettleCall { table })?;
        }
    }
    Ok(())
}
