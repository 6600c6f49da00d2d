//! The club's list of players: read from a file that another program wrote, searched by name.

use protocol::words::PlayerNumber;

use super::{Club, Refused};

/// Reads a list of players: one a line, a number and a name, separated by commas, semicolons or
/// tabs, with or without a heading. The name may be in one column or in two (first name, surname,
/// by their heading, or in the order they stand).
pub fn read_members(text: &str) -> Result<Vec<(PlayerNumber, String)>, Refused> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let separator = [b'\t', b';', b',']
        .into_iter()
        .max_by_key(|separator| first.bytes().filter(|byte| byte == separator).count())
        .unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut columns: Option<Columns> = None;
    let mut members = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|fault| Refused::because(format!("the list: {fault}")))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells: Vec<&str> = record.iter().collect();
        if cells.iter().all(|cell| cell.is_empty()) {
            continue;
        }
        if columns.is_none() {
            let (found, heading) = Columns::of(&cells);
            columns = Some(found);
            if heading {
                continue;
            }
        }
        let Some(columns) = &columns else { continue };
        members.push(columns.member(&cells, line)?);
    }
    if members.is_empty() {
        return Err(Refused::because("the list of players is empty"));
    }
    Ok(members)
}

/// Where a list has what.
struct Columns {
    number: usize,
    /// In the order in which a name is spoken.
    names: Vec<usize>,
}

impl Columns {
    /// The columns by their heading, and whether the line was one.
    fn of(cells: &[&str]) -> (Self, bool) {
        let is_number = |cell: &&str| cell.parse::<PlayerNumber>().is_ok();
        let heading = !cells.iter().any(is_number);
        let find = |words: &[&str]| {
            cells.iter().position(|cell| {
                let cell = cell.to_lowercase();
                words.iter().any(|word| cell.contains(word))
            })
        };
        if !heading {
            let number = cells.iter().position(is_number).unwrap_or(0);
            let names = (0..cells.len())
                .filter(|at| *at != number)
                .take(2)
                .collect();
            return (Self { number, names }, false);
        }
        let number = find(&["number", "nummer", "no.", "id"]).unwrap_or(0);
        let first = find(&["first", "vorname", "given"]);
        let last = find(&["last", "surname", "nachname", "family"]);
        let names = if let (Some(first), Some(last)) = (first, last) {
            vec![first, last]
        } else {
            let named = find(&["name", "player", "spieler"]).filter(|at| *at != number);
            named.map_or_else(
                || {
                    (0..cells.len())
                        .filter(|at| *at != number)
                        .take(2)
                        .collect()
                },
                |name| vec![name],
            )
        };
        (Self { number, names }, true)
    }

    fn member(&self, cells: &[&str], line: u64) -> Result<(PlayerNumber, String), Refused> {
        let number = cells.get(self.number).copied().unwrap_or_default();
        let number: PlayerNumber = number.parse().map_err(|_| {
            Refused::because(format!(
                "line {line} of the list: expected a player number, not \"{number}\""
            ))
        })?;
        let name: Vec<&str> = self
            .names
            .iter()
            .filter_map(|at| cells.get(*at))
            .flat_map(|cell| cell.split_whitespace())
            .collect();
        if name.is_empty() {
            return Err(Refused::because(format!(
                "line {line} of the list: player {number} has no name"
            )));
        }
        Ok((number, name.join(" ")))
    }
}

impl Club {
    /// Players whose name has a word that begins like this, or whose number is this. Capitals do
    /// not matter.
    pub fn find_members(&self, text: &str) -> Vec<(PlayerNumber, &str)> {
        let wanted = text.trim().to_lowercase();
        if wanted.is_empty() {
            return Vec::new();
        }
        let number: Option<PlayerNumber> = wanted.parse().ok();
        self.members
            .iter()
            .filter(|(known, name)| {
                let begins = |word: &str| word.to_lowercase().starts_with(&wanted);
                Some(**known) == number || begins(name) || name.split([' ', '-']).any(begins)
            })
            .map(|(known, name)| (*known, name.as_str()))
            .collect()
    }
}
