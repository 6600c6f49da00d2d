//! A part of a typeface: the letters that nearly every page is written with, so that a page that is
//! seen for the first time waits for a third of the bytes. Everything else of the typeface is asked
//! for where a text has it, by the ranges in `css/base.css`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use skrifa::raw::TableProvider as _;
use skrifa::raw::tables::glyf::Glyph;
use skrifa::raw::types::Tag;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

/// The letters of the page's languages and their neighbours, signs, arrows and suits.
pub(super) const USUAL: [RangeInclusive<u32>; 6] = [
    0x0000..=0x017F,
    0x0218..=0x021B,
    0x2000..=0x206F,
    0x20A0..=0x20BF,
    0x2100..=0x22FF,
    0x2500..=0x27BF,
];

/// Bytes of an offset in `loca`, and of a glyph's two figures in `hmtx`.
const OFFSET_BYTES: usize = 4;

/// The typeface with the outlines of these characters alone. Glyphs keep their numbers, so that
/// their kerning stands; those left out are empty, and what would replace letters by them is left
/// out, too. Nothing for a font that is laid out otherwise than ours.
pub(super) fn only(font: &[u8], wanted: &[RangeInclusive<u32>]) -> Option<Vec<u8>> {
    let whole = FontRef::new(font).ok()?;
    let kept = glyphs(&whole, wanted)?;
    let (outlines, offsets) = outlines(&whole, &kept)?;
    let tables = whole.table_directory().table_records().iter();
    let tables = tables.filter_map(|record| {
        let tag = record.tag();
        let data = whole.table_data(tag)?.as_bytes();
        match &tag.to_be_bytes() {
            b"GSUB" => None,
            b"glyf" => Some((tag, outlines.clone())),
            b"loca" => Some((tag, offsets.clone())),
            b"hmtx" => Some((tag, metrics(data, &kept))),
            _ => Some((tag, data.to_vec())),
        }
    });
    Some(assembled(&tables.collect::<Vec<_>>()))
}

/// The glyphs of these characters, and those that they are put together from.
fn glyphs(whole: &FontRef, wanted: &[RangeInclusive<u32>]) -> Option<BTreeSet<GlyphId>> {
    let (loca, glyf) = (whole.loca(None).ok()?, whole.glyf().ok()?);
    let letters = whole.charmap();
    let characters = wanted.iter().cloned().flatten();
    let mut waiting: Vec<GlyphId> = characters.filter_map(|one| letters.map(one)).collect();
    waiting.push(GlyphId::NOTDEF);
    let mut kept = BTreeSet::new();
    while let Some(glyph) = waiting.pop() {
        if kept.insert(glyph)
            && let Ok(Some(Glyph::Composite(parts))) = loca.get_glyf(glyph, &glyf)
        {
            waiting.extend(parts.components().map(|part| GlyphId::from(part.glyph)));
        }
    }
    Some(kept)
}

/// The outlines that stay, and where each begins.
fn outlines(whole: &FontRef, kept: &BTreeSet<GlyphId>) -> Option<(Vec<u8>, Vec<u8>)> {
    let all = whole.table_data(Tag::new(b"glyf"))?.as_bytes();
    let places = whole.table_data(Tag::new(b"loca"))?.as_bytes();
    let count = usize::from(whole.maxp().ok()?.num_glyphs());
    let (places, rest) = places.as_chunks::<OFFSET_BYTES>();
    if places.len() != count + 1 || !rest.is_empty() {
        return None;
    }
    let place = |at: usize| {
        places
            .get(at)
            .map(|bytes| u32::from_be_bytes(*bytes) as usize)
    };
    let (mut outlines, mut offsets) = (Vec::new(), Vec::new());
    for at in 0..=count {
        offsets.extend(u32::try_from(outlines.len()).ok()?.to_be_bytes());
        if at < count && kept.contains(&GlyphId::new(u32::try_from(at).ok()?)) {
            outlines.extend(all.get(place(at)?..place(at + 1)?)?);
        }
    }
    Some((outlines, offsets))
}

/// The widths of the glyphs that stay.
fn metrics(all: &[u8], kept: &BTreeSet<GlyphId>) -> Vec<u8> {
    let mut all = all.to_vec();
    for (at, one) in (0..).zip(all.chunks_exact_mut(OFFSET_BYTES)) {
        if !kept.contains(&GlyphId::new(at)) {
            one.fill(0);
        }
    }
    all
}

