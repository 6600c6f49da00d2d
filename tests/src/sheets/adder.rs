//! Adds up what is printed.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Papers;
use super::html::{self, number};
use super::shares::Rows;

/// What a source says a pair has, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    points: f64,
    tops: f64,
    boards: u32,
}

pub(super) type Sums = BTreeMap<String, Sum>;

/// What the ranking says.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) boards: u32,
    pub(super) points: f64,
    pub(super) percent: Option<f64>,
    taken_off: f64,
    percent_off: f64,
    penalties: u32,
}

/// As fine as numbers are when they are not rounded at all.
pub(super) const DUST: f64 = 1e-6;

/// Half of what two decimals can tell apart.
pub(super) const HALF_A_HUNDREDTH: f64 = 0.005;

pub(super) struct Published {
    pub(super) imps: bool,
    /// Half of what points are rounded to.
    half_unit: f64,
    pub(super) places: BTreeMap<String, Place>,
}

impl Papers {
    /// Everything that does not add up to the ranking; `half_unit` is half of what points are
    /// rounded to, which is how far a row of IMPs may be from the exact one.
    pub fn wrong(&self, half_unit: f64) -> Vec<String> {
        let published = Published::of(&self.ranking, half_unit);
        let mut wrong = Vec::new();
        let boards = of_lines(self.boards.iter().flat_map(|board| {
            let top = board["top"].as_f64().unwrap_or_default();
            let lines = board["lines"].as_array().cloned().unwrap_or_default();
            lines.into_iter().map(move |line| (line, top))
        }));
        let lines = of_lines(self.lines.iter().map(|line| (line.clone(), 0.0)));
        let csv = results_csv(&self.results_csv);
        published.compare("the boards of the interface", &boards, DUST, &mut wrong);
        published.compare("the tables of the interface", &lines, DUST, &mut wrong);
        published.compare("results.csv", &csv, DUST, &mut wrong);
        let travellers = travellers(&self.travellers, &published);
        published.compare("the printed travellers", &travellers, DUST, &mut wrong);
        published.compare_percentages(&boards, &mut wrong);
        published.compare_clubs(&self.ranking, &mut wrong);
        if let Some(usebio) = &self.usebio {
            published.compare_usebio(usebio, &mut wrong);
        }
        let rows = Rows::of(&self.boards);
        rows.compare_shares(&mut wrong);
        rows.compare_lines(&self.lines, &mut wrong);
        rows.compare_csv(&self.results_csv, &mut wrong);
        rows.compare_scorecards(&self.scorecards, &mut wrong);
        published.compare_scorecards(&self.scorecards, &mut wrong);
        published.compare_places(&self.ranking_csv, &self.ranking_page, &mut wrong);
        compare_frequencies(&self.frequencies, &csv, &mut wrong);
        if !published.imps {
            compare_charts(&self.charts, &boards, &mut wrong);
        }
        wrong
    }
}

impl Published {
    fn of(ranking: &Value, half_unit: f64) -> Self {
        let mut places = BTreeMap::new();
        let lists = ranking["lists"].as_array().into_iter().flatten();
        for line in lists.flat_map(|list| list["lines"].as_array().into_iter().flatten()) {
            let boards = line["boards"].as_u64().unwrap_or_default();
            let place = Place {
                boards: u32::try_from(boards).unwrap_or_default(),
                points: line["points"].as_f64().unwrap_or_default(),
                percent: line["percent"].as_f64(),
                ..Place::default()
            };
            places.insert(text(&line["pair"]), place);
        }
        for penalty in ranking["penalties"].as_array().into_iter().flatten() {
            if let Some(place) = places.get_mut(&text(&penalty["pair"])) {
                place.taken_off += penalty["points"].as_f64().unwrap_or_default();
                place.percent_off += penalty["percent"].as_f64().unwrap_or_default();
                place.penalties += 1;
            }
        }
        Self {
            imps: ranking["points_name"] == "imps",
            half_unit,
            places,
        }
    }

