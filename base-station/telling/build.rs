//! Makes an enum of every group of messages in the English catalogue, so that the compiler knows
//! every message and its parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Message, Pattern, PatternElement};

/// Parts with these names are of these types in every message.
const TYPED: [(&str, &str); 5] = [
    ("seat", "protocol::words::Seat"),
    ("leader", "protocol::words::Seat"),
    ("contract", "protocol::words::Contract"),
    ("lead", "protocol::words::Card"),
    ("card", "protocol::words::Card"),
];

/// A message as it becomes a variant.
struct Variant {
    name: String,
    id: String,
    english: String,
    parts: BTreeMap<String, &'static str>,
}

fn main() {
    let catalogue = Path::new("lang/en.ftl");
    println!("cargo::rerun-if-changed=lang");
    println!("cargo::rerun-if-changed=build.rs");
    let source = std::fs::read_to_string(catalogue).expect("the English catalogue");
    let resource = match fluent_syntax::parser::parse(source.as_str()) {
        Ok(resource) => resource,
        Err((_, faults)) => panic!("{}: {faults:?}", catalogue.display()),
    };
    let mut groups: BTreeMap<String, Vec<Variant>> = BTreeMap::new();
    for entry in &resource.body {
        if let Entry::Message(message) = entry
            && let Some((group, variant)) = variant_of(message)
        {
            groups.entry(group).or_default().push(variant);
        }
    }
    let mut code = String::new();
    for (group, variants) in &groups {
        write_group(&mut code, group, variants);
    }
    let to = std::env::var_os("OUT_DIR").expect("cargo says where to");
    std::fs::write(Path::new(&to).join("messages.rs"), code).expect("writable");
}

/// `refused-no-such-table` is `Refused::NoSuchTable`; the page's own texts (`no_such_table`) are
/// only known to the page and the sheets.
fn variant_of(message: &Message<&str>) -> Option<(String, Variant)> {
    let id = message.id.name;
    let at = id.find(['-', '_'])?;
    let (group, rest) = id.split_at(at);
    let rest = rest.strip_prefix('-')?;
    let mut parts = BTreeMap::new();
    let pattern = message.value.as_ref()?;
    let mut names = (BTreeSet::new(), BTreeSet::new());
    gather(pattern, &mut names);
    for name in names.0 {
        let typed = TYPED.iter().find(|(known, _)| *known == name);
        let of = if names.1.contains(&name) {
            "crate::Count"
        } else {
            typed.map_or("crate::Part", |(_, of)| of)
        };
        parts.insert(name, of);
    }
    let variant = Variant {
        name: camel(rest),
        id: id.to_owned(),
        english: flat(pattern),
        parts,
    };
    Some((camel(group), variant))
}

/// All parts, and those that choose between forms.
fn gather(pattern: &Pattern<&str>, names: &mut (BTreeSet<String>, BTreeSet<String>)) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                names.0.insert(id.name.to_owned());
            }
            Expression::Inline(_) => {}
            Expression::Select { selector, variants } => {
                if let InlineExpression::VariableReference { id } = selector {
                    names.0.insert(id.name.to_owned());
                    names.1.insert(id.name.to_owned());
                }
                for variant in variants {
                    gather(&variant.value, names);
                }
            }
        }
    }
}

/// The text for a comment.
fn flat(pattern: &Pattern<&str>) -> String {
    let mut text = String::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => text.push_str(value),
            PatternElement::Placeable { expression } => match expression {
                Expression::Inline(InlineExpression::VariableReference { id }) => {
                    let _ = write!(text, "`{}`", id.name);
                }
                Expression::Inline(_) => text.push('…'),
                Expression::Select { variants, .. } => {
                    if let Some(last) = variants.last() {
                        text.push_str(&flat(&last.value));
                    }
                }
            },
        }
    }
    text.replace(['\n', '\r'], " ").replace(['[', ']'], "|")
}

fn camel(text: &str) -> String {
    text.split('-')
        .flat_map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters)
        })
        .collect()
}

fn write_group(code: &mut String, group: &str, variants: &[Variant]) {
    let _ = writeln!(
        code,
        "/// The messages `{}-…`.\n#[derive(Clone, Debug, PartialEq, Eq, Hash)]\npub enum {group} {{",
        group.to_lowercase()
    );
    for variant in variants {
        let _ = writeln!(code, "    /// {}", variant.english);
        if variant.parts.is_empty() {
            let _ = writeln!(code, "    {},", variant.name);
            continue;
        }
        let _ = writeln!(code, "    {} {{", variant.name);
        for (name, of) in &variant.parts {
            let _ = writeln!(code, "        /// `{name}`\n        {name}: {of},");
        }
        let _ = writeln!(code, "    }},");
    }
    let _ = writeln!(
        code,
        "}}\n\nimpl From<{group}> for crate::Told {{\n    fn from(message: {group}) -> Self {{\n        match message {{"
    );
    for variant in variants {
        let names: Vec<&str> = variant.parts.keys().map(String::as_str).collect();
        let fields = if names.is_empty() {
            String::new()
        } else {
            format!(" {{ {} }}", names.join(", "))
        };
        let parts: Vec<String> = names
            .iter()
            .map(|name| format!("(\"{name}\", {name}.into())"))
            .collect();
        let _ = writeln!(
            code,
            "            {group}::{}{fields} => Self::message(\"{}\", vec![{}]),",
            variant.name,
            variant.id,
            parts.join(", ")
        );
    }
    let _ = writeln!(code, "        }}\n    }}\n}}\n");
}
