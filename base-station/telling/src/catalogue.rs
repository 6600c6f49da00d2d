//! The catalogue of a language.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey,
};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::Language;
use crate::language::{identifier, source};

/// All texts of a language.
pub struct Catalogue {
    language: Language,
    bundle: FluentBundle<Arc<FluentResource>>,
    resource: Arc<FluentResource>,
    /// Those that have no parts, ready to be shown.
    plain: BTreeMap<String, String>,
}

/// What a message is made of: two languages must agree on the parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The names of its parts.
    pub parts: BTreeSet<String>,
    /// The parts that choose between forms, and the forms there are.
    pub forms: BTreeMap<String, BTreeSet<String>>,
}

/// A text for the page.
enum PageText {
    Plain(String),
    /// Which number chooses, and the text of every form.
    Forms(String, BTreeMap<String, String>),
}

impl Serialize for PageText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(text) => serializer.serialize_str(text),
            Self::Forms(by, forms) => {
                let mut map = serializer.serialize_map(Some(forms.len() + 1))?;
                map.serialize_entry("by", by)?;
                for (form, text) in forms {
                    map.serialize_entry(form, text)?;
                }
                map.end()
            }
        }
    }
}

impl Catalogue {
    /// The catalogue of a language.
    pub fn of(language: Language) -> &'static Self {
        static ALL: LazyLock<Vec<Catalogue>> =
            LazyLock::new(|| Language::ALL.into_iter().map(Catalogue::read).collect());
        let place = Language::ALL.iter().position(|known| *known == language);
        // Every language is in `ALL`, as a test shows.
        &ALL[place.unwrap_or_default()]
    }

    fn read(language: Language) -> Self {
        // What can't be read is left out here; a test reads every catalogue to its end.
        let resource = match FluentResource::try_new(source(language).to_owned()) {
            Ok(resource) | Err((resource, _)) => Arc::new(resource),
        };
        let mut bundle = FluentBundle::new_concurrent(vec![identifier(language)]);
        bundle.set_use_isolating(false);
        let _ = bundle.add_resource(Arc::clone(&resource));
        let plain = messages(&resource)
            .filter(|(_, pattern)| shape_of(pattern).parts.is_empty())
            .map(|(id, pattern)| {
                let text = bundle.format_pattern(pattern, None, &mut Vec::new());
                (id.to_owned(), text.into_owned())
            })
            .collect();
        Self {
            language,
            bundle,
            resource,
            plain,
        }
    }

    /// Which language it is.
    pub const fn language(&self) -> Language {
        self.language
    }

    /// A text without parts; its name where there is none.
    pub fn text<'a>(&'a self, id: &'a str) -> &'a str {
        self.plain.get(id).map_or(id, String::as_str)
    }

    /// A text with its parts filled in; its name where there is none.
    pub fn with(&self, id: &str, parts: &[(&str, &dyn std::fmt::Display)]) -> String {
        self.filled(
            id,
            parts.iter().map(|(name, part)| {
                let written = part.to_string();
                let number = written.parse::<i64>().map(FluentValue::from);
                (*name, number.unwrap_or_else(|_| FluentValue::from(written)))
            }),
        )
    }

    pub(crate) fn filled<'a>(
        &self,
        id: &str,
        parts: impl Iterator<Item = (&'a str, FluentValue<'static>)>,
    ) -> String {
        let Some(pattern) = self.bundle.get_message(id).and_then(|it| it.value()) else {
            return id.to_owned();
        };
        let mut args = FluentArgs::new();
        for (name, value) in parts {
            args.set(name, value);
        }
        let mut faults = Vec::new();
        let text = self
            .bundle
            .format_pattern(pattern, Some(&args), &mut faults);
        text.into_owned()
    }

    /// The names of all texts.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        messages(&self.resource).map(|(id, _)| id)
    }

    /// What every message is made of.
    pub fn shapes(&self) -> BTreeMap<&str, Shape> {
        messages(&self.resource)
            .map(|(id, pattern)| (id, shape_of(pattern)))
            .collect()
    }

    /// What the file has that is no message, as it is written: nothing, if it is sound.
    pub fn unreadable(&self) -> Vec<&str> {
        let entries = self.resource.entries();
        entries
            .filter_map(|entry| match entry {
                Entry::Junk { content } => Some(*content),
                _ => None,
            })
            .collect()
    }

    /// The texts of the page itself: a text with its `{parts}`, or one for every plural form.
    pub fn for_the_page(&self) -> impl Serialize {
        let own = messages(&self.resource).filter(|(id, _)| is_the_pages(id));
        own.map(|(id, pattern)| (id, page_text(pattern)))
            .collect::<BTreeMap<_, _>>()
    }
}

/// `no_such_table` is a text of the page, `refused-no-such-table` a message of the base.
fn is_the_pages(id: &str) -> bool {
    id.find(['-', '_'])
        .is_none_or(|at| id.get(at..).is_some_and(|rest| rest.starts_with('_')))
}

pub(crate) fn messages(resource: &FluentResource) -> impl Iterator<Item = (&str, &Pattern<&str>)> {
    resource.entries().filter_map(|entry| match entry {
        Entry::Message(message) => Some((message.id.name, message.value.as_ref()?)),
        _ => None,
    })
}

const fn form_of<'a>(variant: &'a Variant<&'a str>) -> &'a str {
    match &variant.key {
        VariantKey::Identifier { name } => name,
        VariantKey::NumberLiteral { value } => value,
    }
}

fn shape_of(pattern: &Pattern<&str>) -> Shape {
    let mut shape = Shape::default();
    gather(pattern, &mut shape);
    shape
}

fn gather(pattern: &Pattern<&str>, shape: &mut Shape) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                shape.parts.insert(id.name.to_owned());
            }
            Expression::Inline(_) => {}
            Expression::Select { selector, variants } => {
                if let InlineExpression::VariableReference { id } = selector {
                    shape.parts.insert(id.name.to_owned());
                    let forms = shape.forms.entry(id.name.to_owned()).or_default();
                    forms.extend(variants.iter().map(|it| form_of(it).to_owned()));
                }
                for variant in variants {
                    gather(&variant.value, shape);
                }
            }
        }
    }
}

fn page_text(pattern: &Pattern<&str>) -> PageText {
    let mut chosen = None;
    for element in &pattern.elements {
        if let PatternElement::Placeable {
            expression:
                Expression::Select {
                    selector: InlineExpression::VariableReference { id },
                    variants,
                },
        } = element
        {
            chosen = Some((id.name.to_owned(), variants));
        }
    }
    match chosen {
        None => PageText::Plain(written(pattern, None)),
        Some((by, variants)) => {
            let forms = variants.iter().map(|it| {
                let form = form_of(it);
                (form.to_owned(), written(pattern, Some(form)))
            });
            PageText::Forms(by, forms.collect())
        }
    }
}

/// The text with `{parts}`, in one of its forms.
fn written(pattern: &Pattern<&str>, form: Option<&str>) -> String {
    let pieces = pattern.elements.iter().map(|element| match element {
        PatternElement::TextElement { value } => (*value).to_owned(),
        PatternElement::Placeable { expression } => match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                format!("{{{}}}", id.name)
            }
            Expression::Inline(InlineExpression::StringLiteral { value }) => (*value).to_owned(),
            Expression::Inline(_) => String::new(),
            Expression::Select { variants, .. } => variants
                .iter()
                .find(|variant| Some(form_of(variant)) == form)
                .map_or_else(String::new, |variant| written(&variant.value, form)),
        },
    });
    pieces.collect()
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Catalogue").field(&self.language).finish()
    }
}
