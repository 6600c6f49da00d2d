//! A stage of matches as the director set it up, in the form that journals keep.

use contest::draw::{FirstRound, Half, Method, OddField, Pairing, Rematches};
use contest::irregular::Decision;
use contest::offence::{InMatch, Offence};
use contest::{ContestantNumber, MatchTime, Regulation, Rules};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, SessionId, Side, TableNumber};
use serde::{Deserialize, Serialize};

use crate::movement::BoardSet;
use crate::scoring::Points;
use crate::session::PairId;

/// A stage of matches as the director set it up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestPlan {
    /// "Tuesday Swiss Pairs".
    pub name: String,
    /// The colour of its cards and boards.
    pub colour: String,
    /// Pairs or teams.
    pub contestants: Vec<ContestantPlan>,
    /// Swiss, round robin.
    pub format: Format,
    /// How many rounds are played tonight.
    pub rounds: u8,
    /// Boards of a match.
    pub boards: u8,
    /// The first board of round 1.
    pub first_board: u8,
    /// How it is scored.
    pub rules: Rules,
    /// Whether a table of a teams match may see, board by board, what the other one did as soon as
    /// both have finished it; otherwise with the slip at the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub other_table_shown: bool,
    /// Earlier nights of the same event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Earlier>,
    /// How it is played at the tables.
    #[serde(default, skip_serializing_if = "AtTables::is_usual")]
    pub at_tables: AtTables,
    /// Stanzas behind the planned ones, because the match was level: the first board of each, and how
    /// many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub play_offs: Vec<(u8, u8)>,
    /// Rounds of the whole event, where it has several nights and that is known: forfeits are settled
    /// with the last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds_in_all: Option<u8>,
}

/// How matches are played at the tables, where it is not as the regulation says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtTables {
    /// The two tables of a teams match share one set of boards: each begins with its half of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_set: bool,
    /// Minutes of a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u16>,
    /// No board is begun in the last so many minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_new_board: Option<u16>,
    /// Appeals are heard for so many minutes after the end of a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub appeal_minutes: Option<u16>,
}

impl AtTables {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A pair or a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestantPlan {
    /// Its number.
    pub number: ContestantNumber,
    /// A team's name; empty where a pair goes by its players.
    #[serde(default)]
    pub name: String,
    /// Where it comes from; two of one club are kept apart.
    #[serde(default)]
    pub club: String,
    /// The players of a team, its captain first.
    #[serde(default)]
    pub players: Vec<String>,
    /// The table it keeps, because somebody can't move.
    #[serde(default)]
    pub stationary: Option<TableNumber>,
    /// What it brings along, in hundredths of a victory point.
    #[serde(default)]
    pub carry_over: i32,
    /// What it brings along into a match in stanzas, in ten-thousandths of an IMP.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub carry_imps: i64,
    /// Whom it may not meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<ContestantNumber>,
    /// A pair of it plays highly unusual methods: it has no say in who sits against whom.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seats_first: bool,
    /// The knock-out match that it lost before it dropped in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<LostMatch>,
    /// In its first round it does not meet others who come with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
}

/// A knock-out match that somebody lost, in IMPs; one that was level was lost in a play-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostMatch {
    /// What it scored.
    pub scored: u16,
    /// What its opponents did.
    pub conceded: u16,
}

/// How rounds are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Format {
    /// By standing.
    Swiss {
        /// The first round.
        first: FirstRound,
        /// The others.
        method: Method,
        /// What may be repeated.
        rematches: Rematches,
        /// What becomes of an odd field.
        odd: OddField,
    },
    /// Everybody against everybody; the odd one has a bye.
    RoundRobin,
    /// Everybody against everybody by the charts for 7, 9 and 11 teams, three of them in a troika.
    Troikas,
    /// The Butler charts for 12 and 14 pairs.
    ButlerChart {
        /// The contestants are listed by strength, and the chart's seeding gives their places.
        seeded: bool,
    },
    /// An odd number of teams from 5 to 13, each match in two halves.
    AmericanWhist,
    /// Contestants in twos, one match each; each round is a stanza.
    HeadToHead,
    /// The meetings of an ordinary movement, which the section plays already: each is a match.
    Movement,
    /// The first half of the contestants stays North-South, the other half moves from table to table:
    /// two fields, each with winners of its own.
    TwoFields,
}

