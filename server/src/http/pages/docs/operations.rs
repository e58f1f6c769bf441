//! Renders the operations of the OpenAPI document as Markdown, a section each.

use serde_json::{Map, Value};
use utoipa::openapi::OpenApi;

use crate::http::pages::markdown;

const METHODS: [&str; 3] = ["post", "get", "delete"];

/// Describes every operation with a call, its parameters and its answers.
pub fn operations(document: &OpenApi) -> String {
    // Plain data with string keys can always be serialized.
    let json = serde_json::to_value(document).expect("plain data");
    let reader = Reader { document: &json };
    let paths = entries(&json["paths"]);
    let operations = paths.flat_map(|(path, methods)| {
        let here = METHODS
            .iter()
            .filter_map(|method| Some((*method, methods.get(*method)?)));
        here.map(|(method, it)| reader.operation(method, path, it))
            .collect::<Vec<_>>()
    });
    operations.collect::<Vec<_>>().join("\n")
}

struct Reader<'a> {
    document: &'a Value,
}

impl Reader<'_> {
    fn operation(&self, method: &str, path: &str, it: &Value) -> String {
        let schema = self.resolve(&it["requestBody"]["content"]["application/json"]["schema"]);
        let parameters = items(&it["parameters"]).map(|it| {
            let kind = kind(&it["schema"], it["required"] == true);
            field(text(&it["name"]), &kind, text(&it["description"]))
        });
        let answers =
            entries(&it["responses"]).map(|(status, it)| self.answer(status, self.resolve(it)));
        format!(
            "## {summary} {{#{id}}}\n\n\
             <p class=\"route\"><span class=\"method method--{method}\">{shown}</span> <code>{path}</code></p>\n\n\
             {description}\n\n\
             ```sh\n{call}\n```\n\n\
             {parameters}{body}\
             ### Answers\n\n\
             <div class=\"answers\">\n\n{answers}</div>\n",
            summary = text(&it["summary"]),
            id = text(&it["operationId"]),
            shown = method.to_uppercase(),
            description = text(&it["description"]),
            call = self.call(method, path, it, &self.example(schema)),
            parameters = fields("Parameters", parameters),
            body = self.body(schema),
            answers = answers.collect::<String>(),
        )
    }

    /// A `curl` command that can be pasted into a terminal.
    fn call(&self, method: &str, path: &str, it: &Value, body: &Value) -> String {
        let server = text(&self.document["servers"][0]["url"]);
        let path = path.replace("{id}", "$ID").replace("{at_ms}", "$AT_MS");
        let mut answers = entries(&it["responses"]).filter(|(status, _)| status.starts_with('2'));
        let bytes = |it: &Value| entries(&it["content"]).any(|(name, _)| !name.ends_with("json"));
        let is_file = answers.any(|(_, it)| bytes(it));
        // An error is neither saved as a file, nor taken for a deletion.
        let fails = is_file || method == "delete";
        let mut call = format!("curl {}{server}{path}", if fails { "-fsS " } else { "" });
        if method != "get" {
            call += &format!(" -X {}", method.to_uppercase());
        }
        if it["security"].as_array().is_some_and(|it| !it.is_empty()) {
            call += " \\\n  -H \"Authorization: Bearer $TOKEN\"";
        }
        if is_file {
            // Video bytes go into a file, not to the terminal.
            call += " \\\n  -OJ";
        }
        if !body.is_null() {
            call += &format!(" \\\n  -H 'Content-Type: application/json' \\\n  -d '{body}'");
        }
        call
    }

    fn answer(&self, status: &str, it: &Value) -> String {
        let good = if status.starts_with('2') {
            " status--good"
        } else {
            ""
        };
        let headers =
            entries(&it["headers"]).map(|(name, it)| field(name, "", text(&it["description"])));
        let json = &it["content"]["application/json"];
        let schema = self.resolve(&json["schema"]);
        let mut examples = entries(&json["examples"]).map(|(_, it)| &it["value"]);
        let example = match (&json["example"], examples.next_back()) {
            (Value::Null, Some(example)) => example.clone(),
            (Value::Null, None) => self.example(schema),
            (example, _) => example.clone(),
        };
        let media_types = entries(&it["content"]).map(|(name, _)| name.as_str());
        let example = match example {
            Value::Null => media_types.collect::<Vec<_>>().join("\n"),
            example => format!("{example:#}"),
        };
        let example = match example.as_str() {
            "" => String::new(),
            example => format!("```\n{example}\n```\n\n"),
        };
        format!(
            "<details class=\"answer\"><summary><span class=\"status{good}\">{status}</span> \
             <span>{description}</span></summary>\n\n\
             {headers}{body}{example}</details>\n\n",
            description = markdown::inline(text(&it["description"])),
            headers = fields("Headers", headers),
            body = self.body(schema),
        )
    }

    fn body(&self, schema: &Value) -> String {
        let required = |name: &str| items(&schema["required"]).any(|it| it == name);
        let properties = entries(&schema["properties"]).map(|(name, it)| {
            let shape = self.resolve(it);
            // A description beside a reference is more specific than that of its target.
            let descriptions = [it, shape].map(|it| text(&it["description"]));
            let description = descriptions.into_iter().find(|it| !it.is_empty());
            let kind = kind(shape, required(name));
            field(name, &kind, description.unwrap_or_default())
        });
        fields("Body", properties)
    }

    /// An example value for a schema, built from the examples of its parts.
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

    /// Resolves a reference to its target.
    fn resolve<'v>(&'v self, it: &'v Value) -> &'v Value {
        let target = it["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
        target.map_or(it, |target| self.document.pointer(target).unwrap_or(it))
    }
}