    /// How far the rows of a pair may be from its total: rows of matchpoints are what they are,
    /// rows of IMPs and penalties are rounded to be shown.
    fn tolerance(&self, place: &Place, shown: f64) -> f64 {
        let rows = if self.imps {
            f64::from(place.boards + 1) * self.half_unit
        } else {
            0.0
        };
        rows + shown + 2.0 * f64::from(place.penalties) * HALF_A_HUNDREDTH
    }

    pub(super) fn compare(&self, source: &str, sums: &Sums, shown: f64, wrong: &mut Vec<String>) {
        for (pair, place) in &self.places {
            let sum = sums.get(pair).copied().unwrap_or_default();
            if sum.boards != place.boards {
                wrong.push(format!(
                    "{source}: {pair} has {} boards there and {} in the ranking",
                    sum.boards, place.boards
                ));
            }
            let points = sum.points - place.taken_off;
            if (points - place.points).abs() > self.tolerance(place, shown) {
                wrong.push(format!(
                    "{source}: {pair} has {points:.4} there and {:.4} in the ranking",
                    place.points
                ));
            }
        }
        // A result whose pair nobody knows yet counts for the other side alone.
        let known = |pair: &str| !matches!(pair, "" | "–");
        for (pair, sum) in sums.iter().filter(|(pair, _)| known(pair)) {
            if sum.boards > 0 && !self.places.contains_key(pair) {
                wrong.push(format!("{source}: {pair} is not in the ranking"));
            }
        }
    }

    fn compare_percentages(&self, sums: &Sums, wrong: &mut Vec<String>) {
        for (pair, place) in &self.places {
            let sum = sums.get(pair).copied().unwrap_or_default();
            let Some(percent) = place.percent else {
                if !self.imps && sum.tops > 0.0 {
                    wrong.push(format!("{pair} has a top and no percentage"));
                }
                continue;
            };
            let own = 100.0 * (sum.points - place.taken_off) / sum.tops - place.percent_off;
            if (own - percent).abs() > HALF_A_HUNDREDTH + DUST {
                wrong.push(format!(
                    "{pair} has {percent}% in the ranking and {own:.3}% on its boards"
                ));
            }
        }
    }

    /// Rows, penalties and the total at the foot of each pair's own card.
    fn compare_scorecards(&self, page: &str, wrong: &mut Vec<String>) {
        let mut sums = Sums::new();
        for part in page.split("<h2>").skip(1) {
            let title = part.split("</h2>").next().unwrap_or_default();
            let title = html::text(title);
            let pair = title.split(':').next().unwrap_or_default();
            let called = pair.split_once(' ').unwrap_or_default().1;
            let pair = meant(self.places.keys(), called, "");
            let sum = sums.entry(pair.clone()).or_default();
            let mut taken_off = 0.0;
            let mut total = None;
            for row in html::tables(part).into_iter().flatten() {
                let at = |index: usize| row.cells.get(index).and_then(|cell| number(cell));
                match (row.class.as_str(), row.cells.len()) {
                    ("penalty", _) => taken_off -= at(5).unwrap_or_default(),
                    ("total", _) => total = at(5),
                    (_, 7) => {
                        if let Some(points) = at(5) {
                            sum.points += points;
                            sum.boards += 1;
                        }
                    }
                    _ => {}
                }
            }
            let (Some(place), Some(total)) = (self.places.get(&pair), total) else {
                if self.places.contains_key(&pair) {
                    wrong.push(format!("the score card of {pair} has no total"));
                }
                continue;
            };
            let shown = HALF_A_HUNDREDTH + DUST;
            let tolerance = self.tolerance(place, shown);
            if (sum.points - taken_off - total).abs() > tolerance {
                wrong.push(format!(
                    "the score card of {pair} adds up to {:.4} and says {total:.4}",
                    sum.points - taken_off
                ));
            }
            if (total - place.points).abs() > shown {
                wrong.push(format!("the score card of {pair} ends with {total:.4}"));
            }
        }
        self.compare("the score cards", &sums, DUST, wrong);
    }

