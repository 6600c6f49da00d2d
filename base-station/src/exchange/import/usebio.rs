//! Reads USEBIO: pairs with their names, travellers, hand records. Elements may stand in any
//! order, as producers differ.

use std::collections::BTreeMap;

use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Deal, Hand, Percentage, Played, Rank, Score, Seat,
    SectionLetter, Side, Suit, Tricks,
};
use quick_xml::Reader;
use quick_xml::events::Event;

use super::{NotTaken, PairKey, Taken, TakenLine, TakenPair, TakenSection, no_board_number};
use crate::deals::{Deals, DealtBoard};
use crate::session::plan::{Method, Ruling, SideAward};
use telling::{Told, tell};

/// Elements inside each other, and elements in all: more is an attack, not an event.
const DEPTH_MAX: usize = 32;
const ELEMENTS_MAX: usize = 4_000_000;

/// An element with what is in it.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    fn first(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The text of a child; empty where there is none.
    fn text_of(&self, name: &str) -> &str {
        self.first(name).map_or("", |child| child.text.trim())
    }
}

fn parse(bytes: &[u8]) -> Result<Element, NotTaken> {
    let mut reader = Reader::from_reader(bytes);
    let broken =
        |at: u64, what: Told| NotTaken::because(tell!(Exchange::DamagedAt { n: at, what }));
    let mut open: Vec<Element> = vec![Element::default()];
    let mut buffer = Vec::new();
    let mut elements = 0;
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|fault| broken(at, Told::as_written(fault.to_string())))? {
            Event::Start(start) => {
                elements += 1;
                if open.len() > DEPTH_MAX || elements > ELEMENTS_MAX {
                    return Err(broken(at, tell!(Exchange::TooManyElements)));
                }
                open.push(element(&start, &reader));
            }
            Event::Empty(start) => {
                let child = element(&start, &reader);
                if let Some(parent) = open.last_mut() {
                    parent.children.push(child);
                }
            }
            Event::End(_) => {
                let Some(child) = open.pop() else { continue };
                match open.last_mut() {
                    Some(parent) => parent.children.push(child),
                    None => return Err(broken(at, tell!(Exchange::EndWithoutBeginning))),
                }
            }
            Event::Text(text) => {
                if let Some(element) = open.last_mut() {
                    element.text += &decoded(&text);
                }
            }
            Event::CData(text) => {
                if let Some(element) = open.last_mut() {
                    element.text += &decoded(&text);
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(element) = open.last_mut() {
                    let name = decoded(&reference);
                    let letter = reference.resolve_char_ref().ok().flatten();
                    let known = quick_xml::escape::resolve_predefined_entity(&name);
                    element.text.extend(letter);
                    element.text += known.unwrap_or_default();
                }
            }
            Event::Eof => break,
            _ => {}
        }
        buffer.clear();
    }
    if open.len() != 1 {
        let at = reader.buffer_position();
        return Err(broken(at, tell!(Exchange::EndsEarly)));
    }
    let mut top = open.pop().unwrap_or_default();
    let usebio = top.children.iter().position(|child| child.name == "USEBIO");
    usebio
        .map(|at| top.children.swap_remove(at))
        .ok_or_else(|| NotTaken::because(tell!(Exchange::NoUsebio)))
}

fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn element(start: &quick_xml::events::BytesStart<'_>, _reader: &Reader<&[u8]>) -> Element {
    let attributes = start.attributes().flatten().map(|attribute| {
        let name = decoded(attribute.key.as_ref()).to_ascii_uppercase();
        (name, decoded(&attribute.value))
    });
    Element {
        name: decoded(start.name().as_ref()).to_ascii_uppercase(),
        attributes: attributes.collect(),
        ..Element::default()
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Taken, NotTaken> {
    let usebio = parse(bytes)?;
    let event = usebio.first("EVENT");
    let event = event.ok_or_else(|| NotTaken::because(tell!(Exchange::NoEvent)))?;
    let kind = event
        .attributes
        .get("EVENT_TYPE")
        .map_or("", String::as_str);
    let scoring = event.text_of("BOARD_SCORING_METHOD");
    let method = match (kind, scoring) {
        ("BUTLER_PAIRS", _) | (_, "BUTLER_IMPS") => Method::Butler,
        ("CROSS_IMP", _) | (_, "CROSS_IMPS") => Method::CrossImps,
        ("PAIRS" | "MP_PAIRS", "" | "MATCH_POINTS") => Method::Matchpoints,
        _ => {
            return Err(NotTaken::because(tell!(Exchange::EventOtherwise {
                given: format!("{kind} {scoring}")
            })));
        }
    };
    let mut taken = Taken {
        format: "USEBIO",
        event: event.text_of("EVENT_DESCRIPTION").to_owned(),
        date: date(event.text_of("DATE")).unwrap_or_else(|| "2000-01-01".to_owned()),
        method,
        single: false,
        across_sections: false,
        sections: BTreeMap::new(),
        deals: Deals::default(),
        notes: Vec::new(),
    };
    let two_winners = event.text_of("WINNER_TYPE") == "2";
    let mut places: Vec<&Element> = event.all("SECTION").collect();
    for session in event.all("SESSION") {
        places.extend(session.all("SECTION"));
        if session.first("BOARD").is_some() {
            places.push(session);
        }
    }
    if event.first("BOARD").is_some() {
        places.push(event);
    }
    for place in places {
        let letter = letter(place, &taken.sections);
        let letter = letter.ok_or_else(|| NotTaken::because(tell!(Exchange::TooManySections)))?;
        let section = section(place, two_winners, &mut taken.notes)?;
        taken.sections.insert(letter, section);
    }
    taken.deals = usebio
        .all("HANDSET")
        .flat_map(|set| set.all("BOARD"))
        .filter_map(hand)
        .collect();
    Ok(taken)
}

/// `16/11/2026`, `16-11-2026` or `2026-11-16`.
fn date(text: &str) -> Option<String> {
    let parts: Vec<u16> = text
        .split(['/', '-', '.'])
        .map(|part| part.trim().parse().ok())
        .collect::<Option<_>>()?;
    match parts.as_slice() {
        [year, month, day] | [day, month, year] if *year >= 1000 => {
            Some(format!("{year:04}-{month:02}-{day:02}"))
        }
        _ => None,
    }
}

fn letter(place: &Element, taken: &BTreeMap<SectionLetter, TakenSection>) -> Option<SectionLetter> {
    let named = place.attributes.get("SECTION_ID");
    let named = named.and_then(|name| name.trim().chars().next());
    let named = named.map(|letter| letter.to_ascii_uppercase());
    named
        .and_then(SectionLetter::new)
        .filter(|letter| !taken.contains_key(letter))
        .or_else(|| {
            ('A'..='Z')
                .filter_map(SectionLetter::new)
                .find(|letter| !taken.contains_key(letter))
        })
}

fn section(
    place: &Element,
    two_winners: bool,
    notes: &mut Vec<Told>,
) -> Result<TakenSection, NotTaken> {
    let mut section = TakenSection {
        one_winner: !two_winners,
        ..TakenSection::default()
    };
    let people = place.all("PARTICIPANTS").flat_map(|all| all.all("PAIR"));
    for pair in people {
        let direction = pair.text_of("DIRECTION").parse::<Side>().ok();
        let key = key(pair.text_of("PAIR_NUMBER"), two_winners, direction)?;
        section.pairs.insert(key, participant(pair));
    }
    for board in place.all("BOARD") {
        let number = board.text_of("BOARD_NUMBER");
        let number: BoardNumber = number.parse().map_err(|_| no_board_number(number))?;
        for line in board.all("TRAVELLER_LINE") {
            match traveller_line(line, number, two_winners)? {
                Some(line) => section.lines.push(line),
                None => notes.push(tell!(Exchange::BoardResultPairsCould {
                    board: number,
                    ns: line.text_of("NS_PAIR_NUMBER"),
                    ew: line.text_of("EW_PAIR_NUMBER")
                })),
            }
        }
    }
    Ok(section)
}

/// `7`, `7NS`, `N7`, with the direction where there are two winners.
fn key(text: &str, two_winners: bool, side: Option<Side>) -> Result<PairKey, NotTaken> {
    let upper = text.trim().to_ascii_uppercase();
    let digits: String = upper.chars().filter(char::is_ascii_digit).collect();
    let letters: String = upper.chars().filter(char::is_ascii_alphabetic).collect();
    let named = match letters.as_str() {
        "NS" | "N" => Some(Side::NorthSouth),
        "EW" | "E" => Some(Side::EastWest),
        _ => None,
    };
    let number = digits
        .parse()
        .map_err(|_| NotTaken::because(tell!(Exchange::NoPairNumber { given: text })))?;
    Ok(PairKey {
        side: named.or(side).filter(|_| two_winners),
        number,
    })
}

fn participant(pair: &Element) -> TakenPair {
    let mut players = pair.all("PLAYER").map(|player| {
        let number = player.text_of("NATIONAL_ID_NUMBER").parse().ok();
        (player.text_of("PLAYER_NAME").to_owned(), number)
    });
    let players = [
        players.next().unwrap_or_default(),
        players.next().unwrap_or_default(),
    ];
    TakenPair {
        players,
        adjustment: ten_thousandths(pair.text_of("ADJUSTMENT")).unwrap_or_default() / 100,
        place: pair.text_of("PLACE").to_owned(),
    }
}

fn traveller_line(
    line: &Element,
    board: BoardNumber,
    two_winners: bool,
) -> Result<Option<TakenLine>, NotTaken> {
    let side = |name, side| key(line.text_of(name), two_winners, Some(side));
    let ns = side("NS_PAIR_NUMBER", Side::NorthSouth)?;
    let ew = side("EW_PAIR_NUMBER", Side::EastWest)?;
    let points = |names: [&str; 4]| {
        let mut found = names.into_iter().map(|name| line.text_of(name));
        found.find_map(ten_thousandths)
    };
    let both = points([
        "NS_MATCH_POINTS",
        "NS_BUTLER_POINTS",
        "NS_CROSS_IMP_POINTS",
        "NS_IMPS",
    ])
    .zip(points([
        "EW_MATCH_POINTS",
        "EW_BUTLER_POINTS",
        "EW_CROSS_IMP_POINTS",
        "EW_IMPS",
    ]))
    .map(|(ns, ew)| ns + ew);
    let ruling = ruling(line);
    Ok(ruling.map(|ruling| TakenLine {
        board,
        ns,
        ew,
        place: None,
        ruling,
        both,
    }))
}

fn ruling(line: &Element) -> Option<Ruling> {
    let contract = line.text_of("CONTRACT");
    let score = line.text_of("SCORE");
    if contract.eq_ignore_ascii_case("PASS") {
        return Some(Ruling::Result(BoardResult::PassedOut));
    }
    if let Some(shares) = score.strip_prefix(['A', 'a']) {
        return awarded(shares);
    }
    if !contract.is_empty() {
        let declarer: Seat = line.text_of("PLAYED_BY").parse().ok()?;
        let contract = Contract::parse(contract, declarer).ok()?;
        let tricks: Tricks = line.text_of("TRICKS").parse().ok()?;
        let lead: Option<Card> = line.text_of("LEAD").parse().ok();
        return Some(Ruling::Result(BoardResult::Played(Played {
            contract,
            tricks,
            lead,
        })));
    }
    let score = score.trim_start_matches('+').parse().ok().map(Score)?;
    Some(Ruling::Award {
        ns: SideAward::Score(score),
        ew: SideAward::Score(score),
    })
}

/// `6040`: percentages of North-South and of East-West.
fn awarded(shares: &str) -> Option<Ruling> {
    let digits: String = shares.chars().filter(char::is_ascii_digit).collect();
    if digits.len() != 4 {
        return None;
    }
    let share = |text: &str| Percentage::whole(text.parse().ok()?);
    let ns = share(digits.get(..2)?)?;
    let ew = share(digits.get(2..)?)?;
    Some(Ruling::Result(BoardResult::Adjusted { ns, ew }))
}

/// `12.5` without floating point.
fn ten_thousandths(text: &str) -> Option<i64> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, parts) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let parts: String = parts.chars().chain("0000".chars()).take(4).collect();
    let whole: i64 = whole
        .parse()
        .ok()
        .filter(|it| (0..10_000_000).contains(it))?;
    let parts: i64 = parts.parse().ok()?;
    let sum = whole * 10_000 + parts;
    Some(if negative { -sum } else { sum })
}

fn hand(board: &Element) -> Option<DealtBoard> {
    let mut hands = [Hand::EMPTY; 4];
    for hand in board.all("HAND") {
        let direction = hand.text_of("DIRECTION").chars().next()?;
        let seat: Seat = direction.to_string().parse().ok()?;
        for (suit, name) in [
            (Suit::Spades, "SPADES"),
            (Suit::Hearts, "HEARTS"),
            (Suit::Diamonds, "DIAMONDS"),
            (Suit::Clubs, "CLUBS"),
        ] {
            for letter in hand.text_of(name).replace("10", "T").chars() {
                let rank = Rank::from_char(letter)?;
                hands[usize::from(seat.index())].insert(Card { suit, rank });
            }
        }
    }
    Some(DealtBoard {
        board: board.text_of("BOARD_NUMBER").parse().ok()?,
        deal: Deal::new(hands)?,
        tricks: None,
        par: None,
    })
}
