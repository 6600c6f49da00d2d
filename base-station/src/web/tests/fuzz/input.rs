//! Requests made from the interface's description: perfect ones, and each with something wrong.

use std::fmt;

use axum::body::Bytes;
use axum::http::Method;
use fastrand::Rng;
use serde_json::{Map, Value, json};

/// The interface as it describes itself.
pub(super) struct Description {
    document: Value,
    pub(super) endpoints: Vec<Endpoint>,
}

/// A path with a method.
pub(super) struct Endpoint {
    pub(super) path: String,
    pub(super) method: Method,
    operation: Value,
}

/// A request.
pub(super) struct Spoilt {
    pub(super) place: String,
    pub(super) body: Bytes,
    /// What is wrong with it.
    what: String,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl fmt::Display for Spoilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        write!(f, "({}) {} {body:.200}", self.what, self.place)
    }
}

/// Texts that people paste and machines stumble over.
const ODD_TEXTS: [&str; 14] = [
    "",
    " ",
    "\u{0}",
    "\u{202E}4S\u{202C}",
    "🂡🂱🃁🃑",
    "e\u{301}\u{301}\u{301}\u{301}",
    "\u{FEFF}A1",
    "A1\n\r\t",
    "'; DROP TABLE journal; --",
    "<script>alert(1)</script>",
    "../../../etc/passwd",
    "%00%FF",
    "٤♠",
    "NaN",
];

/// Names in the address that name nothing.
const BAD_NAMES: [&str; 8] = [
    "Z99",
    "0",
    "-1",
    "%00",
    "%F0%9F%82%A1",
    "99999999999999999999",
    "A1%2F..%2F",
    "%20",
];

