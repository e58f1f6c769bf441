//! What programs showed their models of two recordings.

use leptos::prelude::*;
use serde::Deserialize;

use super::code;

/// A program with a model, as it was measured.
#[derive(Clone, Debug, Deserialize)]
pub struct Measured {
    /// Its name in a terminal.
    pub(super) program: String,
    /// Of the program.
    pub(super) version: String,
    /// What it was told to use.
    pub(super) model: String,
    /// What it saw of each recording.
    pub(super) films: Vec<SeenFilm>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SeenFilm {
    pub(super) seconds: u32,
    pictures: u32,
    /// Of text.
    characters: u32,
    /// What became of the video itself.
    video: String,
}

impl SeenFilm {
    pub(super) fn in_words(&self) -> String {
        let Self {
            pictures,
            characters,
            video,
            ..
        } = self;
        format!("{pictures} pictures, {characters} characters; video {video}")
    }
}

pub(super) const MEASURED_HOW: &str = "Measured with the programs themselves, by what they sent to a model for one call of `get_video_evidence`. Pictures \
     are 768 × 432, which cost Claude some 450 tokens each.";

#[component]
pub(super) fn Table(measured: Vec<Measured>) -> impl IntoView {
    let films = measured.first().map(|it| it.films.as_slice());
    let lengths = films.unwrap_or_default().iter().map(|film| {
        view! { <th scope="col">{format!("{} s, 720p", film.seconds)}</th> }
    });
    let lengths = lengths.collect_view();
    let rows = measured.into_iter().map(|it| {
        let films = it.films.into_iter().map(|film| {
            view! { <td>{film.in_words()}</td> }
        });
        view! {
            <tr>
                <th scope="row">
                    {it.program} " " {it.version} <br/> <span class="kind">{it.model}</span>
                </th>
                {films.collect_view()}
            </tr>
        }
    });
    view! {
        <section class="operation" aria-labelledby="measured">
            <h2 id="measured">"What models see"</h2>
            <p>
                {code(MEASURED_HOW)}
            </p>
            <table class="measured">
                <thead>
                    <tr>
                        <td></td>
                        {lengths}
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </section>
    }
}
