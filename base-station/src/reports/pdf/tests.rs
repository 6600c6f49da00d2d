use maud::html;

use super::flow::{Flow, usual};
use super::strip::{Mark, Strip, pages};
use super::text::{Atom, Faces};
use super::tree::{Node, parse};

fn faces() -> Faces {
    Faces::new().expect("letters")
}

fn words(marks: &[Mark]) -> Vec<&str> {
    let texts = marks.iter().filter_map(|mark| match mark {
        Mark::Text { text, .. } => Some(text.trim()),
        Mark::Path { .. } | Mark::Disc { .. } => None,
    });
    texts.collect()
}

#[test]
fn what_players_typed_is_read_back_as_they_typed_it() {
    let typed = "Zoë <b> & \"O'Brien\" &amp; Łódź";
    let tree = parse(&html! { p.quiet { (typed) br; "end" } }.into_string()).expect("a tree");
    let Some(Node::Element(paragraph)) = tree.children.first() else {
        panic!("{tree:?}");
    };
    assert!(paragraph.is("quiet"));
    assert_eq!(paragraph.text(), format!("{typed}end"));
}

#[test]
fn every_letter_of_europe_and_every_suit_has_a_shape() {
    let faces = faces();
    let letters = "♠♥♦♣ ×−–· ÄÖÜäöüß éèêëçñøåæœ ŁłŚśŹźŻż ČčŘřŠšŽž ŐőŰű ĞğİıŞş ΑΩαω АЯая";
    for style in [
        usual(),
        super::Style {
            bold: true,
            ..usual()
        },
    ] {
        for glyph in faces.glyphs(letters, style) {
            let letter = &letters[glyph.text_range.clone()];
            assert_ne!(glyph.glyph_id.to_u32(), 0, "{letter}");
        }
    }
}

#[test]
fn no_line_is_wider_than_its_room_however_long_a_name_is() {
    let faces = faces();
    let name = format!(
        "Anna Wolfeschlegelsteinhausenbergerdorff-{}",
        "x".repeat(80)
    );
    let tree = parse(&html! { p { (name) } }.into_string()).expect("a tree");
    let Some(Node::Element(paragraph)) = tree.children.first() else {
        panic!("{tree:?}");
    };
    let atoms = Flow::atoms(paragraph, usual());
    let lines = faces.wrap(&atoms, 120.0);
    assert!(lines.len() > 3, "{lines:?}");
    for line in &lines {
        assert!(line.width <= 120.1, "{line:?}");
    }
    let again: String = lines
        .iter()
        .flat_map(|line| line.spans.iter().map(|span| span.text.clone()))
        .collect();
    assert_eq!(again.replace(' ', ""), name.replace(' ', ""));
    assert!(matches!(atoms.first(), Some(Atom::Word { .. })));
}

#[test]
fn a_long_table_has_its_headings_on_every_page_and_each_row_once() {
    let faces = faces();
    let flow = Flow {
        faces: &faces,
        page: 300.0,
    };
    let table = html! { table {
        thead { tr { th { "Pair" } th.number { "Points" } } }
        tbody { @for pair in 1..=60 { tr { td { "pair" (pair) } td.number { (pair) } } } }
    } };
    let tree = parse(&table.into_string()).expect("a tree");
    let pages = pages(&flow.inside(&tree, 200.0, usual()), 40.0, 300.0);
    assert!(pages.len() > 2, "{}", pages.len());
    for page in &pages {
        assert_eq!(words(page).first(), Some(&"Pair"), "{page:?}");
        for mark in page {
            if let Mark::Text { y, .. } = mark {
                assert!(*y <= 300.0, "{mark:?}");
            }
        }
    }
    let all: Vec<&str> = pages.iter().flat_map(|page| words(page)).collect();
    for pair in 1..=60 {
        let name = format!("pair{pair}");
        let times = all.iter().filter(|word| **word == name).count();
        assert_eq!(times, 1, "{name}");
    }
}

#[test]
fn what_belongs_together_stays_on_one_page() {
    let strip = |with_next| Strip {
        with_next,
        marks: vec![Mark::rule((0.0, 0.0), (1.0, 0.0), 1.0, [0; 3])],
        ..Strip::space(40.0)
    };
    // The heading would still fit; what it is a heading of would not.
    let all = vec![strip(false), strip(true), strip(false)];
    let count: Vec<usize> = pages(&all, 0.0, 100.0).iter().map(Vec::len).collect();
    assert_eq!(count, [1, 2]);
}
