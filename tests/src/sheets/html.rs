//! Reads the tables of a page: no more of HTML than a person with a pencil needs.

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct TableRow {
    /// What the page calls it.
    pub(super) class: String,
    /// What stands in it.
    pub(super) cells: Vec<String>,
}

/// The rows of every table of a page (or of a part of it).
pub(super) fn tables(page: &str) -> Vec<Vec<TableRow>> {
    elements(page, "table")
        .into_iter()
        .map(|(_, table)| {
            elements(table, "tr")
                .into_iter()
                .map(|(class, row)| TableRow {
                    class,
                    cells: cells(row),
                })
                .collect()
        })
        .collect()
}

/// The class and the inside of every element of a kind; none of ours stands within another.
pub(super) fn elements<'a>(page: &'a str, name: &str) -> Vec<(String, &'a str)> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find(&open) {
        rest = &rest[at + open.len()..];
        // `<tr` is not `<track`, nor `<th` a `<thead`.
        if !rest.starts_with([' ', '>']) {
            continue;
        }
        let Some((tag, after)) = rest.split_once('>') else {
            break;
        };
        let Some((inside, after)) = after.split_once(&close) else {
            break;
        };
        let class = attribute(tag, "class").unwrap_or_default();
        found.push((class, inside));
        rest = after;
    }
    found
}

/// An attribute's value.
pub(super) fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}="))?;
    let quote = rest.chars().next()?;
    let value = rest.get(1..)?.split(quote).next()?;
    Some(value.to_owned())
}

fn cells(row: &str) -> Vec<String> {
    let mut all: Vec<(usize, String)> = ["td", "th"]
        .into_iter()
        .flat_map(|name| elements(row, name))
        .map(|(_, inside)| {
            let place = inside.as_ptr() as usize;
            (place, text(inside))
        })
        .collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, text)| text).collect()
}

/// What a browser would show.
pub(super) fn text(inside: &str) -> String {
    let mut shown = String::new();
    let mut in_tag = false;
    for letter in inside.chars() {
        match letter {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ if !in_tag => shown.push(letter),
            _ => {}
        }
    }
    shown
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
        .trim()
        .to_owned()
}

/// A number as printed, with a printer's minus.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().replace('−', "-").parse().ok()
}
