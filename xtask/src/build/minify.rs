//! Removes from scripts and style sheets what only people read.

use anyhow::{Result, bail, ensure};

/// Removes indentation, and lines that are comments.
pub fn script(script: &str) -> Result<String> {
    let mut minified = String::with_capacity(script.len());
    for line in script.lines().map(str::trim) {
        let backticks = line.matches('`').count();
        ensure!(backticks % 2 == 0, "a text of several lines: {line}");
        let is_comment = ["/*", "*", "//"].iter().any(|it| line.starts_with(it));
        if !is_comment && !line.is_empty() {
            minified.push_str(line);
            minified.push('\n');
        }
    }
    Ok(minified)
}

/// Removes comments, and the white space that nothing needs.
pub fn style(css: &str) -> Result<String> {
    let mut code = String::with_capacity(css.len());
    for (at, part) in css.split("/*").enumerate() {
        code.push_str(match part.split_once("*/") {
            Some((_, rest)) if at > 0 => rest,
            None if at == 0 => part,
            _ => bail!("a comment without a beginning or an end: {part}"),
        });
    }
    let lines = code.lines().map(str::trim).filter(|it| !it.is_empty());
    Ok(lines.map(style_line).collect())
}

fn style_line(line: &str) -> String {
    let mut short = match line.contains('"') {
        // What is quoted stays.
        true => line.to_owned(),
        false => [(" {", "{"), (": ", ":"), (", ", ",")]
            .into_iter()
            .fold(line.to_owned(), |line, (from, to)| line.replace(from, to)),
    };
    // Otherwise the next line goes on with a selector or a value.
    if !short.ends_with(['{', '}', ';', ',', ':']) {
        short.push('\n');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_needless_space_are_removed_from_styles() {
        let css = "/* Of\n   two lines. */\n@layer base {\n  *,\n  p { /* here */\n    margin: 0 auto;\n  }\n}\n";
        let minified = style(css).expect("complete comments");
        assert_eq!(minified, "@layer base{*,p{margin:0 auto;}}");
        let css = "a\n  > :is(b, c d) {\n  content: \"a: b, {\";\n  transition:\n    opacity 1s,\n    color 1s;\n}\n";
        let want = "a\n> :is(b,c d){content: \"a: b, {\";transition:opacity 1s,color 1s;}";
        assert_eq!(style(css).expect("complete comments"), want);
        assert!(style("p { margin: 0; } /* without an end").is_err());
        assert!(style("without a beginning */ /* p */ q */").is_err());
    }
}