impl Description {
    pub(super) fn read(openapi: &utoipa::openapi::OpenApi) -> Self {
        let document = serde_json::to_value(openapi).expect("a description");
        let paths = document["paths"].as_object().expect("paths");
        let endpoints = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods");
            methods.iter().map(|(method, operation)| Endpoint {
                path: path.clone(),
                method: method.to_uppercase().parse().expect("a method"),
                operation: operation.clone(),
            })
        });
        Self {
            endpoints: endpoints.collect(),
            document,
        }
    }

    /// A request that fits the description.
    pub(super) fn perfect(&self, endpoint: &Endpoint, rng: &mut Rng) -> Spoilt {
        let body = body_schema(endpoint).map(|schema| self.fitting(schema, rng));
        Spoilt {
            place: self.place(endpoint, rng),
            body: body.map_or_else(Bytes::new, |body| body.to_string().into()),
            what: "perfect".to_owned(),
        }
    }

    /// Requests that do not fit the description.
    pub(super) fn surely_bad(
        &self,
        endpoint: &Endpoint,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<Spoilt> {
        let mut bad = Vec::new();
        if let Some(schema) = body_schema(endpoint) {
            bad.extend(self.bad_bodies(endpoint, schema, count, rng));
        }
        for parameter in parameters(endpoint, "path") {
            let is_number = self.is_number(&parameter["schema"]);
            let names = BAD_NAMES.iter().filter(|name| is_number || **name != "0");
            bad.extend(names.map(|name| {
                let wanted = parameter["name"].as_str().unwrap_or_default();
                let spoilt = endpoint.path.replace(&format!("{{{wanted}}}"), name);
                Spoilt {
                    place: self.filled(&spoilt, endpoint, rng),
                    body: self.perfect(endpoint, rng).body,
                    what: format!("{wanted} is {name}"),
                }
            }));
        }
        for parameter in parameters(endpoint, "query") {
            if self.is_number(&parameter["schema"]) {
                let name = parameter["name"].as_str().unwrap_or_default();
                let place = format!("{}?{name}=many", self.filled(&endpoint.path, endpoint, rng));
                bad.push(Spoilt {
                    place,
                    body: Bytes::new(),
                    what: format!("{name} is a word"),
                });
            }
        }
        bad
    }

    /// Bodies that are not what the schema says: the usual nonsense, then one thing wrong each.
    fn bad_bodies(
        &self,
        endpoint: &Endpoint,
        schema: &Value,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<Spoilt> {
        let nonsense: [(&str, Bytes); 9] = [
            ("nothing", Bytes::new()),
            ("half of it", Bytes::from_static(b"{")),
            ("null", Bytes::from_static(b"null")),
            ("a list", Bytes::from_static(b"[[]]")),
            ("a text", Bytes::from_static(b"\"text\"")),
            ("a number", Bytes::from_static(b"-1e999")),
            ("very deep", "[".repeat(50_000).into()),
            (
                "no letters",
                Bytes::from_static(b"{\"\xFF\xFE\": \"\xC0\"}"),
            ),
            (
                "too long",
                format!("{{\"x\": \"{}\"}}", "x".repeat(3 << 20)).into(),
            ),
        ];
        let place = self.place(endpoint, rng);
        let mut bad: Vec<Spoilt> = nonsense
            .into_iter()
            .map(|(what, body)| Spoilt {
                place: place.clone(),
                body,
                what: what.to_owned(),
            })
            .collect();
        for _ in 0..count {
            let mut body = self.fitting(schema, rng);
            if let Some(what) = self.spoil(schema, &mut body, rng) {
                bad.push(Spoilt {
                    place: self.place(endpoint, rng),
                    body: body.to_string().into(),
                    what,
                });
            }
        }
        bad
    }

    /// Makes one property of an object wrong, and says how.
    fn spoil(&self, schema: &Value, body: &mut Value, rng: &mut Rng) -> Option<String> {
        let schema = self.chosen(schema, body);
        let body = body.as_object_mut()?;
        let properties = properties_of(&schema);
        let required = required_of(&schema);
        let there: Vec<String> = body
            .keys()
            .filter(|key| properties.contains_key(*key))
            .cloned()
            .collect();
        let name = rng.choice(there)?;
        let property = properties.get(&name)?.clone();
        let inner = self.chosen(&property, body.get(&name)?);
        if rng.bool() && !properties_of(&inner).is_empty() {
            let what = self.spoil(&property, body.get_mut(&name)?, rng)?;
            return Some(format!("in {name}: {what}"));
        }
        if required.contains(&name) && rng.u8(..4) == 0 {
            body.remove(&name);
            return Some(format!("no {name}"));
        }
        let wrong = wrong_for(&inner, rng)?;
        let what = format!("{name} is {}", shortened(&wrong));
        body.insert(name, wrong);
        Some(what)
    }

    /// Requests that fit, with values that nobody expects.
    pub(super) fn odd(&self, endpoint: &Endpoint, count: usize, rng: &mut Rng) -> Vec<Spoilt> {
        let mut odd = Vec::new();
        for _ in 0..count {
            let mut request = self.perfect(endpoint, rng);
            if let Some(schema) = body_schema(endpoint) {
                let mut body = self.fitting(schema, rng);
                make_odd(&mut body, rng);
                request.body = body.to_string().into();
            } else if let Some(parameter) = parameters(endpoint, "query").next() {
                let name = parameter["name"].as_str().unwrap_or_default();
                let value = rng.choice(BAD_NAMES).unwrap_or_default();
                request.place = format!("{}?{name}={value}", request.place);
            }
            "odd".clone_into(&mut request.what);
            odd.push(request);
        }
        odd
    }

    fn place(&self, endpoint: &Endpoint, rng: &mut Rng) -> String {
        self.filled(&endpoint.path, endpoint, rng)
    }

    /// The address with something fitting for every name that is still open in it.
    fn filled(&self, path: &str, endpoint: &Endpoint, rng: &mut Rng) -> String {
        let parameters = parameters(endpoint, "path");
        parameters.fold(path.to_owned(), |path, parameter| {
            let name = parameter["name"].as_str().unwrap_or_default();
            let value = match &parameter["example"] {
                Value::Null => self.fitting(&parameter["schema"], rng),
                example => example.clone(),
            };
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            path.replace(&format!("{{{name}}}"), &value.replace(' ', "%20"))
        })
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(place) => self
                .document
                .pointer(place.trim_start_matches('#'))
                .expect("it is there"),
            None => schema,
        }
    }

    /// The schema that a value was made for, one variant chosen and all parts together.
    fn chosen(&self, schema: &Value, value: &Value) -> Value {
        let schema = self.resolved(schema);
        for several in ["oneOf", "anyOf"] {
            if let Some(variants) = schema[several].as_array() {
                let fits = |variant: &&Value| {
                    let variant = self.chosen(variant, value);
                    let properties = properties_of(&variant);
                    match value {
                        Value::Object(value) => {
                            required_of(&variant)
                                .iter()
                                .all(|name| value.contains_key(name))
                                && value.iter().all(|(name, value)| {
                                    properties.get(name).is_some_and(|property| {
                                        property["enum"]
                                            .as_array()
                                            .is_none_or(|it| it.contains(value))
                                    })
                                })
                        }
                        value => variant["enum"]
                            .as_array()
                            .is_some_and(|it| it.contains(value)),
                    }
                };
                let variant = variants.iter().find(fits).or(variants.last());
                return variant.map_or(Value::Null, |variant| self.chosen(variant, value));
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let mut whole = json!({"type": "object", "properties": {}, "required": []});
            for part in parts {
                let part = self.chosen(part, value);
                let properties = whole["properties"].as_object_mut().expect("made above");
                properties.extend(properties_of(&part));
                let required = whole["required"].as_array_mut().expect("made above");
                required.extend(required_of(&part).into_iter().map(Value::String));
            }
            return whole;
        }
        schema.clone()
    }

    fn is_number(&self, schema: &Value) -> bool {
        types(self.resolved(schema)).contains(&"integer")
    }

    /// Something that fits a schema.
    fn fitting(&self, schema: &Value, rng: &mut Rng) -> Value {
        let schema = self.resolved(schema);
        for several in ["oneOf", "anyOf"] {
            if let Some(variants) = schema[several].as_array() {
                let real: Vec<_> = variants.iter().filter(|it| it["type"] != "null").collect();
                return rng
                    .choice(real)
                    .map_or(Value::Null, |it| self.fitting(it, rng));
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let parts = parts.iter().map(|part| self.fitting(part, rng));
            let objects = parts.filter_map(|part| part.as_object().cloned());
            return Value::Object(objects.flatten().collect());
        }
        if let Some(values) = schema["enum"].as_array() {
            return rng.choice(values).cloned().unwrap_or_default();
        }
        if let Some(example) = schema.get("example") {
            return example.clone();
        }
        match types(schema).first().copied() {
            Some("integer" | "number") => json!(rng.u8(1..4)),
            Some("boolean") => json!(rng.bool()),
            Some("string") => json!(rng.choice(["A1", "Anna", "60", "lead out of turn"])),
            Some("array") => json!([self.fitting(&schema["items"], rng)]),
            Some("object") => {
                let required = required_of(schema);
                let chosen = properties_of(schema).into_iter();
                let chosen = chosen.filter(|(name, _)| required.contains(name) || rng.bool());
                let chosen: Vec<_> = chosen.collect();
                let made = chosen
                    .into_iter()
                    .map(|(name, it)| (name, self.fitting(&it, rng)));
                Value::Object(made.collect())
            }
            _ => Value::Null,
        }
    }
}

fn body_schema(endpoint: &Endpoint) -> Option<&Value> {
    endpoint.operation["requestBody"]["content"]["application/json"].get("schema")
}

fn parameters<'a>(endpoint: &'a Endpoint, place: &'a str) -> impl Iterator<Item = &'a Value> {
    let all = endpoint.operation["parameters"].as_array();
    all.into_iter()
        .flatten()
        .filter(move |it| it["in"] == place)
}

fn properties_of(schema: &Value) -> Map<String, Value> {
    schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default()
}

fn required_of(schema: &Value) -> Vec<String> {
    let names = schema["required"].as_array().into_iter().flatten();
    names
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}

/// The types that a schema allows.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A value of another type, or beyond what the type can hold.
fn wrong_for(schema: &Value, rng: &mut Rng) -> Option<Value> {
    let all = [
        json!({"of": {"no": "use"}}),
        json!([[["deep"]]]),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!("\u{0}🂡 seven"),
    ];
    let types = types(schema);
    let is_wrong = |value: &Value| match value {
        Value::Object(_) => !types.contains(&"object"),
        Value::Array(_) => !types.contains(&"array") && !types.contains(&"object"),
        Value::Bool(_) => !types.contains(&"boolean"),
        // Numbers here are for counting: those below, between and beyond are wrong as well.
        Value::Number(number) => {
            !types.contains(&"integer")
                || (number.as_u64().is_none() && number.as_i64() != Some(-1))
                || (number.as_i64() == Some(-1)
                    && schema["minimum"].as_i64().is_some_and(|it| it >= 0))
                || (number.as_u64() == Some(u64::MAX) && schema["format"] != "int64")
        }
        Value::String(text) => {
            let known = schema["enum"].as_array();
            !types.contains(&"string") || known.is_some_and(|it| !it.contains(&json!(text)))
        }
        Value::Null => false,
    };
    // A schema without a type is free: nothing is surely wrong for it.
    let wrong = all
        .into_iter()
        .filter(|value| !types.is_empty() && is_wrong(value));
    rng.choice(wrong.collect::<Vec<_>>())
}

/// Replaces one value somewhere by one of the same type that nobody expects.
fn make_odd(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Object(object) => {
            let all: Vec<_> = object.values_mut().collect();
            if let Some(inner) = rng.choice(all) {
                make_odd(inner, rng);
            }
        }
        Value::Array(items) => match rng.u8(..3) {
            0 => items.clear(),
            1 => {
                *items = items
                    .iter()
                    .cycle()
                    .take(2_000 * items.len().min(1))
                    .cloned()
                    .collect();
            }
            _ => items.iter_mut().for_each(|item| make_odd(item, rng)),
        },
        Value::String(text) => {
            *text = match rng.u8(..4) {
                0 => "8".repeat(rng.usize(1..100_000)),
                1 => "🂡".repeat(rng.usize(1..2_000)),
                _ => (*rng.choice(&ODD_TEXTS).unwrap_or(&"")).to_owned(),
            };
        }
        Value::Number(_) => {
            let odd = [
                0,
                1,
                127,
                128,
                255,
                256,
                65_535,
                65_536,
                u64::from(u32::MAX),
                u64::MAX,
            ];
            *value = json!(rng.choice(odd));
        }
        Value::Bool(_) | Value::Null => *value = json!(rng.bool()),
    }
}

fn shortened(value: &Value) -> String {
    format!("{:.40}", value.to_string())
}
