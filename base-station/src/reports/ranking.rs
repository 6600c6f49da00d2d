//! The ranking, on its own sheet and at the foot of score cards.

use maud::{Markup, html};
use protocol::words::RoundNumber;

use super::page::Sheet;
use crate::session::PairId;
use crate::session::plan::Partner;
use crate::view::{ListView, PenaltyView, RankingLineView, RankingStanding, RankingView};

/// The ranking lists.
pub fn ranking(sheet: &Sheet<'_>) -> Markup {
    let words = sheet.words;
    let ranking = RankingView::scored(&sheet.state.club, sheet.session, &sheet.scores)
        .in_field(sheet.session, sheet.field.as_deref());
    let imps = ranking.points_name == "imps";
    let field = ranking.field_pairs;
    let columns = 4
        + usize::from(!imps)
        + usize::from(sheet.numbers.pairs)
        + 2 * usize::from(field.is_some());
    html! {
        (sheet.not_final())
        (clubs(sheet, &ranking, imps))
        @for list in &ranking.lists {
            @let title = words.say(&list.title);
            section.board {
            h2 { (title) }
            div.wide tabindex="0" role="group" aria-label=(title) {
            table.ranking {
                thead { tr {
                    th { (words.text("place")) } @if sheet.numbers.pairs { th { (words.text("pair")) } } th { (words.text("names")) } th.number { (words.text("boards")) }
                    th.number { (words.text(if imps { "imps" } else { "points" })) } @if !imps { th.number { (words.text("percent")) } }
                    @if let Some(pairs) = field { th.number { (words.with("field_place", &[("pairs", &pairs)])) } th.number { (words.text("field_percent")) } }
                } }
                tbody {
                    @for line in &list.lines {
                        @if starts_below(list, line) { tr { td colspan=(columns) { em { (words.with("below_the_line", &[("n", &ranking.least_share_percent)])) } } } }
                        tr { td { (place_or_dash(line)) } @if sheet.numbers.pairs { td { (sheet.number(line.pair)) } } td { (sheet.names(line.pair)) (numbers(sheet, line.pair)) } td.number { (line.boards) } td.number { (sheet.points(Some(line.points))) } @if !imps { td.number { strong { (words.two(line.percent)) } } }
                            @if field.is_some() { td.number { (line.field_rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())) } td.number { (words.two(line.field_percent)) } }
                        }
                    }
                }
            } }
            }
        }
        @if !ranking.problems.is_empty() { ul { @for problem in &ranking.problems { li { (words.say(problem)) } } } }
        (penalties(sheet, &ranking))
    }
}

/// The players' numbers, where the director wants them on the sheet.
fn numbers(sheet: &Sheet<'_>, pair: PairId) -> Markup {
    let partners = [Partner::First, Partner::Second];
    let known = partners.into_iter().filter_map(|partner| {
        let roster = &sheet.session.roster;
        roster.at(pair, partner, RoundNumber::FIRST)?.number
    });
    let known: Vec<String> = known
        .map(|it| sheet.session.written(&sheet.state.club, it))
        .collect();
    html! { @if sheet.numbers.players && !known.is_empty() { " " span.quiet { "(" (known.join(", ")) ")" } } }
}

/// Whether the line is drawn above this pair.
fn starts_below(list: &ListView, line: &RankingLineView) -> bool {
    let below = |line: &&RankingLineView| line.standing != RankingStanding::Ranked;
    list.lines.iter().find(below) == Some(line)
}

fn place_or_dash(line: &RankingLineView) -> &str {
    if line.place.is_empty() {
        "–"
    } else {
        &line.place
    }
}

/// The two clubs of a match between them.
fn clubs(sheet: &Sheet<'_>, ranking: &RankingView, imps: bool) -> Markup {
    let words = sheet.words;
    html! {
        @if !ranking.clubs.is_empty() {
            h2 { (words.text("clubs")) }
            table {
                tbody {
                    @for club in &ranking.clubs {
                        tr { td { (words.say(&club.name)) } td.number { @if imps { (words.two(Some(club.points))) " " (words.text("imps")) } @else { (words.two(club.percent)) "%" } } }
                    }
                }
            }
        }
    }
}

