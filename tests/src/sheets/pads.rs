//! What pads are told of boards and of the ranking, against the sheets.

use base_station::session::plan::{Ruling, SideAward};
use base_station::session::{Cell, Moment, PairId, Reply, Scores, Session, State};
use protocol::message::{Down, Feedback, Question, TRAVELLER_LINES_MAX};
use protocol::words::{Award, BoardNumber, BoardResult, Outcome, PadId};

/// Everything that a pad would hear otherwise than it is printed, the ranking included.
pub(super) fn hear_otherwise(state: &State) -> Vec<String> {
    let mut wrong = boards(state, |_| true);
    if let Some(session) = &state.session {
        wrong.extend(ranking(state, session, &session.scores()));
    }
    wrong
}

/// The same about one board, for whoever has just entered a result of it.
pub(super) fn hear_otherwise_of(state: &State, board: BoardNumber) -> Vec<String> {
    boards(state, |cell| cell.board == board)
}

fn boards(state: &State, wanted: impl Fn(&Cell) -> bool) -> Vec<String> {
    let Some(session) = &state.session else {
        return Vec::new();
    };
    let scores = session.scores();
    let mut wrong = Vec::new();
    for cell in session.lines.keys().filter(|cell| wanted(cell)) {
        let (share, shown) = (session.percentage(*cell), percent(&scores, *cell, true));
        if let Some(told) = share.filter(|told| Some(i32::from(told.get())) != shown) {
            wrong.push(format!("a pad hears {told:?} of {cell}, not {shown:?}"));
        }
        wrong.extend(recorded(state, &scores, *cell));
        wrong.extend(traveller(state, session, &scores, *cell));
    }
    wrong
}

fn answer(state: &State, reply: Reply) -> Option<Down> {
    state.answer(PadId::MIN, &[reply], Moment::default()).pop()
}

/// As it is printed, in hundredths of a percent.
fn percent(scores: &Scores, cell: Cell, ns: bool) -> Option<i32> {
    let line = scores.line(cell)?;
    let percent = if ns { line.ns_percent } else { line.ew_percent }?;
    Some(percent.0.clamp(0, 10_000))
}

/// The line of the pad's own score sheet.
fn recorded(state: &State, scores: &Scores, cell: Cell) -> Option<String> {
    let Some(Down::Recorded(line)) = answer(state, Reply::Recorded(cell)) else {
        return None;
    };
    let shown = percent(scores, cell, true).zip(percent(scores, cell, false));
    let sheet = scores.line(cell)?;
    let right = match line.result? {
        Outcome::Result(BoardResult::Adjusted { ns, ew }) => {
            let told = (i32::from(ns.get()), i32::from(ew.get()));
            // What was typed as two percentages is shown as it was typed; nothing else is a
            // percentage that is none on paper.
            let typed = match &sheet.line.ruling {
                Ruling::Award {
                    ns: SideAward::Percent(ns),
                    ew: SideAward::Percent(ew),
                } => Some((i32::from(ns.get()), i32::from(ew.get()))),
                _ => sheet.line.result().map(|_| told),
            };
            shown == Some(told) || typed == Some(told)
        }
        Outcome::Awarded { ns, ew } => match &sheet.line.ruling {
            Ruling::Award {
                ns: north_south,
                ew: east_west,
            } => shown.is_none() && is_in_words(north_south, ns) && is_in_words(east_west, ew),
            Ruling::Written(score) => ns == ew && ns == Award::Score(*score),
            _ => false,
        },
        Outcome::Result(_) => true,
    };
    let on_paper = (&sheet.line.ruling, shown);
    (!right).then(|| {
        format!(
            "{cell} is {:?} on the pad, {on_paper:?} on paper",
            line.result
        )
    })
}

/// Whether a pad's word says what the director gave.
fn is_in_words(given: &SideAward, told: Award) -> bool {
    match given {
        SideAward::Score(score) => told == Award::Score(*score),
        SideAward::Weighted(_) => told == Award::Weighted,
        SideAward::Percent(share) => told == Award::Percentage(*share),
        SideAward::AveragePlus => told == Award::AveragePlus,
        SideAward::Average => told == Award::Average,
        SideAward::AverageMinus => told == Award::AverageMinus,
    }
}

/// Every line of the pad's traveller stands for as many lines of the sheet, worth the same.
fn traveller(state: &State, session: &Session, scores: &Scores, own: Cell) -> Vec<String> {
    let question = Reply::Feedback(own.table_id(), Question::Traveller(own.board));
    let Some(Down::Feedback(Feedback::Traveller { lines, .. })) = answer(state, question) else {
        return Vec::new();
    };
    let sheet = scores.traveller(own.section, own.board);
    let counted = sheet.lines.iter().filter(|line| line.ns.is_some()).count();
    let results = sheet.lines.iter().filter_map(|line| {
        Some((
            line.line.score(own.board)?,
            percent(scores, line.cell, true),
        ))
    });
    let results: Vec<_> = results.collect();
    let mut wrong = Vec::new();
    let mut shown = 0;
    for line in &lines {
        let told = line
            .ns_percentage
            .map(|percentage| i32::from(percentage.get()));
        let fits = |(score, percent): &&(_, Option<i32>)| {
            *score == line.score && (told == *percent || (counted < 2 && told.is_none()))
        };
        let there = results.iter().filter(fits).count();
        shown += usize::from(line.times);
        if there < usize::from(line.times) || (counted < 2 && told.is_some()) {
            wrong.push(format!(
                "a pad at {own} reads {line:?}, the sheet {results:?}"
            ));
        }
    }
    if lines.len() < TRAVELLER_LINES_MAX && shown != results.len() && session.is_in(own) {
        wrong.push(format!(
            "a pad at {own} reads {shown} of {} results",
            results.len()
        ));
    }
    wrong
}

fn ranking(state: &State, session: &Session, scores: &Scores) -> Vec<String> {
    let mut wrong = Vec::new();
    for table in session.all_tables() {
        let question = Reply::Feedback(table, Question::Ranking);
        let Some(Down::Feedback(Feedback::Ranking { lines })) = answer(state, question) else {
            continue;
        };
        let places = || scores.standings.lists.iter().flat_map(|list| &list.places);
        for line in &lines {
            let pair = PairId {
                section: table.section,
                side: line.side,
                number: line.pair,
            };
            let place = places().find(|place| place.pair == pair);
            let right =
                place.and_then(|place| Some((place.rank?, place.percent?.0.clamp(0, 10_000))));
            let told = (u32::from(line.rank), i32::from(line.percentage.get()));
            if right != Some(told) {
                wrong.push(format!("a pad at {table} reads {line:?}, not {right:?}"));
            }
        }
    }
    wrong
}
