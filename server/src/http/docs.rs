//! The OpenAPI document as what the page `/docs` shows.

use app::pages::{Answer, Field, Operation, Reference};
use serde_json::{Map, Value};
use utoipa::openapi::OpenApi as Document;

const METHODS: [&str; 3] = ["post", "get", "delete"];

/// Reads the document.
pub(super) fn reference(document: &Document) -> Reference {
    // Of plain data, with strings as keys.
    let json = serde_json::to_value(document).expect("plain data");
    let reader = Reader { document: &json };
    let server = text(&json["servers"][0]["url"]);
    let paths = entries(&json["paths"]);
    let operations = paths.flat_map(|(path, methods)| {
        let here = METHODS
            .iter()
            .filter_map(|method| Some((*method, methods.get(*method)?)));
        here.map(|(method, it)| reader.operation(&server, method, path, it))
            .collect::<Vec<_>>()
    });
    Reference {
        intro: text(&json["info"]["description"])
            .split("\n\n")
            .map(str::to_owned)
            .collect(),
        version: text(&json["info"]["version"]),
        operations: operations.collect(),
    }
}

struct Reader<'a> {
    document: &'a Value,
}

impl Reader<'_> {
    fn operation(&self, server: &str, method: &str, path: &str, it: &Value) -> Operation {
        let method = method.to_uppercase();
        let schema = self.resolve(&it["requestBody"]["content"]["application/json"]["schema"]);
        let body = self.example(schema);
        let filled_in = path.replace("{id}", "$ID").replace("{at_ms}", "$AT_MS");
        let mut call = format!("curl {server}{filled_in}");
        if method != "GET" {
            call += &format!(" -X {method}");
        }
        if it["security"].as_array().is_some_and(|it| !it.is_empty()) {
            call += " \\\n  -H \"Authorization: Bearer $TOKEN\"";
        }
        let answers = entries(&it["responses"]).filter(|(status, _)| status.starts_with('2'));
        let bytes = |it: &Value| entries(&it["content"]).any(|(name, _)| !name.ends_with("json"));
        if answers.into_iter().any(|(_, it)| bytes(it)) {
            // A terminal shows no video.
            call += " \\\n  -OJ";
        }
        if !body.is_null() {
            call += &format!(" \\\n  -H 'Content-Type: application/json' \\\n  -d '{body}'");
        }
        Operation {
            id: text(&it["operationId"]),
            path: path.to_owned(),
            summary: text(&it["summary"]),
            text: text(&it["description"]),
            call,
            parameters: items(&it["parameters"])
                .map(|it| Field {
                    name: text(&it["name"]),
                    kind: kind(&it["schema"], it["required"] == true),
                    text: text(&it["description"]),
                })
                .collect(),
            body: self.fields(schema),
            answers: entries(&it["responses"])
                .map(|(status, it)| self.answer(status, self.resolve(it)))
                .collect(),
            method,
        }
    }

    fn answer(&self, status: &str, it: &Value) -> Answer {
        let headers = entries(&it["headers"]).map(|(name, it)| Field {
            name: name.clone(),
            kind: String::new(),
            text: text(&it["description"]),
        });
        let json = &it["content"]["application/json"];
        let schema = self.resolve(&json["schema"]);
        let mut examples = entries(&json["examples"]).map(|(_, it)| &it["value"]);
        let example = match (&json["example"], examples.next_back()) {
            (Value::Null, Some(example)) => example.clone(),
            (Value::Null, None) => self.example(schema),
            (example, _) => example.clone(),
        };
        let media_types: Vec<&str> = entries(&it["content"])
            .map(|(name, _)| name.as_str())
            .collect();
        Answer {
            status: status.to_owned(),
            text: text(&it["description"]),
            headers: headers.collect(),
            fields: self.fields(schema),
            example: match example {
                Value::Null => media_types.join("\n"),
                example => format!("{example:#}"),
            },
        }
    }

    fn fields(&self, schema: &Value) -> Vec<Field> {
        let required = |name: &str| items(&schema["required"]).any(|it| it == name);
        let fields = entries(&schema["properties"]).map(|(name, it)| {
            let shape = self.resolve(it);
            // What stands beside a reference says more than what it leads to.
            let said = [it, shape].map(|it| text(&it["description"]));
            Field {
                name: name.clone(),
                kind: kind(shape, required(name)),
                text: said
                    .into_iter()
                    .find(|it| !it.is_empty())
                    .unwrap_or_default(),
            }
        });
        fields.collect()
    }

    /// A value of this shape, made of the examples of its parts.
    fn example(&self, schema: &Value) -> Value {
        if let Some(example) = items(&schema["examples"])
            .chain(items(&schema["enum"]))
            .next()
        {
            return example.clone();
        }
        if !schema["properties"].is_object() {
            return Value::Null;
        }
        let parts = entries(&schema["properties"])
            .map(|(name, it)| (name.clone(), self.example(self.resolve(it))));
        Value::Object(parts.collect::<Map<_, _>>())
    }

    /// What a reference leads to.
    fn resolve<'v>(&'v self, it: &'v Value) -> &'v Value {
        let target = it["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
        target.map_or(it, |target| self.document.pointer(target).unwrap_or(it))
    }
}

