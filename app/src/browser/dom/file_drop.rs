//! Files that are dragged over the page, dropped on it, or pasted into it.

use std::cell::RefCell;

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{FileList, HtmlElement};

use super::element::{listen, query};
use crate::browser::blob::ChosenFile;
use crate::browser::js::{get_field, set_field};

/// What the person does with files.
pub enum FileDrop {
    /// They are dragged over the page. Reported again and again.
    Over,
    /// They were dragged out of it.
    Out,
    /// They were dropped or pasted.
    Given(Vec<ChosenFile>),
}

/// Calls back for files, for the lifetime of the page. Returns whether the page takes them now.
///
/// Where it doesn't, nothing happens: by itself a browser would leave the page and open the file.
pub fn on_file_drop(callback: impl Fn(FileDrop) -> bool + Copy + 'static) {
    let Some(page) = query::<HtmlElement>("html") else {
        return;
    };
    // A file that moves between two elements enters the next one before it leaves the last. WebKit doesn't tell in the
    // event which elements these are.
    let entered: &RefCell<JsValue> = Box::leak(Box::default());
    for name in ["dragenter", "dragover", "dragleave", "drop", "paste"] {
        listen(&page, name, move |event| {
            let is_paste = name == "paste";
            let source = if is_paste {
                "clipboardData"
            } else {
                "dataTransfer"
            };
            let data = get_field(&event, source);
            // Not texts and links. While they are dragged, files have neither names nor sizes.
            let types = get_field(&data, "types");
            let types = types.dyn_ref::<Array>();
            if !types.is_some_and(|it| it.includes(&"Files".into(), 0)) {
                return;
            }
            let target = get_field(&event, "target");
            let takes = callback(match name {
                "dragenter" => {
                    entered.replace(target);
                    FileDrop::Over
                }
                "dragover" => FileDrop::Over,
                "dragleave" if *entered.borrow() == target => FileDrop::Out,
                "dragleave" => return,
                _ => FileDrop::Given(files(&get_field(&data, "files"))),
            });
            if !is_paste {
                set_field(
                    &data,
                    "dropEffect",
                    &if takes { "copy" } else { "none" }.into(),
                );
                event.prevent_default();
            }
        });
    }
}

fn files(list: &JsValue) -> Vec<ChosenFile> {
    let list = list.dyn_ref::<FileList>();
    list.map(ChosenFile::list).unwrap_or_default()
}
