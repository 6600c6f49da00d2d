//! What the organiser has entered, read from the database: the event, its clubs, and matches that
//! are drawn over all rooms.

use std::collections::{BTreeMap, BTreeSet};

use contest::ContestantNumber;
use protocol::words::RoundNumber;
use tokio_postgres::{Row, Transaction};

use crate::database::DatabaseError;
use crate::field::{Club, ClubNumber};
use crate::said::TableName;
use crate::snapshot::About;
use crate::stage::{Carried, Contestant, DrawnRound, Stage, rules};

/// What the organiser has said of an event; `None` where there is none.
pub(crate) async fn about(
    moment: &Transaction<'_>,
    event: i32,
) -> Result<Option<About>, DatabaseError> {
    let row = moment
        .query_opt(
            "SELECT name, method, edition, final IS NOT NULL, rooms, rounds, boards FROM event
             WHERE event = $1",
            &[&event],
        )
        .await?;
    let small = |number: Option<i16>| number.and_then(|number| u8::try_from(number).ok());
    Ok(row.map(|row| About {
        event,
        name: row.get(0),
        method: row.get(1),
        edition: row.get(2),
        is_final: row.get(3),
        rooms: row.get(4),
        matches: small(row.get(5)).zip(small(row.get(6))),
    }))
}

/// The clubs that take part.
pub(crate) async fn clubs(
    moment: &Transaction<'_>,
    event: i32,
) -> Result<BTreeMap<ClubNumber, Club>, DatabaseError> {
    let rows = moment
        .query(
            "SELECT club, name, region, base FROM club WHERE event = $1 AND NOT withdrawn",
            &[&event],
        )
        .await?;
    let club = |row: &Row| {
        let club = Club {
            name: row.get(1),
            region: row.get(2),
            base: row.get(3),
            settled: BTreeSet::new(),
        };
        (row.get(0), club)
    };
    let mut clubs: BTreeMap<ClubNumber, Club> = rows.iter().map(club).collect();
    let rows = moment
        .query(
            "SELECT club, at_table, called FROM settled_call JOIN club USING (club)
             WHERE event = $1",
            &[&event],
        )
        .await?;
    for row in &rows {
        let table = TableName::try_from(row.get::<_, String>(1)).ok();
        let called = row.get::<_, i64>(2).unsigned_abs();
        if let Some((club, table)) = clubs.get_mut(&row.get(0)).zip(table) {
            club.settled.insert((table, called));
        }
    }
    Ok(clubs)
}

/// The matches of an event that are drawn over all its rooms.
pub(crate) async fn stage(
    moment: &Transaction<'_>,
    about: &About,
) -> Result<Option<Stage>, DatabaseError> {
    let Some((rounds, boards)) = about.matches else {
        return Ok(None);
    };
    let event = about.event;
    let rooms = moment
        .query(
            "SELECT club, tables FROM club WHERE event = $1 AND NOT withdrawn ORDER BY club",
            &[&event],
        )
        .await?;
    let carried = moment
        .query_one("SELECT carried FROM event WHERE event = $1", &[&event])
        .await?;
    let carried: Option<String> = carried.get(0);
    let contestants = moment
        .query(
            "SELECT number, one, other, home, gone FROM contestant WHERE event = $1",
            &[&event],
        )
        .await?;
    let drawn = moment
        .query(
            "SELECT round, version, text FROM draw WHERE event = $1 ORDER BY round, version",
            &[&event],
        )
        .await?;
    Ok(Some(Stage {
        rounds,
        boards,
        rules: rules(&about.method),
        rooms: rooms
            .iter()
            .map(|it| (it.get(0), count(it.get(1))))
            .collect(),
        contestants: contestants.iter().filter_map(contestant).collect(),
        // Of several draws of a round the last one stays.
        drawn: drawn.iter().filter_map(drawn_round).collect(),
        carried: carried.map_or_else(Carried::default, |text| read(&text).unwrap_or_default()),
    }))
}

fn count(number: i16) -> u16 {
    u16::try_from(number).unwrap_or_default()
}

fn contestant(row: &Row) -> Option<(ContestantNumber, Contestant)> {
    let gone: Option<i16> = row.get(4);
    let contestant = Contestant {
        players: [row.get(1), row.get(2)],
        home: row.get(3),
        gone: gone.and_then(|gone| u8::try_from(gone).ok()),
    };
    Some((ContestantNumber::new(count(row.get(0)))?, contestant))
}

fn drawn_round(row: &Row) -> Option<(RoundNumber, (u32, DrawnRound))> {
    let round = u8::try_from(row.get::<_, i16>(0)).ok();
    let version: i32 = row.get(1);
    let drawn = read(row.get(2))?;
    Some((RoundNumber::new(round?)?, (version.unsigned_abs(), drawn)))
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let read = serde_json::from_str(text);
    read.inspect_err(|fault| tracing::error!(%fault, "what was drawn can't be read"))
        .ok()
}