/// A titled list of definitions, or nothing if it is empty.
fn fields(title: &str, fields: impl Iterator<Item = String>) -> String {
    match fields.collect::<String>().as_str() {
        "" => String::new(),
        fields => format!("### {title}\n\n{fields}"),
    }
}

fn field(name: &str, kind: &str, text: &str) -> String {
    let kind = match kind {
        "" => String::new(),
        kind => format!(" *{kind}*"),
    };
    // A definition must be a single paragraph.
    let text = text.replace('\n', " ");
    format!("`{name}`{kind}\n: {text}\n\n")
}

/// Describes a schema's type, such as `string, 1 to 2000 characters`.
fn kind(schema: &Value, required: bool) -> String {
    let mut kind = match items(&schema["enum"]).map(text).collect::<Vec<_>>() {
        words if words.is_empty() => text(&schema["type"]).to_owned(),
        words => words.join(" | "),
    };
    match text(&schema["format"]) {
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

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
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
    use crate::config::public_url::PublicUrl;
    use crate::http::v1;

    #[test]
    fn everything_that_can_be_called_is_shown_with_a_call_and_its_answers() {
        let url = PublicUrl::new("https://evidence.example.org");
        let markdown = operations(&v1::document(&url));
        let routes = markdown
            .lines()
            .filter(|it| it.starts_with("<p class=\"route\">"));
        let routes: Vec<String> = routes.map(|it| it.replace('>', "<")).collect();
        let routes = routes.iter().map(|it| {
            let parts: Vec<&str> = it.split('<').collect();
            (parts[4], parts[8])
        });
        assert_eq!(
            routes.collect::<Vec<_>>(),
            [
                ("POST", "/v1/requests"),
                ("GET", "/v1/requests/{id}"),
                ("DELETE", "/v1/requests/{id}"),
                ("GET", "/v1/videos/{id}"),
                ("GET", "/videos/{id}/captions.vtt"),
                ("GET", "/videos/{id}/contact-sheet"),
                ("GET", "/videos/{id}/metadata"),
                ("GET", "/videos/{id}/receipt"),
                ("GET", "/videos/{id}/stills/{at_ms}"),
            ]
        );
        let calls = |curl: &str| {
            let call = format!("```sh\ncurl {curl}https://evidence.example.org/v");
            markdown.matches(&call).count()
        };
        // Files and the deletion fail for an error.
        assert_eq!((calls(""), calls("-fsS ")), (3, 6), "{markdown}");
        for empty in ["## {", "\n\n\n", "<span></span>"] {
            assert!(!markdown.contains(empty), "{markdown}");
        }
        let sections: Vec<&str> = markdown.split("\n## ").collect();
        for (section, part) in [
            (0, "`expires_in_hours` *integer, 1 to 48*\n: "),
            (0, "`prompt` *string, 1 to 2000 characters*\n: "),
            (0, "\"expires_in_hours\":24"),
            (0, "\"status\": \"awaiting_submission\""),
            (1, "  -H \"Authorization: Bearer $TOKEN\"\n```"),
            (1, "\"video\": {"),
            (3, "  -OJ\n```"),
        ] {
            assert!(sections[section].contains(part), "{}", sections[section]);
        }
    }
}
