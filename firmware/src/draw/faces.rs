//! The letters as bitmaps, made by the build script from the type in `firmware/type`.

use super::rows::Rows;

/// A size of the type.
#[derive(Debug)]
pub(super) struct Face {
    /// In the order of their letters.
    glyphs: &'static [Glyph],
    /// As `rows` tells; each glyph begins with a byte.
    bits: &'static [u8],
}

/// A letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    letter: char,
    /// Its first byte.
    at: u16,
    pub(super) width: u8,
    pub(super) height: u8,
    /// From where the letter begins to its first column of ink.
    pub(super) left: i8,
    /// From the top of capitals to its first row of ink.
    pub(super) top: i8,
    /// Pixels to the next letter.
    pub(super) advance: u8,
}

impl Face {
    /// A letter; the question mark for one that nobody drew.
    pub(super) fn glyph(&self, letter: char) -> Option<&Glyph> {
        self.find(letter).or_else(|| self.find('?'))
    }

    /// Whether somebody drew this letter.
    #[cfg(test)]
    pub(super) fn has(&self, letter: char) -> bool {
        self.find(letter).is_some()
    }

    fn find(&self, letter: char) -> Option<&Glyph> {
        let found = self.glyphs.binary_search_by_key(&letter, |it| it.letter);
        self.glyphs.get(found.ok()?)
    }

    /// The rows of a glyph, its first column in the highest bit.
    pub(super) fn rows(&self, glyph: &Glyph) -> Rows {
        let packed = self.bits.get(usize::from(glyph.at)..);
        Rows::new(packed.unwrap_or_default(), glyph.width, glyph.height)
    }
}

include!(concat!(env!("OUT_DIR"), "/type.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_13_the_letters_of_all_languages_are_there_and_capitals_are_as_high_as_promised() {
        let languages = "AZaz09 ÄÖÜäöüß ÀÂÇÉÈÊËÎÏÔÛÙŒàâçéèêëîïôûùœ ËÏÉÓëïéó";
        for (face, capitals) in [(&SMALL, 18), (&NORMAL, 24), (&LARGE, 34)] {
            for letter in languages.chars() {
                assert!(face.has(letter), "{letter}");
            }
            let capital = face.glyph('H');
            let drawn = capital.map(|glyph| (u32::from(glyph.height), glyph.top));
            assert_eq!(drawn, Some((capitals, 0)));
        }
        // 400 pixels are 58.8 mm on the display: 3.5 mm in what is read, 5 mm in what East checks.
        let mm = |pixels: f64| pixels * 58.8 / 400.0;
        assert!(mm(24.0) > 3.5 && mm(34.0) > 4.99);
    }
}
