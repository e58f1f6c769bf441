//! A video file as the take: an existing one, or one that the phone's camera app has just recorded.

use super::TAKE_FLAGS;
use crate::browser::blob::Piece;
use crate::browser::dom::HtmlElement;
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Ending, Event};
use crate::recorder::upload::status::UploadStart;

/// Files are read in pieces of this size.
const PIECE_BYTES: u64 = 2 << 20;

impl Recorder {
    /// Takes the file that was chosen in this field.
    pub(in crate::recorder) fn load_file(self, field: &HtmlElement) {
        let Some(file) = Piece::from_input(field).filter(|it| it.length() > 0) else {
            return;
        };
        if !self.dispatch(Event::TakeLoaded) {
            return;
        }
        self.clear_flags(&TAKE_FLAGS);
        self.set_flag(Flag::IsFile, true);
        if file.length() > self.max_bytes {
            return self.end(Ending::TooLarge);
        }
        self.set_flag(Flag::Loading, true);
        self.begin_take(self.new_record(true), UploadStart::default(), false);
        for piece in file.split(PIECE_BYTES) {
            self.add_piece(piece, 0);
        }
        self.finish_take();
    }
}
