//! The stack of master elements that the parser is in.

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::rules::{Master, Parent, is_top_level};

#[derive(Debug, Default)]
pub(super) struct OpenElements(Vec<OpenElement>);

#[derive(Clone, Copy, Debug)]
struct OpenElement {
    parent: Parent,
    /// Offset of its end, or if its size is unknown, of its parent's. `None`: both are unknown.
    end: Option<u64>,
}

impl OpenElements {
    pub(super) fn push(&mut self, parent: Parent, end: Option<u64>) {
        let end = end.or(self.end());
        self.0.push(OpenElement { parent, end });
    }

    /// The innermost open element.
    pub(super) fn parent(&self) -> Option<Parent> {
        self.0.last().map(|open| open.parent)
    }

    /// Offset of the end of the innermost open element, as far as it is known.
    pub(super) fn end(&self) -> Option<u64> {
        self.0.last().and_then(|open| open.end)
    }

    /// Closes the innermost element if it has an unknown size and can't contain `id` (RFC 8794, section 6.2).
    pub(super) fn close_unsized(&mut self, id: VInt64) -> bool {
        let is_next_document = id == mkv::Ebml::ID || id == mkv::Segment::ID;
        let closed = self.0.pop_if(|open| {
            let ends = match open.parent.master {
                Master::Segment => is_next_document,
                Master::Cluster => is_next_document || is_top_level(id),
                Master::Tags | Master::BlockGroup => false,
            };
            ends && !open.parent.is_sized
        });
        closed.is_some()
    }

    /// Closes the innermost element if it ends at this offset.
    pub(super) fn close_ended(&mut self, offset: u64) -> Option<Master> {
        let closed = self.0.pop_if(|open| open.end == Some(offset))?;
        Some(closed.parent.master)
    }
}
