//! Code snippets for the next steps of a program. Pure.

/// The language of a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// curl, for a shell.
    Curl,
    /// Python 3, with the standard library alone.
    Python,
    /// A JavaScript module, for Node 18 and newer, Deno, Bun.
    JavaScript,
}

/// What a snippet does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Gets the status of the request.
    Status,
    /// Downloads the video.
    Download,
    /// Deletes the request and the video.
    Delete,
}

/// What snippets refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnippetContext {
    /// The URL of the service, without a slash at the end.
    pub base: String,
    /// The request's id.
    pub request: String,
    /// The video's id, once there is one.
    pub video: Option<String>,
    /// The file name extension of the video.
    pub extension: &'static str,
}

/// Where a snippet has the token from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenSource<'t> {
    /// The environment, so that the snippet contains no secret.
    Environment,
    /// The snippet itself.
    Literal(&'t str),
}

impl Language {
    /// The languages in the order of their tabs.
    pub const ALL: [Self; 3] = [Self::Curl, Self::Python, Self::JavaScript];

    /// The label of the tab.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::Python => "Python",
            Self::JavaScript => "JavaScript",
        }
    }

    /// A comment that says where the token comes from.
    const fn comment(self) -> &'static str {
        match self {
            Self::Curl => "# TOKEN is the access token from above: export TOKEN=vidence_…\n",
            Self::Python => "# The environment's TOKEN is the access token from above.\n",
            Self::JavaScript => "// The environment's TOKEN is the access token from above.\n",
        }
    }

    /// The value of `Authorization`.
    /// A token consists of letters, digits and `_`, so no language needs an escape.
    fn authorization(self, token: TokenSource<'_>) -> String {
        match (self, token) {
            (Self::Curl, TokenSource::Environment) => "Bearer $TOKEN".to_owned(),
            (Self::Python, TokenSource::Environment) => "Bearer {os.environ['TOKEN']}".to_owned(),
            (Self::JavaScript, TokenSource::Environment) => {
                "Bearer ${process.env.TOKEN}".to_owned()
            }
            (_, TokenSource::Literal(token)) => format!("Bearer {token}"),
        }
    }
}

impl Step {
    /// The steps in their order.
    pub const ALL: [Self; 3] = [Self::Status, Self::Download, Self::Delete];

    /// The heading of the snippet.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Status => "Where does it stand?",
            Self::Download => "Download the video",
            Self::Delete => "Delete it",
        }
    }
}

/// Writes a snippet.
pub fn snippet(
    language: Language,
    step: Step,
    context: &SnippetContext,
    token: TokenSource<'_>,
) -> String {
    let SnippetContext {
        base,
        request,
        video,
        extension,
    } = context;
    let url = match (step, video) {
        (Step::Status | Step::Delete, _) => format!("{base}/v1/requests/{request}"),
        (Step::Download, Some(video)) => format!("{base}/v1/videos/{video}"),
        // The response to the first snippet contains it.
        (Step::Download, None) => format!("{base}/v1/videos/VIDEO_ID"),
    };
    let authorization = language.authorization(token);
    let comment = match token {
        TokenSource::Environment => language.comment(),
        TokenSource::Literal(_) => "",
    };
    let body = match language {
        Language::Curl => curl(step, &url, &authorization, extension),
        Language::Python => python(step, &url, &authorization, extension, token),
        Language::JavaScript => javascript(step, &url, &authorization, extension),
    };
    format!("{comment}{body}\n")
}

fn curl(step: Step, url: &str, authorization: &str, extension: &str) -> String {
    let more = match step {
        Step::Status => String::new(),
        Step::Download => format!(" -o video.{extension}"),
        Step::Delete => " -X DELETE".to_owned(),
    };
    format!(
        "curl -sS --fail-with-body{more} \\\n  -H \"Authorization: {authorization}\" \\\n  {url}"
    )
}

