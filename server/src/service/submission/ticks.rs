//! Ticks: which lines of the prompt the sender says the video shows, and at which moments.

use app::api::Tick;
use app::prompt::steps;
use app::video_metadata::TickedStep;

use crate::db::Request;
use crate::id::RequestId;
use crate::service::requests::access;
use crate::service::{AppState, Error};

/// Encodes the ticks of a submission, as they are stored. `None`: there are none.
///
/// [`Error::Invalid`]: one names a line that the prompt doesn't have, or one that another names as well.
pub(super) async fn encode(
    app: &AppState,
    request: &RequestId,
    ticks: Vec<Tick>,
) -> Result<Option<Vec<u8>>, Error> {
    if ticks.is_empty() {
        return Ok(None);
    }
    let current = access::awaiting(app, request).await?;
    let prompt = current.row().prompt.as_deref().unwrap_or_default();
    let ticks = check(&String::from_utf8_lossy(prompt), ticks)?;
    // Numbers always serialize to JSON.
    Ok(serde_json::to_vec(&ticks).ok())
}

fn check(prompt: &str, mut ticks: Vec<Tick>) -> Result<Vec<Tick>, Error> {
    let lines = steps(prompt).len() as u64;
    ticks.sort_by_key(|it| it.line);
    let is_known = |it: &Tick| (1..=lines).contains(&it.line.into());
    let is_twice = ticks.windows(2).any(|pair| pair[0].line == pair[1].line);
    if is_twice || !ticks.iter().all(is_known) {
        let why = format!("ticks: each must name another line of the prompt, from 1 to {lines}");
        return Err(Error::Invalid(why));
    }
    Ok(ticks)
}

/// The steps that were ticked, in order of time. A moment behind the end of the video is its end.
pub(in crate::service) fn of(request: &Request, duration_ms: Option<u64>) -> Vec<TickedStep> {
    let (Some(stored), Some(prompt)) = (&request.ticks, &request.prompt) else {
        return Vec::new();
    };
    let ticks: Vec<Tick> = serde_json::from_slice(stored).unwrap_or_default();
    let prompt = String::from_utf8_lossy(prompt);
    let steps = steps(&prompt);
    let ticked = ticks.into_iter().filter_map(|Tick { line, at_ms }| {
        let text = steps.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        Some(TickedStep {
            line,
            text: (*text).to_owned(),
            at_ms: at_ms.min(duration_ms.unwrap_or(u64::MAX)),
        })
    });
    let mut ticked: Vec<TickedStep> = ticked.collect();
    ticked.sort_by_key(|it| (it.at_ms, it.line));
    ticked
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: &str = "Show the dent.\n\nThen the plate.\n";

    fn tick(line: u32, at_ms: u64) -> Tick {
        Tick { line, at_ms }
    }

    #[test]
    fn a_tick_names_a_line_of_the_prompt_and_no_line_has_two() {
        let good = vec![tick(2, 9000), tick(1, u64::MAX)];
        let sorted = vec![good[1], good[0]];
        assert_eq!(check(PROMPT, good).ok(), Some(sorted));
        for bad in [
            vec![tick(0, 1)],
            vec![tick(3, 1)],
            vec![tick(1, 1), tick(1, 2)],
        ] {
            assert!(matches!(check(PROMPT, bad), Err(Error::Invalid(_))));
        }
    }
}