    /// The ranking as a file and on paper.
    fn compare_places(&self, csv: &str, page: &str, wrong: &mut Vec<String>) {
        let mut compare = |source: &str, pair: &str, boards: &str, points: &str, percent: &str| {
            let Some(place) = self.places.get(pair) else {
                wrong.push(format!("{source}: {pair} is not in the ranking"));
                return;
            };
            let near = |shown: &str, right: f64| {
                number(shown).is_some_and(|shown| (shown - right).abs() <= HALF_A_HUNDREDTH + DUST)
            };
            let percents = place.percent.is_none_or(|right| near(percent, right));
            if boards != place.boards.to_string() || !near(points, place.points) || !percents {
                wrong.push(format!(
                    "{source}: {pair} has {boards} boards, {points} and {percent}%, not {place:?}"
                ));
            }
        };
        let mut count = 0;
        for line in csv.lines().skip(1) {
            let cells = fields(line);
            let [_, _, pair, _, boards, points, percent, ..] = cells.as_slice() else {
                continue;
            };
            compare("ranking.csv", pair, boards, points, percent);
            count += 1;
        }
        for row in html::tables(page).into_iter().flatten() {
            let percent = row.cells.get(5).map_or("", String::as_str);
            if let [_, pair, _, boards, points, ..] = row.cells.as_slice()
                && row.cells.len() == if self.imps { 5 } else { 6 }
                && number(points).is_some()
            {
                let pair = meant(self.places.keys(), pair, "");
                compare("the printed ranking", &pair, boards, points, percent);
                count += 1;
            }
        }
        if count != 2 * self.places.len() {
            wrong.push(format!("{count} places on file and paper"));
        }
    }
}

/// The pair that a sheet calls so: `NS 7`, or `7` in the column of its side; `A7` with its section.
pub(super) fn meant<P: AsRef<str>>(
    pairs: impl IntoIterator<Item = P>,
    printed: &str,
    side: &str,
) -> String {
    let is_meant = |pair: &P| {
        let pair = pair.as_ref();
        let with_section = pair.trim_end_matches(char::is_alphabetic);
        let own = pair.strip_prefix(with_section).unwrap_or_default();
        let number = with_section.trim_start_matches(char::is_alphabetic);
        [with_section, number].iter().any(|called| {
            printed == format!("{own} {called}").trim() || (own == side && printed == *called)
        })
    };
    let meant = pairs.into_iter().find(is_meant);
    meant.map_or_else(|| printed.to_owned(), |pair| pair.as_ref().to_owned())
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(super) fn add(sums: &mut Sums, pair: &str, points: Option<f64>, top: f64) {
    if let Some(points) = points {
        let sum = sums.entry(pair.to_owned()).or_default();
        sum.points += points;
        sum.tops += top;
        sum.boards += 1;
    }
}

fn of_lines(lines: impl Iterator<Item = (Value, f64)>) -> Sums {
    let mut sums = Sums::new();
    for (line, top) in lines {
        for (pair, points) in [("ns", "ns_points"), ("ew", "ew_points")] {
            add(&mut sums, &text(&line[pair]), line[points].as_f64(), top);
        }
    }
    sums
}

/// The fields of a line of a file; names are quoted where they hold a comma.
pub(super) fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            letter => {
                if let Some(last) = fields.last_mut() {
                    last.push(letter);
                }
            }
        }
    }
    fields
}

fn results_csv(file: &str) -> Sums {
    let mut lines = file.lines();
    let header = fields(lines.next().unwrap_or_default());
    let column = |name: &str| {
        header
            .iter()
            .position(|it| it == name)
            .unwrap_or(usize::MAX)
    };
    let mut sums = Sums::new();
    for line in lines {
        let fields = fields(line);
        let at = |name: &str| fields.get(column(name)).map_or("", String::as_str);
        add(&mut sums, at("ns"), number(at("points_ns")), 0.0);
        add(&mut sums, at("ew"), number(at("points_ew")), 0.0);
    }
    sums
}

