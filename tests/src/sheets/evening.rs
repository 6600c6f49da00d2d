//! Random sessions with everything that a director can award, correct, foul and take off, played
//! into a real base station, and what its site then shows of them.

use std::collections::BTreeSet;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use base_station::daemon::{self, Owner, SystemClock};
use base_station::movement::{Kind, Setup, generate};
use base_station::session::plan::{
    AdjustedRows, Fault, Method, Partner, PenaltyAmount, Rounding, Ruling, Scoring, SectionPlan,
    ShortBoards, SideAward, WeightedScore,
};
use base_station::session::{Cell, Command, PairId, Repair, Session, Who};
use base_station::store::Store;
use base_station::view::RankingView;
use base_station::web::{Desk, Reach, router};
use fastrand::Rng;
use protocol::message::{FeedbackLevel, Settings};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Percentage, Played, RoundNumber, Score, Seat,
    SectionLetter, TableNumber,
};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use super::{FORMATS, Papers, pads};

/// A reason that only those may read whom the director lets.
const SECRET: &str = "had words with the director";

/// A base station with one random session, and its site without a network.
pub struct Evening {
    owner: Owner,
    site: Router,
    rng: Rng,
    /// What pads were told otherwise while the results came in.
    wrong_on_pads: Vec<String>,
    _folder: TempDir,
}

impl Evening {
    /// Everything that happens follows from the seed.
    pub async fn play(seed: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a journal");
        let owner = daemon::start(store, SystemClock).expect("an owner");
        let reach = Reach::default();
        let site = router(Desk::from(owner.handle.clone()), reach);
        let mut evening = Self {
            owner,
            site,
            rng: Rng::with_seed(seed),
            wrong_on_pads: Vec::new(),
            _folder: folder,
        };
        evening.set_up().await;
        evening.enter_results().await;
        evening.correct().await;
        evening.penalise().await;
        evening
    }

    /// The session as it stands.
    pub fn session(&self) -> Session {
        let view = self.owner.handle.view();
        view.state.session.clone().expect("a session")
    }

    async fn act(&self, command: Command) -> bool {
        let who = Who::Director("Dora".to_owned());
        self.owner.handle.command(command, who).await.is_ok()
    }

    async fn must(&self, command: Command) {
        let said = format!("{command:?}");
        assert!(self.act(command).await, "{said} was refused");
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.rng.u32(0..many) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.rng.choice(from).expect("something to choose from")
    }