/// What earlier nights of the event brought, as it stood when this one was set up or last looked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// The last of them.
    pub session: SessionId,
    /// Its section there.
    pub section: SectionLetter,
    /// Rounds that were played before tonight.
    pub rounds: u8,
    /// All matches.
    pub matches: Vec<EarlierMatch>,
    /// Rounds without an opponent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<(u8, ContestantNumber)>,
    /// Rounds in a triangle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triangles: Vec<(u8, ContestantNumber)>,
    /// Penalties in hundredths of a victory point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fines: Vec<(ContestantNumber, i32)>,
    /// Who plays no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<ContestantNumber>,
    /// Offences, so that a second one is known as such.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offences: Vec<(ContestantNumber, Offence)>,
    /// Who takes which number of the chart from the last round robin on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<ContestantNumber>,
}

/// A match of an earlier night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierMatch {
    /// In which round of the event.
    pub round: u8,
    /// Who.
    pub home: ContestantNumber,
    /// Against whom.
    pub away: ContestantNumber,
    /// Boards.
    pub boards: u16,
    /// Home's and away's victory points in hundredths.
    pub vp: [i32; 2],
    /// What each of them scored, in ten-thousandths.
    pub scored: [i64; 2],
    /// By how much each of them won, in ten-thousandths.
    pub margin: [i64; 2],
    /// It was decided by the director and does not count in means.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decided: bool,
    /// What was decided: a forfeit is settled by the means of all nights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Of a match in stanzas: how its boards count with those of later nights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stanzas: Option<EarlierStanzas>,
}

/// What the boards of a match in stanzas came to, for home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierStanzas {
    /// Boards that counted.
    pub counted: u16,
    /// Boards that could not be compared.
    #[serde(default)]
    pub lost: u16,
    /// Boards won less boards lost.
    #[serde(default)]
    pub won: i32,
    /// Total points.
    #[serde(default)]
    pub points: i32,
    /// Matchpoints that there were to gain, in ten-thousandths.
    #[serde(default)]
    pub top: i64,
}

impl ContestantPlan {
    /// A pair or a team of which nothing but its number is known.
    pub const fn numbered(number: ContestantNumber) -> Self {
        Self {
            number,
            name: String::new(),
            club: String::new(),
            players: Vec::new(),
            stationary: None,
            carry_over: 0,
            carry_imps: 0,
            forbidden: Vec::new(),
            seats_first: false,
            lost: None,
            apart: false,
        }
    }
}

impl ContestPlan {
    /// Whether a contestant has two pairs.
    pub const fn is_teams(&self) -> bool {
        self.rules.comparison.is_teams()
    }

    /// Whether the interstate teams' charts for 5 to 8 teams say who meets whom.
    pub fn is_interstate(&self) -> bool {
        self.is_teams()
            && self.format == Format::RoundRobin
            && self.rules.regulation == Regulation::AbfChampionships
            && matches!(self.contestants.len(), 5..=8)
    }

    /// The round of the event with which the last round robin of interstate teams begins: two of seven
    /// rounds, or three of five.
    pub(super) fn last_round_robin(&self) -> Option<u16> {
        let first = if self.contestants.len() > 6 { 8 } else { 11 };
        self.is_interstate().then_some(first)
    }

    /// Rounds of the event before tonight.
    pub fn rounds_before(&self) -> u8 {
        self.earlier.as_ref().map_or(0, |it| it.rounds)
    }

    /// Whether no further night is known to follow.
    pub fn is_last_night(&self) -> bool {
        let tonight = self.rounds_before().saturating_add(self.rounds);
        self.rounds_in_all.is_none_or(|all| tonight >= all)
    }

    /// A round of tonight as a round of the event.
    pub fn of_event(&self, round: RoundNumber) -> u16 {
        u16::from(self.rounds_before()) + u16::from(round.get())
    }

    /// Sets of boards that are needed: one a round; in an American Whist one a team; more where
    /// triangles may be played.
    pub fn sets(&self) -> u16 {
        let rounds = u16::from(self.rounds);
        match self.format {
            Format::AmericanWhist => u16::try_from(self.contestants.len()).unwrap_or(u16::MAX),
            // One more for every two rounds that a triangle may take.
            Format::Troikas
            | Format::Swiss {
                odd: OddField::Triangle,
                ..
            } => rounds + rounds / 2,
            // Half a set more for every round.
            Format::Swiss {
                odd: OddField::ShortTriangle,
                ..
            } => rounds + rounds.div_ceil(2),
            Format::Swiss { .. }
            | Format::RoundRobin
            | Format::ButlerChart { .. }
            | Format::HeadToHead
            | Format::Movement
            | Format::TwoFields => rounds,
        }
    }

    /// The first board of a set, counted from 0.
    pub fn first_of_set(&self, set: u16) -> u8 {
        let first = u16::from(self.first_board) + set * u16::from(self.boards);
        u8::try_from(first).unwrap_or(u8::MAX)
    }

