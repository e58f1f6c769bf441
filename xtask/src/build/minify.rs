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

/// Removes indentation, empty lines and comments.
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
    Ok(lines.flat_map(|line| [line, "\n"]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_are_removed_from_styles() {
        let css = "/* Of\n   two lines. */\n@layer base {\n  *,\n  p { /* here */\n    margin: 0;\n  }\n}\n";
        let minified = style(css).expect("complete comments");
        assert_eq!(minified, "@layer base {\n*,\np {\nmargin: 0;\n}\n}\n");
        assert!(style("p { margin: 0; } /* without an end").is_err());
        assert!(style("without a beginning */ /* p */ q */").is_err());
    }
}
