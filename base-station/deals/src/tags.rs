//! Cuts a PBN text into tags, each with its place and the lines of its section.
//!
//! Escape lines (`%`), comments (`;` to the end of the line, `{...}` over several) and the
//! auctions and plays between tags are passed over.

use super::error::{Place, Problem};

/// `[Name "value"]` and the section that follows it up to the next tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) value: String,
    /// Of the opening bracket.
    pub(super) place: Place,
    /// Of the value's first character.
    pub(super) value_place: Place,
    /// Lines between this tag and the next, without comments.
    pub(super) section: Vec<String>,
    /// An empty line stands before this tag: the usual sign of the next board.
    pub(super) after_gap: bool,
}

/// All tags of a file in order, or the place of what is not one.
pub(super) fn tags(text: &str) -> Result<Vec<Tag>, (Place, Problem)> {
    let mut reader = Reader::new(text);
    let mut tags: Vec<Tag> = Vec::new();
    let mut rest = String::new();
    let mut gap = false;
    loop {
        let at_line_start = reader.place.column == 1;
        match reader.peek() {
            None => break,
            Some('%') if at_line_start => reader.skip_line(),
            Some(';') => reader.skip_line(),
            Some('{') => reader.skip_braces()?,
            Some('\n') => {
                gap |= at_line_start;
                end_line(&mut rest, tags.last_mut());
                reader.next();
            }
            // A section such as the auction may hold anything, but a tag begins a line.
            Some('[') if rest.trim().is_empty() => {
                let mut tag = reader.tag()?;
                tag.after_gap = std::mem::take(&mut gap);
                tags.push(tag);
            }
            Some(letter) => {
                rest.push(letter);
                reader.next();
            }
        }
    }
    end_line(&mut rest, tags.last_mut());
    Ok(tags)
}

fn end_line(rest: &mut String, tag: Option<&mut Tag>) {
    let line = std::mem::take(rest);
    if let Some(tag) = tag
        && !line.trim().is_empty()
    {
        tag.section.push(line.trim().to_owned());
    }
}

struct Reader<'a> {
    letters: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            letters: text.chars().peekable(),
            place: Place { line: 1, column: 1 },
        }
    }

    /// The next character with every kind of line end made `\n`.
    fn peek(&mut self) -> Option<char> {
        match self.letters.peek() {
            Some('\r') => {
                let mut after = self.letters.clone();
                after.next();
                if after.peek() == Some(&'\n') {
                    self.letters.next();
                }
                Some('\n')
            }
            letter => letter.copied(),
        }
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.letters.next();
        if letter == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(letter)
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|letter| letter != '\n') {
            self.next();
        }
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn skip_braces(&mut self) -> Result<(), (Place, Problem)> {
        let start = self.place;
        while let Some(letter) = self.next() {
            if letter == '}' {
                return Ok(());
            }
        }
        Err((start, Problem::OpenComment))
    }

    fn tag(&mut self) -> Result<Tag, (Place, Problem)> {
        let place = self.place;
        self.next();
        self.skip_space();
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(|l| l.is_alphanumeric() || *l == '_') {
            name.push(letter);
            self.next();
        }
        self.skip_space();
        match self.peek() {
            None => return Err((place, Problem::CutShort)),
            Some('"') if !name.is_empty() => self.next(),
            Some(_) => return Err((place, Problem::BadTag)),
        };
        let value_place = self.place;
        let value = self.value(place)?;
        self.skip_space();
        match self.next() {
            Some(']') => {}
            None => return Err((place, Problem::CutShort)),
            Some(_) => return Err((place, Problem::BadTag)),
        }
        Ok(Tag {
            name,
            value,
            place,
            value_place,
            section: Vec::new(),
            after_gap: false,
        })
    }

    /// The text up to the closing quote. It ends in its line, so that a forgotten quote is
    /// reported where it was forgotten.
    fn value(&mut self, tag: Place) -> Result<String, (Place, Problem)> {
        let mut value = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(value),
                Some('\\') if self.peek() == Some('"') => value.extend(self.next()),
                Some('\n') => return Err((tag, Problem::BadTag)),
                Some(letter) => value.push(letter),
                None => return Err((tag, Problem::CutShort)),
            }
        }
    }
}
