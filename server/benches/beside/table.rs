//! What was seen, for people.

/// A table as Markdown, aligned for those who read it as it is.
pub fn print<const N: usize>(heads: [&str; N], rows: impl IntoIterator<Item = [String; N]>) {
    let lines: Vec<_> = rows.into_iter().collect();
    let widths: [usize; N] = std::array::from_fn(|n| {
        let cells = lines.iter().map(|line| line[n].len());
        cells.max().unwrap_or(0).max(heads[n].len())
    });
    line(widths, heads);
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

/// The middle of the values; of an even number of them, the lower one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len().saturating_sub(1) / 2;
    values.get(middle).copied().unwrap_or(f64::NAN)
}

/// Whether an aim is reached, in a word.
pub fn met(met: bool) -> &'static str {
    if met { "met" } else { "missed" }
}

/// How busy others keep the machine, for whoever compares two runs. To be asked before we do.
pub fn load_average() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or_default().to_owned()
}
