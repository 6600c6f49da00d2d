//! A field as it stands at one moment: what pages and bases are shown.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::Bytes;
use contest::standing::Line;
use flate2::Compression;
use flate2::write::GzEncoder;
use protocol::words::BoardNumber;
use scoring::{DatumRules, Method, Percent, Points, Ranking, Rules, Standing, Trimming};

use crate::field::{Club, ClubNumber, Entrant, Event, Frequency, Sheet};
use crate::said::{PairName, Phase, Place};
use crate::stage::{Match, Stage};

/// What the organiser has said of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) event: i32,
    pub(crate) name: String,
    pub(crate) method: String,
    pub(crate) edition: i64,
    /// Its result is final and signed.
    pub(crate) is_final: bool,
    /// Its clubs are rooms of one congress: their tables are looked after.
    pub(crate) rooms: bool,
    /// Rounds and boards of matches that are drawn over all rooms.
    pub(crate) matches: Option<(u8, u8)>,
}

/// A board over the whole field.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardShown {
    pub(crate) top: Points,
    /// Every score, the best for North-South first.
    pub(crate) scores: Vec<Frequency>,
}

/// Everything, as of one moment.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) about: About,
    /// So many records of the event were taken.
    pub(crate) place: i64,
    pub(crate) clubs: BTreeMap<ClubNumber, Club>,
    pub(crate) sheets: BTreeMap<ClubNumber, Arc<Sheet>>,
    pub(crate) rules: Rules,
    pub(crate) ranking: Ranking<Entrant>,
    pub(crate) boards: BTreeMap<BoardNumber, BoardShown>,
    /// Lines that can't count because one of their pairs has another result on the board.
    pub(crate) doubled: BTreeMap<ClubNumber, Vec<Place>>,
    /// Matches that are drawn over all rooms.
    pub(crate) staged: Option<Staged>,
    /// What was made of it for pages.
    pub(crate) pages: Pages,
}

/// Matches over all rooms, as of one moment.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) stage: Arc<Stage>,
    pub(crate) matches: Vec<Match>,
    pub(crate) standing: Vec<Line>,
}

/// Pages of one moment: made once, read by thousands.
#[derive(Debug, Default)]
pub(crate) struct Pages(Mutex<HashMap<String, Arc<OnceLock<Page>>>>);

/// A page as it is sent, and squeezed for those who take it so.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) plain: Bytes,
    pub(crate) squeezed: Bytes,
}

impl Page {
    fn of(text: String) -> Self {
        let mut squeezed = GzEncoder::new(Vec::new(), Compression::default());
        // Nothing fails that is written into memory; who reads it would get the plain one.
        let written = squeezed.write_all(text.as_bytes());
        let squeezed = written.and_then(|()| squeezed.finish()).unwrap_or_default();
        Self {
            plain: text.into(),
            squeezed: squeezed.into(),
        }
    }
}

/// More pages than that are made again every time.
const PAGES_MAX: usize = 256;

impl Pages {
    /// The page of this name. Whoever asks while it is made waits for it.
    pub(crate) fn get_or_make(&self, name: &str, make: impl FnOnce() -> String) -> Page {
        let kept = {
            let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let room = pages.len() < PAGES_MAX;
            match pages.get(name) {
                Some(kept) => Arc::clone(kept),
                None if room => Arc::clone(pages.entry(name.to_owned()).or_default()),
                None => Arc::default(),
            }
        };
        kept.get_or_init(|| Page::of(make())).clone()
    }
}

/// How an event is scored. The organiser has the choice of three.
pub(crate) fn rules(method: &str) -> Rules {
    Rules {
        method: match method {
            "cross_imps" => Method::CrossImps,
            "butler" => Method::Butler(DatumRules::new(Trimming::Each(1))),
            _ => Method::Matchpoints,
        },
        across: true,
        ..Rules::default()
    }
}

