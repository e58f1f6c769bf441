//! Output of tables and targets.

/// Prints a Markdown table with aligned columns.
pub fn print<const N: usize>(headings: [&str; N], rows: impl IntoIterator<Item = [String; N]>) {
    let lines: Vec<_> = rows.into_iter().collect();
    let widths: [usize; N] = std::array::from_fn(|n| {
        let cells = lines.iter().map(|line| line[n].len());
        cells.max().unwrap_or(0).max(headings[n].len())
    });
    line(widths, headings);
    let rule = widths.map(|width| format!("{}:", "-".repeat(width - 1)));
    line(widths, rule.each_ref().map(String::as_str));
    for cells in &lines {
        line(widths, cells.each_ref().map(String::as_str));
    }
}

fn line<const N: usize>(widths: [usize; N], cells: [&str; N]) {
    for (width, cell) in widths.into_iter().zip(cells) {
        print!("| {cell:>width$} ");
    }
    println!("|");
}

/// Whether a target is met, in a word.
pub fn met(met: bool) -> &'static str {
    if met { "met" } else { "missed" }
}

/// The load average, to compare runs by. To be read before the benchmark begins.
pub fn load_average() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or_default().to_owned()
}
