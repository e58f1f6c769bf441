//! The lines of a prompt, which the page shows as steps to tick.

/// The steps of a prompt: its lines without the space around them, and without empty ones.
/// A tick names one by its number, from 1 on.
pub fn steps(prompt: &str) -> Vec<&str> {
    let lines = prompt.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_lines_with_something_in_them() {
        let prompt = "\n Show the dent.\r\n\r\n\tThen the plate. \n";
        assert_eq!(steps(prompt), ["Show the dent.", "Then the plate."]);
        assert!(steps(" \n ").is_empty());
    }
}
