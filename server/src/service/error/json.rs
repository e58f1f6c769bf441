//! Messages for JSON that doesn't have the expected form.

use serde_path_to_error::Error;

/// Describes an error by the path of the field.
/// An error outside of a field is about `whole`, such as "the body is".
pub(crate) fn describe(error: &Error<serde_json::Error>, whole: &str) -> String {
    let inner = error.inner();
    match error.path().to_string().as_str() {
        // `?` stands for an unknown path.
        "." | "?" => format!("{whole} not as expected: {inner}"),
        field => format!("{field} is not as expected: {inner}"),
    }
}