fn python(
    step: Step,
    url: &str,
    authorization: &str,
    extension: &str,
    token: TokenSource<'_>,
) -> String {
    let (quoted, imports) = match token {
        TokenSource::Environment => (format!("f\"{authorization}\""), "import os, "),
        TokenSource::Literal(_) => (format!("\"{authorization}\""), "import "),
    };
    let (modules, method, end) = match step {
        Step::Status => (
            "json, urllib.request",
            "",
            "    print(json.load(answer))".to_owned(),
        ),
        Step::Download => (
            "shutil, urllib.request",
            "",
            format!(
                "    with open(\"video.{extension}\", \"wb\") as file:\n        shutil.copyfileobj(answer, file)"
            ),
        ),
        Step::Delete => (
            "urllib.request",
            ", method=\"DELETE\"",
            "    print(answer.status)".to_owned(),
        ),
    };
    format!(
        "{imports}{modules}\n\nrequest = urllib.request.Request(\n    \"{url}\",\n    \
         headers={{\"Authorization\": {quoted}}}{method},\n)\n\
         with urllib.request.urlopen(request) as answer:\n{end}"
    )
}

fn javascript(step: Step, url: &str, authorization: &str, extension: &str) -> String {
    let (import, method, end) = match step {
        Step::Status => ("", "", "console.log(await answer.json());".to_owned()),
        Step::Download => (
            "import { writeFile } from \"node:fs/promises\";\n\n",
            "",
            format!("if (answer.ok) await writeFile(\"video.{extension}\", answer.body);"),
        ),
        Step::Delete => (
            "",
            "  method: \"DELETE\",\n",
            "console.log(answer.status);".to_owned(),
        ),
    };
    format!(
        "{import}const answer = await fetch(\"{url}\", {{\n{method}  \
         headers: {{ Authorization: `{authorization}` }},\n}});\n{end}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "vidence_secret";

    fn context(video: Option<&str>) -> SnippetContext {
        SnippetContext {
            base: "https://evidence.example.org".to_owned(),
            request: "kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
            video: video.map(str::to_owned),
            extension: "webm",
        }
    }

    fn all_snippets() -> impl Iterator<Item = (Language, Step)> {
        let steps = |language| Step::ALL.map(|step| (language, step));
        Language::ALL.into_iter().flat_map(steps)
    }

    #[test]
    fn snippets_contain_the_ids() {
        for (language, step) in all_snippets() {
            let text = snippet(
                language,
                step,
                &context(Some("v123")),
                TokenSource::Environment,
            );
            let url = match step {
                Step::Download => "https://evidence.example.org/v1/videos/v123",
                _ => "https://evidence.example.org/v1/requests/kX3bT9cQ2mZr8VnLw5YpHd",
            };
            assert!(text.contains(url), "{text}");
            assert_eq!(text.contains("DELETE"), step == Step::Delete, "{text}");
        }
    }

    #[test]
    fn only_a_literal_snippet_contains_the_token() {
        for (language, step) in all_snippets() {
            let shown = snippet(language, step, &context(None), TokenSource::Environment);
            assert!(
                shown.contains("TOKEN is the access token from above"),
                "{shown}"
            );
            let literal = snippet(language, step, &context(None), TokenSource::Literal(TOKEN));
            assert!(literal.contains(&format!("Bearer {TOKEN}")), "{literal}");
            assert!(
                !literal.contains("environ") && !literal.contains("process.env"),
                "{literal}"
            );
        }
    }

    #[test]
    fn a_snippet_is_complete_code() {
        let python = snippet(
            Language::Python,
            Step::Status,
            &context(None),
            TokenSource::Environment,
        );
        assert_eq!(
            python,
            "# The environment's TOKEN is the access token from above.\n\
             import os, json, urllib.request\n\n\
             request = urllib.request.Request(\n    \
             \"https://evidence.example.org/v1/requests/kX3bT9cQ2mZr8VnLw5YpHd\",\n    \
             headers={\"Authorization\": f\"Bearer {os.environ['TOKEN']}\"},\n)\n\
             with urllib.request.urlopen(request) as answer:\n    print(json.load(answer))\n"
        );
    }
}
