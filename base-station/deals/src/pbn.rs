//! Puts the tags of a PBN file together into boards.

use std::collections::BTreeMap;

use protocol::message::Par;
use protocol::words::{BoardNumber, Seat, Vulnerability};

use super::error::{DealFileError, Place, Problem};
use super::tags::{Tag, tags};
use super::{Deals, DealtBoard, cards, tricks};

/// Tags that can only open a board: after a deal and an empty line they belong to the next one.
const OPENING_TAGS: [&str; 6] = ["Event", "Site", "Date", "Board", "Dealer", "Vulnerable"];

/// Reads a PBN file: UTF-8 or Latin-1, any line ends, comments, auctions, tables, inherited
/// values, boards without a number (they follow the one before).
pub fn read_pbn(bytes: &[u8]) -> Result<Deals, DealFileError> {
    let start = Place { line: 1, column: 1 };
    let refuse = |place: Place, problem| DealFileError {
        at: place.into(),
        board: None,
        problem,
    };
    let text = decode(bytes).map_err(|place| refuse(place, Problem::NotText))?;
    let games = match tags(&text) {
        Ok(tags) => games(tags),
        Err((place, problem)) => {
            return Err(DealFileError {
                at: place.into(),
                board: last_board_before(&text, place.line),
                problem,
            });
        }
    };
    let mut deals = Deals::default();
    let mut first_lines: BTreeMap<BoardNumber, usize> = BTreeMap::new();
    let mut before: Option<(BoardNumber, &Tag)> = None;
    for game in &games {
        let number = board_number(game, before.map(|(board, _)| board))?;
        let own = game.tag("Deal").filter(|tag| tag.value != "#");
        let Some(deal_tag) = own.or(before.map(|(_, tag)| tag).filter(|_| game.has("Deal"))) else {
            // Results without cards (a team's card, a bye) are no deal: only a board that says
            // it is one must have its cards.
            if game.has("Board") && !game.has("Contract") {
                return Err(game.refuse("Board", Some(number), Problem::NoDeal));
            }
            continue;
        };
        let board = dealt_board(game, number, deal_tag)?;
        let line = game.place.line;
        if let Some(&first_line) = first_lines.get(&number) {
            // The same board once for each table that played it is how result files look.
            if deals
                .board(number)
                .is_some_and(|first| first.deal == board.deal)
            {
                continue;
            }
            return Err(game.refuse("Board", Some(number), Problem::Twice { first_line }));
        }
        first_lines.insert(number, line);
        deals.put(board);
        before = Some((number, deal_tag));
    }
    if deals.is_empty() {
        return Err(refuse(start, Problem::NoDeals));
    }
    Ok(deals)
}

/// The text of the file, or the place of the first zero byte.
pub(super) fn decode(bytes: &[u8]) -> Result<String, Place> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let before = &bytes[..at];
        let line_start = before.iter().rposition(|byte| *byte == b'\n');
        return Err(Place {
            line: before.split(|byte| *byte == b'\n').count(),
            column: at - line_start.map_or(0, |newline| newline + 1) + 1,
        });
    }
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        // Every byte is a character of Latin-1, and the tags we read are ASCII in either.
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    })
}

/// For a file that can't even be cut into tags: the board whose tag was seen last.
fn last_board_before(text: &str, line: usize) -> Option<BoardNumber> {
    text.lines().take(line).filter_map(board_in_line).last()
}

fn board_in_line(line: &str) -> Option<BoardNumber> {
    let value = line.trim().strip_prefix("[Board")?.trim();
    value.trim_matches(['"', ']', ' ']).parse().ok()
}

/// The tags of one board.
struct Game {
    place: Place,
    tags: Vec<Tag>,
}

impl Game {
    /// The first tag of the name counts, as the notation says.
    fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    fn has(&self, name: &str) -> bool {
        self.tag(name).is_some()
    }

    fn value(&self, name: &str) -> Option<&Tag> {
        // An empty value or a question mark is how programs say that they don't know.
        self.tag(name)
            .filter(|tag| !matches!(tag.value.trim(), "" | "?" | "#"))
    }

    fn refuse(&self, tag: &str, board: Option<BoardNumber>, problem: Problem) -> DealFileError {
        DealFileError {
            at: self.tag(tag).map_or(self.place, |tag| tag.place).into(),
            board,
            problem,
        }
    }
}

fn games(tags: Vec<Tag>) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for tag in tags {
        let starts = games.last().is_none_or(|game| {
            let opening = OPENING_TAGS.contains(&tag.name.as_str());
            (opening || tag.name == "Deal") && game.has(&tag.name)
                || opening && tag.after_gap && game.has("Deal")
        });
        if starts {
            games.push(Game {
                place: tag.place,
                tags: Vec::new(),
            });
        }
        if let Some(game) = games.last_mut() {
            game.tags.push(tag);
        }
    }
    games
}

