//! A sheet's markup as a tree. It is our own, so that it is as well-formed as XML but for `<br>`.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::PdfError;

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Text(String),
    Element(Element),
}

/// An element with what is in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Element {
    pub(super) name: String,
    attributes: BTreeMap<String, String>,
    pub(super) children: Vec<Node>,
}

impl Element {
    /// Whether it has this class.
    pub(super) fn is(&self, class: &str) -> bool {
        let classes = self.attribute("class").unwrap_or_default();
        classes.split_whitespace().any(|own| own == class)
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    /// A number among its attributes; 0 where there is none.
    pub(super) fn number(&self, name: &str) -> f32 {
        let text = self.attribute(name).unwrap_or_default();
        text.parse().unwrap_or_default()
    }

    /// Its children without the text between them.
    pub(super) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// All text in it.
    pub(super) fn text(&self) -> String {
        let texts = self.children.iter().map(|child| match child {
            Node::Text(text) => text.clone(),
            Node::Element(element) => element.text(),
        });
        texts.collect()
    }
}

/// Reads markup.
pub(super) fn parse(markup: &str) -> Result<Element, PdfError> {
    let markup = markup.replace("<br>", "<br/>");
    let mut reader = Reader::from_str(&markup);
    let mut open = vec![Element::default()];
    loop {
        let event = reader.read_event().map_err(PdfError::markup)?;
        let child = match event {
            Event::Start(start) => {
                open.push(element(&start)?);
                continue;
            }
            Event::Empty(start) => Node::Element(element(&start)?),
            Event::End(_) => match open.pop() {
                Some(done) => Node::Element(done),
                None => continue,
            },
            Event::Text(text) => Node::Text(text.decode().map_err(PdfError::markup)?.into_owned()),
            Event::GeneralRef(name) => {
                let name = name.decode().map_err(PdfError::markup)?;
                let letter = quick_xml::escape::unescape(&format!("&{name};"))
                    .map_err(PdfError::markup)?
                    .into_owned();
                Node::Text(letter)
            }
            Event::Eof => break,
            Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => continue,
        };
        if let Some(parent) = open.last_mut() {
            parent.children.push(child);
        }
    }
    open.into_iter()
        .next()
        .ok_or_else(|| PdfError::markup("an end without a beginning"))
}

fn element(start: &BytesStart<'_>) -> Result<Element, PdfError> {
    let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
    let mut attributes = BTreeMap::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(PdfError::markup)?;
        let value = attribute.unescape_value().map_err(PdfError::markup)?;
        let name = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        attributes.insert(name, value.into_owned());
    }
    Ok(Element {
        name,
        attributes,
        children: Vec::new(),
    })
}