/// What was taken off. Warnings change nothing, so they are nobody's business unless the director
/// has said that players may read them; and so are reasons.
fn penalties(sheet: &Sheet<'_>, ranking: &RankingView) -> Markup {
    let shown = |penalty: &&PenaltyView| penalty.counts || penalty.why.is_some();
    let penalties: Vec<_> = ranking.penalties.iter().filter(shown).collect();
    html! {
        @if !penalties.is_empty() {
            h3 { (sheet.words.text("sheet_penalties")) }
            ul.penalties { @for penalty in penalties { li {
                (who(sheet, penalty.pair)) ": " (penalty_text(sheet, penalty))
                @if let Some(why) = &penalty.why { " (" (why) ")" }
            } } }
        }
    }
}

/// `NS 3 Anna Berg – Karl Lind`; `Pair NS 3` where nobody gave a name.
fn who(sheet: &Sheet<'_>, pair: PairId) -> String {
    let names = sheet.names(pair);
    let number = sheet.number(pair);
    if names == sheet.words.with("pair_n", &[("pair", &number)]) {
        names
    } else {
        format!("{number} {names}")
    }
}

/// `minus 10% of a top = −2.40`.
fn penalty_text(sheet: &Sheet<'_>, penalty: &PenaltyView) -> Markup {
    html! {
        (sheet.words.say(&penalty.amount))
        @if let Some(points) = penalty.points { " = " span.taken-off { "−" (sheet.points(Some(points))) } }
    }
}

/// What was taken off, and what it all comes to: as in the ranking.
pub(super) fn added_up(sheet: &Sheet<'_>, pair: PairId) -> Markup {
    let words = sheet.words;
    let ranking = RankingView::scored(&sheet.state.club, sheet.session, &sheet.scores)
        .in_field(sheet.session, sheet.field.as_deref());
    let lines = ranking.lists.iter().flat_map(|list| &list.lines);
    let line = lines.into_iter().find(|line| line.pair == pair);
    let own = |penalty: &&PenaltyView| penalty.pair == pair && penalty.counts;
    html! {
        @for penalty in ranking.penalties.iter().filter(own) { tr.penalty {
            td {} td.spare {} th { (words.say(&penalty.amount)) @if let Some(why) = &penalty.why { " (" (why) ")" } } td.spare {} td {}
            td.number { @if let Some(points) = penalty.points { "−" (sheet.points(Some(points))) } }
            td.number { @if let Some(percent) = penalty.percent { "−" (words.two(Some(percent))) } }
        } }
        @if let Some(line) = line { tr.total {
            td {} td.spare {} th { (words.text("sheet_total")) } td.spare {} td {}
            td.number { strong { (sheet.points(Some(line.points))) } }
            td.number { @if let Some(percent) = line.percent { strong { (words.two(Some(percent))) } } }
        } }
    }
}

/// "Place 3 of 12: 54.17%", once per list in which the pair is ranked.
pub(super) fn place_of(sheet: &Sheet<'_>, pair: PairId) -> Markup {
    let words = sheet.words;
    let ranking = RankingView::scored(&sheet.state.club, sheet.session, &sheet.scores)
        .in_field(sheet.session, sheet.field.as_deref());
    html! {
        @for list in &ranking.lists { @for line in list.lines.iter().filter(|line| line.pair == pair) {
            @let points = line.percent.map_or_else(
                || format!("{} {}", sheet.points(Some(line.points)), words.text("imps")),
                |percent| format!("{}%", words.decimal(percent, 2)),
            );
            @let ranked = list.lines.iter().filter(|line| line.standing == RankingStanding::Ranked).count();
            p { strong {
                @if line.place.is_empty() { (words.with("sheet_no_place", &[("boards", &line.boards), ("points", &points)])) }
                @else { (words.with("sheet_place", &[("place", &line.place), ("of", &ranked), ("points", &points)])) }
            } " " span.quiet { (words.say(&list.title)) } }
            @if let (Some(of), Some(place), Some(percent)) = (ranking.field_pairs, line.field_rank, line.field_percent) {
                p { (words.with("field_place_of", &[("place", &place), ("of", &of), ("percent", &words.decimal(percent, 2))])) }
            }
        } }
    }
}
