//! One field: what the bases have said, folded, and scored together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use protocol::words::{BoardNumber, SectionLetter, Side};
use scoring::{Contestant, Field, Outcome, Pair, Penalty, Percent, Points, Rules};

use crate::said::{self, Line, PairName, PairSaid, Phase, Place, Said, TableName, TableSaid};

/// A club in an event, by its number.
pub(crate) type ClubNumber = i32;

/// Where pairs are the same ones in every room, they are nobody's own.
pub(crate) const EVERYWHERE: ClubNumber = 0;

/// A base of a club, by its number.
pub(crate) type BaseNumber = i32;

/// A pair of the whole field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Entrant {
    /// Its club.
    pub(crate) club: ClubNumber,
    /// The pair within the club.
    pub(crate) pair: Pair,
}

/// A club of the event, as its organiser has entered it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Club {
    pub(crate) name: String,
    pub(crate) region: String,
    /// The base that is listened to; an earlier one counts no more.
    pub(crate) base: Option<BaseNumber>,
    /// Calls that were settled on the page of all rooms.
    pub(crate) settled: BTreeSet<(TableName, u64)>,
}

/// What one base has said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) lines: BTreeMap<Place, Line>,
    pub(crate) pairs: BTreeMap<PairName, PairSaid>,
    pub(crate) phase: Phase,
    /// How far its tables are, where somebody looks after several rooms.
    pub(crate) tables: BTreeMap<TableName, TableSaid>,
    /// It went on from older copies so many times.
    pub(crate) older_copies: u32,
}

/// All clubs' results as one field.
#[derive(Debug)]
pub(crate) struct Event {
    /// Pairs are the same ones in every room.
    one_list: bool,
    clubs: BTreeMap<ClubNumber, Club>,
    sheets: BTreeMap<BaseNumber, Arc<Sheet>>,
    /// The clubs of the bases that are listened to.
    listened: BTreeMap<BaseNumber, ClubNumber>,
    field: Field<Entrant>,
    /// Who has a row on a board, one of the two of every row, so that it can be taken away again.
    counted: BTreeMap<(ClubNumber, BoardNumber), Vec<Entrant>>,
    /// Lines that can't count because one of their pairs has another result on the board.
    doubled: BTreeMap<(ClubNumber, BoardNumber), Vec<Place>>,
}

impl Event {
    /// An event without results; in one of `one_list` a pair keeps its number in every room.
    pub(crate) fn new(rules: Rules, one_list: bool) -> Self {
        Self {
            one_list,
            clubs: BTreeMap::new(),
            sheets: BTreeMap::new(),
            listened: BTreeMap::new(),
            field: Field::new(rules),
            counted: BTreeMap::new(),
            doubled: BTreeMap::new(),
        }
    }

    pub(crate) const fn clubs(&self) -> &BTreeMap<ClubNumber, Club> {
        &self.clubs
    }

    pub(crate) const fn doubled(&self) -> &BTreeMap<(ClubNumber, BoardNumber), Vec<Place>> {
        &self.doubled
    }

    pub(crate) const fn field(&mut self) -> &mut Field<Entrant> {
        &mut self.field
    }

    /// What the base says that a club is listened to by.
    pub(crate) fn sheet(&self, club: ClubNumber) -> Option<&Arc<Sheet>> {
        self.sheets.get(&self.clubs.get(&club)?.base?)
    }

    /// The clubs are these from now on. What a base said that is not listened to is kept: a club that
    /// was withdrawn may take part again.
    pub(crate) fn set_clubs(&mut self, clubs: BTreeMap<ClubNumber, Club>) {
        let before = std::mem::replace(&mut self.clubs, clubs);
        let mut changed = BTreeSet::new();
        let numbers = before.keys().chain(self.clubs.keys());
        for club in numbers {
            let base = |clubs: &BTreeMap<_, Club>| clubs.get(club).and_then(|it| it.base);
            if base(&before) != base(&self.clubs) {
                changed.insert(*club);
            }
        }
        for club in changed {
            let counted = self.counted.keys().filter(|(of, _)| *of == club);
            let mut boards: BTreeSet<BoardNumber> = counted.map(|(_, board)| *board).collect();
            if let Some(sheet) = self.sheet(club) {
                boards.extend(sheet.lines.keys().map(|place| place.board));
            }
            for board in boards {
                self.score(club, board);
            }
        }
        let clubs = self.clubs.iter();
        self.listened = clubs
            .filter_map(|(&number, club)| Some((club.base?, number)))
            .collect();
        self.adjust();
    }

    /// A base said this. It counts as long as the base is listened to.
    pub(crate) fn hear(&mut self, base: BaseNumber, said: Said) {
        // Whoever still looks at the sheet as it was keeps it.
        let sheet = Arc::make_mut(self.sheets.entry(base).or_default());
        let board = match said {
            Said::Line(line) => {
                let board = line.place.board;
                sheet.lines.insert(line.place, line);
                Some(board)
            }
            Said::Gone(place) => sheet.lines.remove(&place).map(|_| place.board),
            Said::Pair(pair) => {
                sheet.pairs.insert(pair.pair, pair);
                None
            }
            Said::PairGone(pair) => {
                sheet.pairs.remove(&pair);
                None
            }
            Said::Phase(phase) => {
                sheet.phase = phase;
                None
            }
            Said::OlderCopy { .. } => {
                sheet.older_copies += 1;
                None
            }
            Said::Table(table) => {
                sheet.tables.insert(table.table, table);
                None
            }
            Said::TableGone(table) => {
                sheet.tables.remove(&table);
                None
            }
        };
        if let Some(board) = board
            && let Some(&club) = self.listened.get(&base)
        {
            self.score(club, board);
        }
    }