/// A font file of these tables, which come in the order of their tags.
fn assembled(tables: &[(Tag, Vec<u8>)]) -> Vec<u8> {
    let count = u16::try_from(tables.len()).unwrap_or(u16::MAX);
    let most = count.max(1).ilog2();
    let range = 16 << most;
    let mut file = vec![0, 1, 0, 0];
    let header = [
        count,
        range,
        u16::try_from(most).unwrap_or(0),
        16 * count - range,
    ];
    file.extend(header.iter().flat_map(|number| number.to_be_bytes()));
    let mut at = file.len() + 16 * tables.len();
    for (tag, data) in tables {
        file.extend(tag.to_be_bytes());
        let numbers = [sum(data), short(at), short(data.len())];
        file.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        at += data.len().next_multiple_of(4);
    }
    for (_, data) in tables {
        file.extend(data);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    file
}

fn short(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// A table's checksum.
fn sum(data: &[u8]) -> u32 {
    let words = data.chunks(4).map(|bytes| {
        let mut word = [0; 4];
        word.iter_mut()
            .zip(bytes)
            .for_each(|(to, from)| *to = *from);
        u32::from_be_bytes(word)
    });
    words.fold(0, u32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skrifa::outline::{DrawSettings, OutlinePen};

    struct Strokes(Vec<String>);

    impl OutlinePen for Strokes {
        fn move_to(&mut self, x: f32, y: f32) {
            self.0.push(format!("to {x} {y}"));
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.0.push(format!("line {x} {y}"));
        }
        fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
            self.0.push(format!("curve {cx0} {cy0} {x} {y}"));
        }
        fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
            self.0
                .push(format!("curve {cx0} {cy0} {cx1} {cy1} {x} {y}"));
        }
        fn close(&mut self) {
            self.0.push("close".to_owned());
        }
    }

    /// How a letter is drawn, and how wide it is.
    fn drawn(font: &[u8], letter: char) -> (Vec<String>, Option<f32>) {
        use skrifa::instance::{LocationRef, Size};
        let font = FontRef::new(font).expect("a font");
        let glyph = font.charmap().map(letter).expect("a glyph");
        let size = Size::new(16.0);
        let mut strokes = Strokes(Vec::new());
        let outline = font.outline_glyphs().get(glyph).expect("an outline");
        let how = DrawSettings::unhinted(size, LocationRef::default());
        outline.draw(how, &mut strokes).expect("drawn");
        let width = font.glyph_metrics(size, LocationRef::default());
        (strokes.0, width.advance_width(glyph))
    }

    #[test]
    fn usual_letters_are_drawn_as_before_and_the_others_are_not_there() {
        for whole in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
            let part = only(whole, &USUAL).expect("a part of it");
            assert!(part.len() * 2 < whole.len(), "{} bytes", part.len());
            for letter in "AVßÉéöñçœŁșţ09−–…’→♠♥♦♣½".chars() {
                assert_eq!(drawn(&part, letter), drawn(whole, letter), "{letter}");
            }
            for letter in ['Ж', 'ψ', 'ế'] {
                assert!(!drawn(whole, letter).0.is_empty());
                assert_eq!(drawn(&part, letter).0, Vec::<String>::new(), "{letter}");
            }
        }
        assert_eq!(only(b"no font", &USUAL), None);
    }

    #[test]
    fn the_style_asks_for_the_usual_letters_by_the_same_ranges() {
        let range = |one: &RangeInclusive<u32>| match (one.start(), one.end()) {
            (0, end) => format!("U+0-{end:X}"),
            (start, end) => format!("U+{start:X}-{end:X}"),
        };
        let named = USUAL.iter().map(range).collect::<Vec<_>>().join(", ");
        for style in ["base", "sheet"] {
            let style = format!("{}/assets/css/{style}.css", env!("CARGO_MANIFEST_DIR"));
            let style = std::fs::read_to_string(style).expect("the style");
            let faces = style.lines().filter(|line| line.contains("-usual.ttf"));
            let faces: Vec<&str> = faces.collect();
            assert!(faces.len() >= 2);
            for face in faces {
                assert!(face.contains(&format!("unicode-range: {named};")), "{face}");
            }
        }
    }
}
