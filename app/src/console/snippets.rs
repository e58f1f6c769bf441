//! The next steps for a program, ready to run. Pure.

/// What a snippet is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// For a shell.
    Curl,
    /// 3, with nothing installed.
    Python,
    /// As a module: Node 18 and newer, Deno, Bun.
    JavaScript,
}

/// What a snippet does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Asks where the request stands.
    Status,
    /// Downloads the video.
    Watch,
    /// Deletes request and video.
    Delete,
}

/// What snippets are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The address of the service, without a slash at the end.
    pub base: String,
    /// The request's id.
    pub request: String,
    /// The video's id, once there is one.
    pub video: Option<String>,
    /// How names of such files end.
    pub extension: &'static str,
}

/// How a snippet gets the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// From the environment: what is shown and shared holds no secret.
    Environment,
    /// It stands in it.
    Literal(&'t str),
}

impl Language {
    /// In the order of their tabs.
    pub const ALL: [Self; 3] = [Self::Curl, Self::Python, Self::JavaScript];

    /// On the tab.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::Python => "Python",
            Self::JavaScript => "JavaScript",
        }
    }

    /// Where the token comes from, as a comment in this language.
    const fn comment(self) -> &'static str {
        match self {
            Self::Curl => "# TOKEN is the access token from above: export TOKEN=vidence_…\n",
            Self::Python => "# The environment's TOKEN is the access token from above.\n",
            Self::JavaScript => "// The environment's TOKEN is the access token from above.\n",
        }
    }

    /// The header's value. A token is letters, digits and `_`: nothing to escape in any of them.
    fn bearer(self, token: Token<'_>) -> String {
        match (self, token) {
            (Self::Curl, Token::Environment) => "Bearer $TOKEN".to_owned(),
            (Self::Python, Token::Environment) => "Bearer {os.environ['TOKEN']}".to_owned(),
            (Self::JavaScript, Token::Environment) => "Bearer ${process.env.TOKEN}".to_owned(),
            (_, Token::Literal(token)) => format!("Bearer {token}"),
        }
    }
}

impl Step {
    /// In the order in which they are taken.
    pub const ALL: [Self; 3] = [Self::Status, Self::Watch, Self::Delete];

    /// Above the snippet.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Status => "Where does it stand?",
            Self::Watch => "Download the video",
            Self::Delete => "Delete it",
        }
    }
}

/// Writes a snippet.
pub fn snippet(language: Language, step: Step, about: &About, token: Token<'_>) -> String {
    let About {
        base,
        request,
        video,
        extension,
    } = about;
    let url = match (step, video) {
        (Step::Status | Step::Delete, _) => format!("{base}/v1/requests/{request}"),
        (Step::Watch, Some(video)) => format!("{base}/v1/videos/{video}"),
        // The answer to the first snippet names it.
        (Step::Watch, None) => format!("{base}/v1/videos/VIDEO_ID"),
    };
    let bearer = language.bearer(token);
    let comment = match token {
        Token::Environment => language.comment(),
        Token::Literal(_) => "",
    };
    let body = match language {
        Language::Curl => curl(step, &url, &bearer, extension),
        Language::Python => python(step, &url, &bearer, extension, token),
        Language::JavaScript => javascript(step, &url, &bearer, extension),
    };
    format!("{comment}{body}\n")
}

fn curl(step: Step, url: &str, bearer: &str, extension: &str) -> String {
    let more = match step {
        Step::Status => String::new(),
        Step::Watch => format!(" -o video.{extension}"),
        Step::Delete => " -X DELETE".to_owned(),
    };
    format!("curl -sS --fail-with-body{more} \\\n  -H \"Authorization: {bearer}\" \\\n  {url}")
}

fn python(step: Step, url: &str, bearer: &str, extension: &str, token: Token<'_>) -> String {
    let (quoted, imports) = match token {
        Token::Environment => (format!("f\"{bearer}\""), "import os, "),
        Token::Literal(_) => (format!("\"{bearer}\""), "import "),
    };
    let (modules, method, end) = match step {
        Step::Status => (
            "json, urllib.request",
            "",
            "    print(json.load(answer))".to_owned(),
        ),
        Step::Watch => (
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

fn javascript(step: Step, url: &str, bearer: &str, extension: &str) -> String {
    let (import, method, end) = match step {
        Step::Status => ("", "", "console.log(await answer.json());".to_owned()),
        Step::Watch => (
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
         headers: {{ Authorization: `{bearer}` }},\n}});\n{end}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "vidence_secret";

    fn about(video: Option<&str>) -> About {
        About {
            base: "https://evidence.example.org".to_owned(),
            request: "kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
            video: video.map(str::to_owned),
            extension: "webm",
        }
    }

    fn each() -> impl Iterator<Item = (Language, Step)> {
        let steps = |language| Step::ALL.map(|step| (language, step));
        Language::ALL.into_iter().flat_map(steps)
    }

    #[test]
    fn snippets_name_the_real_ids() {
        for (language, step) in each() {
            let text = snippet(language, step, &about(Some("v123")), Token::Environment);
            let url = match step {
                Step::Watch => "https://evidence.example.org/v1/videos/v123",
                _ => "https://evidence.example.org/v1/requests/kX3bT9cQ2mZr8VnLw5YpHd",
            };
            assert!(text.contains(url), "{text}");
            assert_eq!(text.contains("DELETE"), step == Step::Delete, "{text}");
        }
    }

    #[test]
    fn what_is_shown_holds_no_token_and_says_where_it_comes_from() {
        for (language, step) in each() {
            let shown = snippet(language, step, &about(None), Token::Environment);
            assert!(
                shown.contains("TOKEN is the access token from above"),
                "{shown}"
            );
            let whole = snippet(language, step, &about(None), Token::Literal(TOKEN));
            assert!(whole.contains(&format!("Bearer {TOKEN}")), "{whole}");
            assert!(
                !whole.contains("environ") && !whole.contains("process.env"),
                "{whole}"
            );
        }
    }

    #[test]
    fn a_snippet_reads_well() {
        let python = snippet(
            Language::Python,
            Step::Status,
            &about(None),
            Token::Environment,
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
