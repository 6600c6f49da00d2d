//! The refusals that every request can meet, written into the description once instead of beside
//! every handler: who asks, how often, in what form.

use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, ResponseBuilder};

/// Anybody may be told these.
const ALWAYS: [(u16, &str); 3] = [
    (401, "Sign in first"),
    (
        403,
        "The page is stale or somebody else's, or the address is not the one that was printed",
    ),
    (429, "Too many in too short a time"),
];

/// Whoever sends a body.
const WITH_BODY: [(u16, &str); 6] = [
    (400, "It can't be read, or says something impossible"),
    (408, "It took too long to arrive"),
    (409, "It can't be done as things stand"),
    (413, "It is too long"),
    (415, "It is not JSON by its content type"),
    (422, "It does not say what is needed"),
];

/// Whoever names something in the address.
const WITH_NAME: [(u16, &str); 2] = [(400, "The name can't be read"), (404, "There is none")];

/// Whoever asks for a part.
const WITH_QUERY: [(u16, &str); 1] = [(400, "What stands behind the question mark can't be read")];

/// Everything else depends on the evening.
const AS_THINGS_STAND: [(u16, &str); 1] = [(409, "There is no session yet, or not in that state")];

/// Adds what is missing.
pub(super) fn complete(description: &mut OpenApi) {
    for item in description.paths.paths.values_mut() {
        for operation in operations(item) {
            complete_one(operation);
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut item.get,
        &mut item.put,
        &mut item.post,
        &mut item.delete,
    ]
    .into_iter()
    .flatten()
}

fn complete_one(operation: &mut Operation) {
    let places: Vec<ParameterIn> = operation
        .parameters
        .iter()
        .flatten()
        .filter_map(|parameter| match parameter {
            RefOr::T(parameter) => Some(parameter.parameter_in.clone()),
            RefOr::Ref(_) => None,
        })
        .collect();
    let mut refusals = ALWAYS.to_vec();
    refusals.extend(AS_THINGS_STAND);
    if operation.request_body.is_some() {
        refusals.extend(WITH_BODY);
    }
    if places.contains(&ParameterIn::Path) {
        refusals.extend(WITH_NAME);
    }
    if places
        .iter()
        .any(|place| matches!(place, ParameterIn::Query | ParameterIn::Header))
    {
        refusals.extend(WITH_QUERY);
    }
    for (status, why) in refusals {
        let responses = &mut operation.responses.responses;
        responses
            .entry(status.to_string())
            .or_insert_with(|| RefOr::T(refusal(why)));
    }
}

fn refusal(why: &str) -> Response {
    let body = Content::new(Some(Ref::from_schema_name("ProblemBody")));
    ResponseBuilder::new()
        .description(why)
        .content("application/json", body)
        .build()
}
