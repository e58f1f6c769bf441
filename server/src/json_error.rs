//! What is wrong with JSON that isn't as expected.

use serde_path_to_error::Error;

/// Says it by the name of the field; where it is within none, of `whole`, such as "the body is".
pub(crate) fn describe(error: &Error<serde_json::Error>, whole: &str) -> String {
    let inner = error.inner();
    match error.path().to_string().as_str() {
        // `?` where it can't be told.
        "." | "?" => format!("{whole} not as expected: {inner}"),
        field => format!("{field} is not as expected: {inner}"),
    }
}
