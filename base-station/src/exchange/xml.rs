//! A little help for writing XML without a line too many.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// XML on its way.
pub(super) struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    /// With the usual first line, and the document type where there is one.
    pub(super) fn new(doctype: Option<&str>) -> io::Result<Self> {
        let mut writer = Writer::new(Vec::new());
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        if let Some(doctype) = doctype {
            writer.write_event(Event::DocType(BytesText::from_escaped(doctype)))?;
        }
        Ok(Self { writer })
    }

    /// Opens an element, writes what is in it, closes it.
    pub(super) fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        inside: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.line()?;
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.writer.write_event(Event::Start(start))?;
        inside(self)?;
        self.line()?;
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// An element with a text and nothing else.
    pub(super) fn leaf(&mut self, name: &str, text: impl AsRef<str>) -> io::Result<()> {
        self.line()?;
        self.writer
            .write_event(Event::Start(BytesStart::new(name)))?;
        let text = printable(text.as_ref());
        self.writer
            .write_event(Event::Text(BytesText::new(&text)))?;
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// An element with attributes and nothing else.
    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        self.line()?;
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.writer.write_event(Event::Empty(start))
    }

    pub(super) fn done(mut self) -> io::Result<Vec<u8>> {
        self.line()?;
        Ok(self.writer.into_inner())
    }

    /// Between elements, never inside a value.
    fn line(&mut self) -> io::Result<()> {
        self.writer.write_event(Event::Text(BytesText::new("\n")))
    }
}

/// XML has no way to write most control characters.
fn printable(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}