    async fn set_up(&mut self) {
        self.must(Command::CreateEvent {
            name: "Random pairs".to_owned(),
            date: "2026-11-17".to_owned(),
            title: String::new(),
        })
        .await;
        let (kind, tables, boards) = self.pick(&[
            (Kind::Mitchell, 5, 10),
            (Kind::Mitchell, 7, 14),
            (Kind::Mitchell, 6, 12),
            (Kind::Howell, 4, 14),
            (Kind::Howell, 3, 10),
        ]);
        let setup = Setup::new(
            TableNumber::new(tables).expect("a table"),
            BoardNumber::new(boards).expect("a board"),
        );
        let movement = generate(kind, setup).expect("the movement exists");
        let sections = self.pick(&['A', 'A', 'B']);
        for letter in 'A'..=sections {
            let mut plan = SectionPlan::of(&movement, "red");
            if self.one_in(3) {
                // One pair is missing: whoever should meet it sits out.
                for sitting in &mut plan.sittings {
                    sitting.ew = sitting.ew.filter(|pair| pair.get() != 2);
                    if plan.one_winner {
                        sitting.ns = sitting.ns.filter(|pair| pair.get() != 2);
                    }
                }
            }
            let section = SectionLetter::new(letter).expect("a letter");
            self.must(Command::PlanSection { section, plan }).await;
        }
        let method = self.pick(&[
            Method::Matchpoints,
            Method::Matchpoints,
            Method::Matchpoints,
            Method::CrossImps,
            Method::Butler,
        ]);
        let scoring = Scoring {
            method,
            single: method == Method::Matchpoints && self.one_in(4),
            across_sections: self.rng.bool(),
            adjusted_rows: self.pick(&[AdjustedRows::Neuberg, AdjustedRows::Manual]),
            rounding: self.pick(&[
                Rounding::Tenth,
                Rounding::Hundredth,
                Rounding::TenThousandth,
            ]),
            short_boards: self.pick(&[
                ShortBoards::CommonTop,
                ShortBoards::CommonTop,
                ShortBoards::OwnTop,
            ]),
            least_share_percent: self.pick(&[0, 50, 90]),
        };
        self.must(Command::ChooseScoring(scoring)).await;
        self.must(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        })
        .await;
        self.must(Command::ChangeSettings(Settings {
            feedback: FeedbackLevel::Traveller,
            ranking: true,
            ..Settings::CLUB_EVENING
        }))
        .await;
        self.must(Command::Open).await;
    }

    fn score(&mut self) -> Score {
        let usual = [-620, -420, -110, -100, -50, 0, 50, 90, 110, 140, 420, 620];
        Score(self.pick(&usual))
    }

    fn percentage(&mut self) -> Percentage {
        let usual = [0, 4_000, 5_000, 6_000, 6_000, 3_333, 10_000];
        Percentage::new(self.pick(&usual)).expect("a percentage")
    }

    fn award(&mut self) -> SideAward {
        match self.rng.u8(0..8) {
            0 | 1 => SideAward::AveragePlus,
            2 => SideAward::AverageMinus,
            3 => SideAward::Average,
            4 => SideAward::Score(self.score()),
            5 => {
                let share = |it| Percentage::new(it).expect("a share");
                let first = self.pick(&[1_000, 3_333, 5_000, 7_500]);
                let (one, other) = (self.score(), self.score());
                SideAward::Weighted(vec![
                    WeightedScore {
                        score: one,
                        weight: share(first),
                    },
                    WeightedScore {
                        score: other,
                        weight: share(10_000 - first),
                    },
                ])
            }
            _ => SideAward::Percent(self.percentage()),
        }
    }

    fn ruling(&mut self) -> Option<Ruling> {
        Some(match self.rng.u8(0..40) {
            0 => return None,
            1 => Ruling::Result(BoardResult::NotPlayed),
            2 => Ruling::LatePlay,
            3 => Ruling::Result(BoardResult::PassedOut),
            4 => Ruling::Result(BoardResult::SitOut),
            5 => Ruling::Result(BoardResult::Adjusted {
                ns: self.percentage(),
                ew: self.percentage(),
            }),
            6..=9 => Ruling::Award {
                ns: self.award(),
                ew: self.award(),
            },
            10..=12 => Ruling::Written(self.score()),
            _ => {
                let contract = self.pick(&["1NT", "2S", "3NT", "4S", "4HX", "5D", "6C"]);
                let declarer = self.pick(&Seat::ALL);
                let contract = Contract::parse(contract, declarer).expect("a contract");
                let over = self.pick(&["=", "=", "+1", "-1", "-2"]);
                let tricks = contract.level.tricks_from_text(over).expect("a result");
                Ruling::Result(BoardResult::Played(Played {
                    contract,
                    tricks,
                    lead: None,
                }))
            }
        })
    }

    async fn enter_results(&mut self) {
        let session = self.session();
        let home_early = self.one_in(4);
        let mut cells = Vec::new();
        for (letter, section) in &session.sections {
            let last = section.last_round();
            for sitting in section.sittings.values().filter(|it| it.is_played()) {
                let to_come = home_early && sitting.round == last;
                for board in sitting.boards.iter().filter(|_| !to_come) {
                    cells.push(Cell {
                        section: *letter,
                        board,
                        round: sitting.round,
                        table: sitting.table,
                    });
                }
            }
        }
        for cell in cells {
            if let Some(ruling) = self.ruling() {
                self.rule(cell, ruling).await;
                let state = &self.owner.handle.view().state;
                let wrong = pads::hear_otherwise_of(state, cell.board);
                self.wrong_on_pads.extend(wrong);
            }
        }
        if home_early {
            let pairs: Vec<PairId> = session.pairs().into_iter().collect();
            let pair = self.pick(&pairs);
            let repair = Repair::PairLeaves { pair, from: None };
            let leaves = Command::ReviseMovement {
                section: pair.section,
                repair,
                why: "not well".to_owned(),
            };
            // A pair that has no more rounds to play can't leave.
            self.act(leaves).await;
        }
    }

    async fn rule(&self, cell: Cell, ruling: Ruling) {
        let why = "the director says so".to_owned();
        self.must(Command::Rule { cell, ruling, why }).await;
    }

    async fn correct(&mut self) {
        let session = self.session();
        let cells: Vec<Cell> = session.lines.keys().copied().collect();
        let pairs: Vec<PairId> = session.pairs().into_iter().collect();
        for _ in 0..self.rng.u8(0..6) {
            let cell = self.pick(&cells);
            let why = "as they say".to_owned();
            let command = match self.rng.u8(0..4) {
                0 => Command::TurnLine { cell, why },
                1 => {
                    let here: Vec<PairId> = pairs
                        .iter()
                        .copied()
                        .filter(|pair| pair.section == cell.section)
                        .collect();
                    Command::CorrectPairs {
                        cell,
                        ns: Some(self.pick(&here)),
                        ew: Some(self.pick(&here)),
                        why,
                    }
                }
                2 => self.fouled(cell),
                _ => {
                    let records = self.session().records;
                    let change = records.iter().rev().nth(self.rng.usize(0..4));
                    Command::Undo {
                        change: change.map(|record| record.seq).unwrap_or_default(),
                        why,
                    }
                }
            };
            // A pair against itself, or a change that can't be undone, is refused.
            self.act(command).await;
        }
        for pair in pairs {
            let name = self.pick(&["Ann & Bo", "O\"Hara, Pat", "Søren <S>", "Lee"]);
            self.must(Command::NamePlayer {
                pair,
                partner: Partner::First,
                number: None,
                name: name.to_owned(),
                from: RoundNumber::FIRST,
                digits: 0,
            })
            .await;
        }
    }

    fn fouled(&mut self, cell: Cell) -> Command {
        let session = self.session();
        let section = session.sections.get(&cell.section).expect("a section");
        let plays = section.sittings.values().filter(|sitting| {
            sitting.is_played() && sitting.boards.iter().any(|board| board == cell.board)
        });
        let (mut groups, mut faults) = (Vec::new(), Vec::new());
        for sitting in plays {
            let at = Cell {
                round: sitting.round,
                table: sitting.table,
                ..cell
            };
            if self.one_in(3) {
                groups.push((at, self.pick(&['B', 'B', 'C'])));
                let fault = [Fault::None, Fault::Partly, Fault::Responsible];
                faults.push((at, self.pick(&fault), self.pick(&fault)));
            }
        }
        Command::SetFouled {
            section: cell.section,
            board: cell.board,
            groups,
            faults,
            why: "cards exchanged".to_owned(),
        }
    }

    async fn penalise(&mut self) {
        let session = self.session();
        let pairs: Vec<PairId> = session.pairs().into_iter().collect();
        for _ in 0..self.rng.u8(0..5) {
            let share = Percentage::new(self.pick(&[1_000, 1_500, 3_333])).expect("a share");
            let amount = match self.rng.u8(0..6) {
                0 => PenaltyAmount::Warning,
                1 => PenaltyAmount::PercentOfTop(share),
                2 => PenaltyAmount::PercentOfSession(share),
                3 => PenaltyAmount::Matchpoints(self.pick(&[50, 125, 300])),
                4 => PenaltyAmount::Imps(3),
                _ => PenaltyAmount::VictoryPoints(100),
            };
            let pair = self.pick(&pairs);
            let taken = self
                .act(Command::Penalise {
                    pair,
                    amount,
                    why: SECRET.to_owned(),
                    public: false,
                })
                .await;
            let counts = amount.has_an_effect_in(session.scoring.method);
            assert_eq!(taken, counts, "{amount:?} in {:?}", session.scoring.method);
        }
    }

    async fn get(&self, path: &str) -> String {
        let request = Request::builder()
            .uri(path)
            .header("host", "127.0.0.1:8080")
            .body(Body::empty())
            .expect("a request");
        let site = self.site.clone();
        let answer = site.oneshot(request).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let body = axum::body::to_bytes(answer.into_body(), 64 * 1024 * 1024).await;
        String::from_utf8(body.expect("a body").to_vec()).expect("text")
    }

    async fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path).await).expect("JSON")
    }

    /// Everything that the site shows, and everything about it that is not true.
    pub async fn wrong(&self) -> Vec<String> {
        let session = self.session();
        let half_unit = match session.scoring.rounding {
            Rounding::Tenth => 0.05,
            Rounding::Hundredth => 0.005,
            Rounding::TenThousandth => 0.000_05,
        };
        let papers = self.papers(&session).await;
        let mut wrong = papers.wrong(half_unit);
        // The same sheets once more on the one page to keep.
        let whole = self.get("/api/export/results.html?language=en").await;
        let kept = Papers {
            ranking_page: whole.clone(),
            travellers: whole.clone(),
            scorecards: whole.clone(),
            charts: whole.clone(),
            ..papers
        };
        wrong.extend(kept.wrong(half_unit));
        wrong.extend(self.secrets_told(&whole).await);
        wrong.extend(self.wrong_on_pads.iter().cloned());
        wrong.extend(pads::hear_otherwise(&self.owner.handle.view().state));
        wrong
    }

    /// Reasons of penalties that are printed, saved or told to players.
    async fn secrets_told(&self, whole: &str) -> Vec<String> {
        let mut told = vec![("results.html".to_owned(), whole.to_owned())];
        let sheets = "ranking travellers frequencies scorecards charts route names hands";
        for name in sheets.split(' ') {
            let path = format!("/print/{name}?language=en");
            told.push((path.clone(), self.get(&path).await));
        }
        for file in ["ranking.csv", "results.csv"] {
            let path = format!("/api/export/{file}");
            told.push((path.clone(), self.get(&path).await));
        }
        for format in FORMATS {
            let path = format!("/api/exchange/{format}");
            told.push((path.clone(), self.get(&path).await));
        }
        // What the interface answers to everybody but the director.
        let state = &self.owner.handle.view().state;
        let session = self.session();
        let players = serde_json::json!(RankingView::of(&state.club, &session));
        told.push(("the ranking for players".to_owned(), players.to_string()));
        let secrets = told.into_iter().filter(|(_, text)| text.contains(SECRET));
        secrets
            .map(|(path, _)| format!("{path} tells a reason that is not for everybody"))
            .collect()
    }

    async fn papers(&self, session: &Session) -> Papers {
        let mut boards = Vec::new();
        let mut lines = Vec::new();
        let one_field = session.scoring.across_sections;
        for (at, (letter, section)) in session.sections.iter().enumerate() {
            let here = |of: &SectionLetter| of == letter || one_field;
            let plans = session.sections.iter().filter(|(of, _)| here(of));
            let played = plans.flat_map(|(_, plan)| plan.sittings.values());
            let played = played.filter(|sitting| sitting.is_played());
            let cells = session.lines.keys().filter(|cell| here(&cell.section));
            // Boards that nobody has played yet are on the sheets, too.
            let planned = played.flat_map(|sitting| sitting.boards.iter());
            let numbers: BTreeSet<BoardNumber> =
                cells.map(|cell| cell.board).chain(planned).collect();
            for board in numbers.into_iter().filter(|_| at == 0 || !one_field) {
                let path = format!("/api/sections/{letter}/boards/{board}");
                boards.push(self.json(&path).await);
            }
            for (table, round) in section.sittings.keys() {
                let path = format!("/api/tables/{letter}{table}/rounds/{round}");
                let cell = self.json(&path).await;
                lines.extend(cell["lines"].as_array().cloned().unwrap_or_default());
            }
        }
        let print = async |name: &str| self.get(&format!("/print/{name}?language=en")).await;
        Papers {
            ranking: self.json("/api/ranking").await,
            ranking_csv: self.get("/api/export/ranking.csv").await,
            results_csv: self.get("/api/export/results.csv").await,
            boards,
            lines,
            ranking_page: print("ranking").await,
            travellers: print("travellers").await,
            frequencies: print("frequencies").await,
            scorecards: print("scorecards").await,
            charts: print("charts").await,
            usebio: Some(self.get("/api/exchange/usebio").await),
        }
    }
}