    /// A pair of a club.
    const fn entrant(&self, club: ClubNumber, pair: Pair) -> Entrant {
        let club = if self.one_list { EVERYWHERE } else { club };
        Entrant { club, pair }
    }

    /// Penalties, and who went home, of all clubs. Called before a ranking is made.
    pub(crate) fn adjust(&mut self) {
        let mut penalties = Vec::new();
        let mut gone = BTreeSet::new();
        for (&club, entered) in &self.clubs {
            let sheet = entered.base.and_then(|base| self.sheets.get(&base));
            for pair in sheet.iter().flat_map(|sheet| sheet.pairs.values()) {
                let entrant = self.entrant(club, pair.pair.0);
                penalties.extend(pair.penalties.iter().map(|it| (entrant, it.penalty())));
                if pair.gone {
                    gone.insert(entrant);
                }
            }
        }
        let adjustments = self.field.adjustments_mut();
        adjustments.penalties = penalties;
        adjustments.gone = gone;
    }

    /// Counts a board of a club anew. It comes out the same in whatever order its lines came.
    fn score(&mut self, club: ClubNumber, board: BoardNumber) {
        for entrant in self.counted.remove(&(club, board)).unwrap_or_default() {
            self.field.remove(board, entrant);
        }
        self.doubled.remove(&(club, board));
        let base = self.clubs.get(&club).and_then(|it| it.base);
        let Some(sheet) = base.and_then(|base| self.sheets.get(&base)) else {
            return;
        };
        let mut rows: Vec<_> = (sheet.lines.values())
            .filter(|line| line.place.board == board)
            .map(|line| (line.place, line.row(|pair| self.entrant(club, pair))))
            .collect();
        // What was not played counts for nobody, so it gives way.
        rows.sort_by_key(|(place, row)| (!row.outcome.counts(), *place));
        let mut counted = Vec::new();
        let mut doubled = Vec::new();
        for (place, row) in rows {
            let Some(named) = row.ns.or(row.ew) else {
                continue;
            };
            let counts = row.outcome.counts();
            // A row that replaces another one of the same two pairs would take it away.
            let known = [row.ns, row.ew].into_iter().flatten();
            let is_known = known.clone().any(|it| counted.contains(&it));
            if is_known || self.field.set(board, row.clone()).is_err() {
                if counts {
                    doubled.push(place);
                }
                continue;
            }
            counted.push(named);
            counted.extend(known.filter(|it| *it != named));
        }
        if !counted.is_empty() {
            self.counted.insert((club, board), counted);
        }
        if !doubled.is_empty() {
            self.doubled.insert((club, board), doubled);
        }
    }
}

impl said::Penalty {
    fn penalty(self) -> Penalty {
        match self {
            Self::OfATop(share) => Penalty::OfATop(Percent(share.into())),
            Self::Points(points) => Penalty::Points(Points::from_ten_thousandths(points)),
            Self::Percent(share) => Penalty::Percent(Percent(share.into())),
        }
    }
}

impl Contestant for Entrant {
    fn section(self) -> SectionLetter {
        self.pair.section
    }

    /// All pairs of a field are in one list, whichever way they sit.
    fn direction(self) -> Option<Side> {
        None
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of club {}", PairName(self.pair), self.club)
    }
}

/// How many results of a board there are of each kind, and what they are worth to North-South.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frequency {
    /// North-South's score; none where the director awarded something.
    pub(crate) score: Option<i16>,
    /// So many tables.
    pub(crate) times: usize,
    /// North-South's matchpoints or IMPs, in ten-thousandths; none where they differ.
    pub(crate) ns: Option<i64>,
}

impl Frequency {
    /// What it is worth to North-South as a share of the top.
    pub(crate) fn percent_of(&self, top: Points) -> Option<Percent> {
        Points::from_ten_thousandths(self.ns?).percent_of(top)
    }
}

impl Event {
    /// Every score of a board, the best for North-South first, and the most that it can be worth.
    pub(crate) fn frequencies(&mut self, board: BoardNumber) -> (Points, Vec<Frequency>) {
        let Some(view) = self.field.board(SectionLetter::A, board) else {
            return (Points::ZERO, Vec::new());
        };
        let mut by_score: BTreeMap<Option<i16>, (usize, Option<i64>)> = BTreeMap::new();
        for (row, scores) in view.rows.iter().zip(view.scores) {
            let score = match row.outcome {
                Outcome::Score(score) => Some(score.0),
                Outcome::Adjusted(_) => None,
                Outcome::NotPlayed | Outcome::SitOut => continue,
            };
            let worth = scores.ns.map(|ns| ns.points.ten_thousandths());
            let entry = by_score.entry(score).or_insert((0, worth));
            entry.0 += 1;
            if score.is_none() || entry.1 != worth {
                entry.1 = None;
            }
        }
        let kinds = by_score.into_iter().rev();
        let kinds = kinds.map(|(score, (times, ns))| Frequency { score, times, ns });
        (view.top, kinds.collect())
    }
}
