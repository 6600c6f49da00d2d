//! Letters: how wide they are, and where a line ends.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider as _};

use super::PdfError;

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

pub(super) const BLACK: Colour = [0x11, 0x11, 0x11];
pub(super) const QUIET: Colour = [0x55, 0x55, 0x55];
pub(super) const RED: Colour = [0xb3, 0x13, 0x0b];
pub(super) const PALE: Colour = [0xcc, 0xcc, 0xcc];

/// Between the feet of two lines, in sizes of their letters.
pub(super) const LEADING: f32 = 1.25;

/// How letters look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) colour: Colour,
    /// No line ends inside.
    pub(super) together: bool,
}

/// Letters between two places where a line may end, or a break that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// `spaced`: after a space; otherwise it sticks to what is before it.
    Word {
        text: String,
        style: Style,
        spaced: bool,
    },
    /// The sample of a line in a chart's key.
    Sample {
        width: f32,
        colour: Colour,
        dashes: Vec<f32>,
    },
    Break,
}

/// Letters at their place in a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) x: f32,
    pub(super) text: String,
    pub(super) style: Style,
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) spans: Vec<Span>,
    pub(super) samples: Vec<(f32, f32, Colour, Vec<f32>)>,
    pub(super) width: f32,
    pub(super) size: f32,
}

struct Face {
    font: Font,
    letters: Charmap<'static>,
    widths: GlyphMetrics<'static>,
}

impl Face {
    fn new(file: &'static [u8]) -> Option<Self> {
        let known = FontRef::new(file).ok()?;
        Some(Self {
            font: Font::new(file.into(), 0)?,
            letters: known.charmap(),
            // In parts of the letters' size.
            widths: known.glyph_metrics(Size::new(1.0), LocationRef::default()),
        })
    }
}

/// The letters of all sheets: `DejaVu` knows the suits and every alphabet of Europe.
pub(super) struct Faces {
    regular: Face,
    bold: Face,
}

impl Faces {
    pub(super) fn new() -> Result<Self, PdfError> {
        let regular = Face::new(dejavu::sans_condensed::regular());
        let bold = Face::new(dejavu::sans_condensed::bold());
        regular
            .zip(bold)
            .map(|(regular, bold)| Self { regular, bold })
            .ok_or(PdfError::Letters)
    }

    fn face(&self, style: Style) -> &Face {
        if style.bold {
            &self.bold
        } else {
            &self.regular
        }
    }

    pub(super) fn font(&self, style: Style) -> Font {
        self.face(style).font.clone()
    }

    /// The text as the printer wants it. Letters that nobody drew become an empty box.
    pub(super) fn glyphs(&self, text: &str, style: Style) -> Vec<KrillaGlyph> {
        let face = self.face(style);
        text.char_indices()
            .map(|(at, letter)| {
                let glyph = face.letters.map(letter).unwrap_or_default();
                let width = face.widths.advance_width(glyph).unwrap_or_default();
                let range = at..at + letter.len_utf8();
                let glyph = GlyphId::new(glyph.to_u32());
                KrillaGlyph::new(glyph, width, 0.0, 0.0, 0.0, range, None)
            })
            .collect()
    }

    pub(super) fn width(&self, text: &str, style: Style) -> f32 {
        let face = self.face(style);
        let widths = text.chars().map(|letter| {
            let glyph = face.letters.map(letter).unwrap_or_default();
            face.widths.advance_width(glyph).unwrap_or_default()
        });
        widths.sum::<f32>() * style.size
    }

    fn atom_width(&self, atom: &Atom) -> f32 {
        match atom {
            Atom::Word { text, style, .. } => self.width(text, *style),
            Atom::Sample { width, .. } => *width,
            Atom::Break => 0.0,
        }
    }

