//! Files that the person chose in a field, dropped on the page or pasted.

use wasm_bindgen::JsCast;
use web_sys::{FileList, HtmlElement, HtmlInputElement};

use super::Piece;

/// A file of the person's.
pub struct ChosenFile {
    /// Its name, for people.
    pub name: String,
    /// Its bytes, which aren't read yet.
    pub content: Piece,
}

impl ChosenFile {
    /// The files in an `<input type=file>`, which is then reset: the same file can be chosen again.
    pub fn take_from_input(input: &HtmlElement) -> Vec<Self> {
        let input = input.dyn_ref::<HtmlInputElement>();
        let files = input.and_then(HtmlInputElement::files);
        let files = files.map(|it| Self::list(&it)).unwrap_or_default();
        if let Some(input) = input {
            input.set_value("");
        }
        files
    }

    pub(in crate::browser) fn list(files: &FileList) -> Vec<Self> {
        let files = (0..files.length()).filter_map(|at| files.get(at));
        let chosen = files.map(|file| Self {
            name: file.name(),
            content: Piece::new(file.into()),
        });
        chosen.collect()
    }
}