fn travellers(page: &str, published: &Published) -> Sums {
    let mut sums = Sums::new();
    for row in html::tables(page).into_iter().flatten() {
        if let [ns, ew, .., ns_points, ew_points] = row.cells.as_slice()
            && row.cells.len() == 8
        {
            let meant = |printed: &str, side: &str| meant(published.places.keys(), printed, side);
            add(&mut sums, &meant(ns, "NS"), number(ns_points), 0.0);
            add(&mut sums, &meant(ew, "EW"), number(ew_points), 0.0);
        }
    }
    sums
}

/// All points that were given on all boards.
fn compare_frequencies(page: &str, csv: &Sums, wrong: &mut Vec<String>) {
    let mut given = 0.0;
    let mut tables = 0.0;
    for row in html::tables(page).into_iter().flatten() {
        let at = |index: usize| row.cells.get(index).and_then(|cell| number(cell));
        if let (4, Some(times)) = (row.cells.len(), at(1)) {
            given += times * (at(2).unwrap_or_default() + at(3).unwrap_or_default());
            tables += times;
        }
    }
    let all: f64 = csv.values().map(|sum| sum.points).sum();
    if (given - all).abs() > DUST * (tables + 1.0) {
        wrong.push(format!(
            "the frequencies hold {given:.4} points, not {all:.4}"
        ));
    }
}

/// Where each line of the chart of rounds ends, against the pair's own boards.
fn compare_charts(page: &str, sums: &Sums, wrong: &mut Vec<String>) {
    // A pixel is up to half a percent high; points are drawn to a tenth of one.
    const NEAR: f64 = 0.1;
    let percents = sums.values().any(|sum| sum.tops > 0.0);
    let chart = html::elements(page, "svg");
    let Some((_, chart)) = chart.first() else {
        if percents {
            wrong.push("the chart of rounds is missing".to_owned());
        }
        return;
    };
    let levels: Vec<(f64, f64)> = chart
        .split("<text ")
        .filter_map(|tag| {
            let label = tag.split_once('>')?.1.split('<').next()?;
            let percent = number(label.strip_suffix('%')?)?;
            let y = number(&html::attribute(tag, " y")?)? - 4.0;
            Some((y, percent))
        })
        .collect();
    let levels = (levels.first(), levels.last());
    let (Some(one), Some(other)) = levels else {
        wrong.push("the chart of rounds has no scale".to_owned());
        return;
    };
    if (one.0 - other.0).abs() < NEAR {
        wrong.push("the chart of rounds has one level only".to_owned());
        return;
    }
    let percent_at = |y: f64| one.1 + (y - one.0) * (other.1 - one.1) / (other.0 - one.0);
    let ends = chart.split("<polyline ").skip(1).map(|tag| {
        let points = html::attribute(tag, "points").unwrap_or_default();
        let last = points.split(' ').next_back().unwrap_or_default().to_owned();
        last.split(',').next_back().and_then(number)
    });
    let ends: Vec<_> = ends.collect();
    let pairs = html::elements(page, "li")
        .into_iter()
        .filter_map(|(_, inside)| Some(html::text(html::elements(inside, "strong").first()?.1)));
    let pairs: Vec<_> = pairs.collect();
    if pairs.is_empty() || pairs.len() != ends.len() {
        wrong.push(format!(
            "the chart of rounds has {} lines and names {} pairs",
            ends.len(),
            pairs.len()
        ));
    }
    let pairs = pairs.into_iter().map(|pair| meant(sums.keys(), &pair, ""));
    for (pair, end) in pairs.zip(ends) {
        let (Some(end), Some(sum)) = (end, sums.get(&pair)) else {
            wrong.push(format!("the chart has a line for {pair} that ends nowhere"));
            continue;
        };
        let own = 100.0 * sum.points / sum.tops;
        if (percent_at(end) - own).abs() > NEAR {
            wrong.push(format!(
                "the chart ends with {:.2}% for {pair}, whose boards give {own:.2}%",
                percent_at(end)
            ));
        }
    }
}