    /// The widest that can't be broken, and the whole on one line.
    pub(super) fn natural(&self, atoms: &[Atom]) -> (f32, f32) {
        let least = chunks(atoms).map(|chunk| self.chunk_width(chunk));
        let least = least.fold(0.0, f32::max);
        let whole = self.wrap(atoms, f32::INFINITY);
        (
            least,
            whole.iter().map(|line| line.width).fold(0.0, f32::max),
        )
    }

    /// What stays in one line, with the spaces inside.
    fn chunk_width(&self, chunk: &[Atom]) -> f32 {
        let letters: f32 = chunk.iter().map(|atom| self.atom_width(atom)).sum();
        let spaces = chunk.iter().skip(1).map(|atom| self.space_before(atom));
        letters + spaces.sum::<f32>()
    }

    fn space_before(&self, atom: &Atom) -> f32 {
        match atom {
            Atom::Word { style, spaced, .. } if *spaced => self.width(" ", *style),
            _ => 0.0,
        }
    }

    /// The lines of a text in so much room. A word that is wider is broken where the room ends.
    pub(super) fn wrap(&self, atoms: &[Atom], room: f32) -> Vec<Line> {
        let mut lines = vec![Line::default()];
        for chunk in chunks(atoms) {
            if chunk == [Atom::Break] {
                lines.push(Line::default());
                continue;
            }
            let width = self.chunk_width(chunk);
            if width > room {
                for letter in chunk.iter().flat_map(letters) {
                    let width = self.atom_width(&letter);
                    self.put(&mut lines, &[letter], width, room);
                }
            } else {
                self.put(&mut lines, chunk, width, room);
            }
        }
        lines
    }

    fn put(&self, lines: &mut Vec<Line>, chunk: &[Atom], width: f32, room: f32) {
        let space = chunk.first().map_or(0.0, |atom| self.space_before(atom));
        let full = |line: &Line| line.width > 0.0 && line.width + space + width > room + 0.01;
        if lines.last().is_some_and(full) {
            lines.push(Line::default());
        }
        let Some(line) = lines.last_mut() else { return };
        for atom in chunk {
            line.add(atom, self.atom_width(atom), self.space_before(atom));
        }
    }
}

impl Line {
    fn add(&mut self, atom: &Atom, width: f32, space: f32) {
        match atom {
            Atom::Word {
                text,
                style,
                spaced,
            } => {
                let spaced = *spaced && self.width > 0.0;
                let before = if spaced { space } else { 0.0 };
                match self.spans.last_mut() {
                    // One piece of text as long as it looks alike: so it is found and copied.
                    Some(last) if last.style == *style => {
                        if spaced {
                            last.text.push(' ');
                        }
                        last.text.push_str(text);
                    }
                    // A space stays part of the text for whoever copies it.
                    _ => self.spans.push(Span {
                        x: self.width,
                        text: if spaced {
                            format!(" {text}")
                        } else {
                            text.clone()
                        },
                        style: *style,
                    }),
                }
                self.width += before + width;
                self.size = self.size.max(style.size);
            }
            Atom::Sample {
                width,
                colour,
                dashes,
            } => {
                self.samples
                    .push((self.width, *width, *colour, dashes.clone()));
                self.width += width;
            }
            Atom::Break => {}
        }
    }
}

/// Atoms that stay in one line.
fn chunks(atoms: &[Atom]) -> impl Iterator<Item = &[Atom]> {
    let held = |atom: &Atom| matches!(atom, Atom::Word { style, .. } if style.together);
    atoms.chunk_by(move |one, next| match next {
        Atom::Word { spaced: false, .. } => *one != Atom::Break,
        Atom::Word { .. } => held(one) && held(next),
        Atom::Sample { .. } | Atom::Break => false,
    })
}

fn letters(atom: &Atom) -> Vec<Atom> {
    let Atom::Word {
        text,
        style,
        spaced,
    } = atom
    else {
        return vec![atom.clone()];
    };
    let each = text.chars().enumerate().map(|(at, letter)| Atom::Word {
        text: letter.to_string(),
        style: *style,
        spaced: *spaced && at == 0,
    });
    each.collect()
}