impl Snapshot {
    /// Of a field, after so many records.
    pub(crate) fn of(
        event: &mut Event,
        about: About,
        stage: Option<Arc<Stage>>,
        place: i64,
    ) -> Self {
        event.adjust();
        let ranking = event.field().ranking();
        let boards: Vec<BoardNumber> = event.field().boards().map(|(_, board)| board).collect();
        let boards = boards.into_iter().map(|board| {
            let (top, scores) = event.frequencies(board);
            (board, BoardShown { top, scores })
        });
        let boards = boards.collect();
        let clubs = event.clubs().clone();
        let sheets = clubs.keys();
        let sheets = sheets.filter_map(|&club| Some((club, Arc::clone(event.sheet(club)?))));
        let sheets: BTreeMap<ClubNumber, Arc<Sheet>> = sheets.collect();
        let staged = stage.map(|stage| {
            let matches = stage.matches(&sheets);
            let standing = stage.standing(&matches);
            Staged {
                stage,
                matches,
                standing,
            }
        });
        let mut doubled: BTreeMap<ClubNumber, Vec<Place>> = BTreeMap::new();
        for ((club, _), places) in event.doubled() {
            doubled.entry(*club).or_default().extend(places);
        }
        Self {
            rules: rules(&about.method),
            about,
            place,
            clubs,
            sheets,
            ranking,
            boards,
            doubled,
            staged,
            pages: Pages::default(),
        }
    }

    /// Which moment it is, for whoever asks whether there is a later one.
    pub(crate) fn stamp(&self) -> String {
        format!("{}.{}", self.about.edition, self.place)
    }

    /// How far a club is.
    pub(crate) fn phase(&self, club: ClubNumber) -> Phase {
        self.sheets
            .get(&club)
            .map_or(Phase::Playing, |sheet| sheet.phase)
    }

    /// Whether everybody may see every board: the last club has played.
    pub(crate) fn is_open(&self) -> bool {
        let mut clubs = self.clubs.keys();
        self.about.is_final
            || (!self.clubs.is_empty() && clubs.all(|&club| self.phase(club) >= Phase::Over))
    }

    /// The clubs that do not stand by their results yet.
    pub(crate) fn not_released(&self) -> impl Iterator<Item = &Club> {
        let clubs = self.clubs.iter();
        clubs
            .filter(|(club, _)| self.phase(**club) < Phase::Released)
            .map(|(_, entered)| entered)
    }

    /// All pairs, or those of a club, or those of a region, as a list of its own.
    pub(crate) fn list(&self, whose: &Whose) -> Vec<Standing<Entrant>> {
        match whose {
            Whose::All => self.ranking.standings.clone(),
            Whose::Club(club) => self.ranking.among(&self.rules, |it| it.club == *club),
            Whose::Region(region) => self.ranking.among(&self.rules, |it| {
                let club = self.clubs.get(&it.club);
                club.is_some_and(|club| club.region == *region)
            }),
            Whose::Category(category) => self
                .ranking
                .among(&self.rules, |it| self.category(it) == Some(category)),
        }
    }

    /// The category of a pair, where its club has said one.
    pub(crate) fn category(&self, entrant: Entrant) -> Option<&str> {
        let sheet = self.sheets.get(&entrant.club)?;
        sheet
            .pairs
            .get(&PairName(entrant.pair))?
            .category
            .as_deref()
    }

    /// The categories of all clubs.
    pub(crate) fn categories(&self) -> BTreeSet<&str> {
        let pairs = self.sheets.values().flat_map(|sheet| sheet.pairs.values());
        pairs.filter_map(|pair| pair.category.as_deref()).collect()
    }

    /// The names of a pair, where its club lets them be known.
    pub(crate) fn players(&self, entrant: Entrant) -> Option<&[String; 2]> {
        if let Some(staged) = &self.staged {
            let known = staged.stage.contestants.get(&entrant.pair.number);
            return known.map(|known| &known.players);
        }
        let sheet = self.sheets.get(&entrant.club)?;
        let pair = sheet.pairs.get(&PairName(entrant.pair))?;
        pair.players.as_ref()
    }

    /// What a score is worth to North-South over the field, as a share of the top.
    pub(crate) fn percent(&self, board: BoardNumber, score: i16) -> Option<Percent> {
        let shown = self.boards.get(&board)?;
        let mut scores = shown.scores.iter();
        let same = scores.find(|it| it.score == Some(score))?;
        same.percent_of(shown.top)
    }
}

/// Whose ranking is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Whose {
    All,
    Club(ClubNumber),
    Region(String),
    Category(String),
}