    /// The boards of a set that begins there.
    pub fn set_from(&self, first: u8) -> BoardSet {
        Self::boards_from(first, self.boards)
    }

    /// The boards of half a match.
    pub fn boards_of_half(&self, half: &Half) -> BoardSet {
        Self::boards_from(half.first_board, half.boards.unwrap_or(self.boards))
    }

    /// The boards of a match of a round.
    pub fn boards_of_match(&self, round: RoundNumber, pairing: &Pairing) -> BoardSet {
        let own = pairing.first_board.map(|first| self.set_from(first));
        own.unwrap_or_else(|| self.boards_of(round))
    }

    fn boards_from(first: u8, count: u8) -> BoardSet {
        let boards = u16::from(first)..u16::from(first) + u16::from(count);
        BoardSet::new(
            boards
                .filter_map(|number| u8::try_from(number).ok())
                .filter_map(BoardNumber::new)
                .collect(),
        )
    }

    /// The last round of tonight, play-offs included.
    pub fn last_round(&self) -> u8 {
        let more = u8::try_from(self.play_offs.len()).unwrap_or(u8::MAX);
        self.rounds.saturating_add(more)
    }

    /// Whether a round is played because the match was level.
    pub const fn is_play_off(&self, round: RoundNumber) -> bool {
        round.get() > self.rounds
    }

    /// The boards of a round: each round has its own.
    pub fn boards_of(&self, round: RoundNumber) -> BoardSet {
        let more = usize::from(round.get()).checked_sub(usize::from(self.rounds) + 1);
        if let Some((first, count)) = more.and_then(|at| self.play_offs.get(at)) {
            return Self::boards_from(*first, *count);
        }
        self.set_from(self.first_of_set(u16::from(round.get() - 1)))
    }

    /// Boards of a match on the scale: a match in stanzas has those of all of them, on all nights.
    pub fn match_length(&self) -> u16 {
        match self.format {
            Format::HeadToHead => {
                let known = self.rounds_before().saturating_add(self.rounds);
                let stanzas = known.max(self.rounds_in_all.unwrap_or(known));
                u16::from(self.boards) * u16::from(stanzas)
            }
            Format::Swiss { .. }
            | Format::RoundRobin
            | Format::Troikas
            | Format::ButlerChart { .. }
            | Format::AmericanWhist
            | Format::Movement
            | Format::TwoFields => u16::from(self.boards),
        }
    }

    /// A match of it, as far as penalties go by that.
    pub fn in_match(&self) -> InMatch {
        InMatch {
            boards: self.match_length(),
            by_imps: self.format == Format::HeadToHead,
        }
    }

    /// How long a round's boards take, and when no new one is begun.
    pub fn time(&self) -> MatchTime {
        let by_rule = self.rules.time(u16::from(self.boards));
        let own = self.at_tables;
        MatchTime {
            minutes: own.minutes.unwrap_or(by_rule.minutes),
            no_new_board: own.no_new_board.unwrap_or(by_rule.no_new_board),
        }
    }

    /// The tables of a match: one of pairs; two of teams, the open room first.
    pub fn tables_of(&self, number: TableNumber) -> Vec<TableNumber> {
        if !self.is_teams() {
            return vec![number];
        }
        let second = number.get().saturating_mul(2);
        [second - 1, second]
            .into_iter()
            .filter_map(TableNumber::new)
            .collect()
    }

    /// The pairs of a contestant as the session knows them.
    pub fn pairs_of(&self, section: SectionLetter, number: ContestantNumber) -> Vec<PairId> {
        let sides: &[Option<Side>] = if self.is_teams() {
            &[Some(Side::NorthSouth), Some(Side::EastWest)]
        } else {
            &[None]
        };
        let pair = |side: &Option<Side>| PairId {
            section,
            side: *side,
            number,
        };
        sides.iter().map(pair).collect()
    }

    /// What somebody brings along into a match in stanzas; nothing where victory points count.
    pub fn brought_imps(&self, number: ContestantNumber) -> Points {
        let entry = self.contestant(number);
        let entry = entry.filter(|_| self.format == Format::HeadToHead);
        Points::from_ten_thousandths(entry.map_or(0, |it| it.carry_imps))
    }

    /// Fields with winners of their own.
    pub fn fields(&self) -> u8 {
        if self.format == Format::TwoFields {
            2
        } else {
            1
        }
    }

    /// A contestant.
    pub fn contestant(&self, number: ContestantNumber) -> Option<&ContestantPlan> {
        self.contestants.iter().find(|it| it.number == number)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
const fn is_nothing(imps: &i64) -> bool {
    *imps == 0
}