fn kind(schema: &Value, required: bool) -> String {
    let mut kind = match items(&schema["enum"]).map(text).collect::<Vec<_>>() {
        words if words.is_empty() => text(&schema["type"]),
        words => words.join(" | "),
    };
    match text(&schema["format"]).as_str() {
        "" | "int64" => {}
        format => kind = format!("{kind}, {format}"),
    }
    let bounds = [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
    ];
    for (least, most, unit) in bounds {
        if let (Some(least), Some(most)) = (schema.get(least), schema.get(most)) {
            kind += &format!(", {least} to {most}{unit}");
        }
    }
    if !required {
        kind += ", optional";
    }
    kind
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entries(value: &Value) -> impl DoubleEndedIterator<Item = (&String, &Value)> {
    let entries: Vec<_> = value.as_object().into_iter().flatten().collect();
    entries.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::openapi;
    use crate::service::PublicUrl;

    #[test]
    fn everything_that_can_be_called_is_shown_with_a_call_and_its_answers() {
        let url = PublicUrl::new("https://evidence.example.org");
        let reference = reference(&openapi::document(&url));
        let shown: Vec<(&str, &str)> = reference
            .operations
            .iter()
            .map(|it| (it.method.as_str(), it.path.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("POST", "/v1/requests"),
                ("GET", "/v1/requests/{id}"),
                ("DELETE", "/v1/requests/{id}"),
                ("GET", "/v1/videos/{id}"),
                ("GET", "/videos/{id}/metadata"),
                ("GET", "/videos/{id}/stills/{at_ms}"),
            ]
        );
        for it in &reference.operations {
            assert!(!it.summary.is_empty() && !it.text.is_empty(), "{it:?}");
            assert!(it.call.starts_with("curl https://evidence.example.org/v"));
            assert!(it.answers.iter().all(|it| !it.text.is_empty()), "{it:?}");
        }
        let creation = &reference.operations[0];
        let kinds: Vec<&str> = creation.body.iter().map(|it| it.kind.as_str()).collect();
        assert_eq!(kinds, ["integer, 1 to 48", "string, 1 to 2000 characters"]);
        assert!(
            creation.call.contains("\"expires_in_hours\":24"),
            "{}",
            creation.call
        );
        assert!(creation.answers[0].example.contains("awaiting_submission"));
        let look = &reference.operations[1];
        assert!(look.answers[0].example.contains("\"video\""), "{look:?}");
        assert!(look.call.ends_with("-H \"Authorization: Bearer $TOKEN\""));
        assert!(reference.operations[3].call.ends_with("-OJ"));
    }
}