fn board_number(game: &Game, before: Option<BoardNumber>) -> Result<BoardNumber, DealFileError> {
    match game.value("Board") {
        Some(tag) => tag.value.parse().map_err(|_| DealFileError {
            at: tag.value_place.into(),
            board: None,
            problem: Problem::BadBoard(tag.value.clone()),
        }),
        None => match before {
            None => Ok(BoardNumber::MIN),
            Some(board) => board
                .next()
                .ok_or_else(|| game.refuse("Deal", None, Problem::BadBoard("256".to_owned()))),
        },
    }
}

fn dealt_board(game: &Game, board: BoardNumber, deal: &Tag) -> Result<DealtBoard, DealFileError> {
    let refuse = |place: Place, problem| DealFileError {
        at: place.into(),
        board: Some(board),
        problem,
    };
    if let Some(tag) = game.value("Dealer") {
        let place = tag.value_place;
        let file: Seat = (tag.value.parse())
            .map_err(|_| refuse(place, Problem::BadDealer(tag.value.clone())))?;
        if file != board.dealer() {
            let board = board.dealer();
            return Err(refuse(place, Problem::Dealer { file, board }));
        }
    }
    if let Some(tag) = game.value("Vulnerable") {
        let place = tag.value_place;
        let file: Vulnerability = (tag.value.parse())
            .map_err(|_| refuse(place, Problem::BadVulnerability(tag.value.clone())))?;
        if file != board.vulnerability() {
            let board = board.vulnerability();
            return Err(refuse(place, Problem::Vulnerable { file, board }));
        }
    }
    let cards = cards::deal(deal.value.trim()).map_err(|(offset, problem)| {
        let Place { line, column } = deal.value_place;
        let column = column + offset;
        refuse(Place { line, column }, problem)
    })?;
    Ok(DealtBoard {
        board,
        deal: cards,
        tricks: known_tricks(game, board)?,
        par: known_par(game, board)?,
    })
}

fn known_tricks(
    game: &Game,
    board: BoardNumber,
) -> Result<Option<protocol::message::TricksTable>, DealFileError> {
    if let Some(tag) = game.value("DoubleDummyTricks") {
        // Programs fill the tag with signs of their own where they have not calculated.
        if tag
            .value
            .chars()
            .all(|sign| matches!(sign, '-' | '*' | '.'))
        {
            return Ok(None);
        }
        let tricks = tricks::from_digits(tag.value.trim()).ok_or_else(|| DealFileError {
            at: tag.value_place.into(),
            board: Some(board),
            problem: Problem::BadTricks(tag.value.clone()),
        })?;
        return Ok(Some(tricks));
    }
    let table = game.tag("OptimumResultTable");
    let ability = || tricks::from_ability(&game.value("Ability")?.value);
    Ok(table
        .and_then(|tag| tricks::from_lines(&tag.section))
        .or_else(ability))
}

fn known_par(game: &Game, board: BoardNumber) -> Result<Option<Par>, DealFileError> {
    let optimum = game.value("OptimumScore");
    let Some(tag) = optimum.or_else(|| game.value("Par")) else {
        let minimax = game.value("Minimax");
        return Ok(minimax.and_then(|tag| tricks::minimax(&tag.value)));
    };
    match tricks::score(&tag.value) {
        Some(score) => Ok(Some(Par {
            score,
            contract: None,
        })),
        // `Par` is nobody's standard, so that what can't be read there is no fault of the file.
        None if optimum.is_none() => Ok(None),
        None => Err(DealFileError {
            at: tag.value_place.into(),
            board: Some(board),
            problem: Problem::BadPar(tag.value.clone()),
        }),
    }
}

/// One game of a PBN file with all its tags, for whoever wants more of it than its cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PbnGame {
    tags: Vec<(String, String, Vec<String>)>,
}

impl PbnGame {
    /// The value of a tag, where it has one of its own.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let tag = tags.find(|(known, ..)| known == name)?;
        Some(tag.1.as_str()).filter(|value| !matches!(value.trim(), "#" | "?"))
    }

    /// The head of a table and its lines.
    pub fn table(&self, name: &str) -> Option<(String, Vec<String>)> {
        let mut tags = self.tags.iter();
        let tag = tags.find(|(known, ..)| known == name)?;
        Some((tag.1.clone(), tag.2.clone()))
    }
}

/// The games of a PBN file, whatever is in them.
pub fn read_pbn_games(bytes: &[u8]) -> Result<Vec<PbnGame>, DealFileError> {
    let refuse = |place: Place, problem| DealFileError {
        at: place.into(),
        board: None,
        problem,
    };
    let text = decode(bytes).map_err(|place| refuse(place, Problem::NotText))?;
    let tags = tags(&text).map_err(|(place, problem)| refuse(place, problem))?;
    let games = games(tags).into_iter().map(|game| PbnGame {
        tags: (game.tags.into_iter())
            .map(|tag| (tag.name, tag.value, tag.section))
            .collect(),
    });
    Ok(games.collect())
}
