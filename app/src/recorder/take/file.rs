//! A video file as the take: an existing one, or one that the phone's camera app has just recorded.

use leptos::task::spawn_local;

use super::TAKE_FLAGS;
use super::signature::{self, SIGNATURE_BYTES};
use crate::browser::blob::ChosenFile;
use crate::browser::storage::indexed_db::TakeRecord;
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Ending, Event, Phase};
use crate::recorder::upload::status::UploadStart;

/// Files are read in pieces of this size.
const PIECE_BYTES: u64 = 2 << 20;

impl Recorder {
    /// Whether a file is taken now: not beside an open camera or another take, nor before an earlier one is recovered.
    pub(in crate::recorder) fn takes_files(self) -> bool {
        let has_room = matches!(
            self.phase(),
            Phase::Idle | Phase::RequestingAccess { .. } | Phase::Blocked(_)
        );
        has_room && self.is_recovered.get()
    }

    /// Gives up the file that is being read, if it isn't the take yet.
    pub(in crate::recorder) fn abandon_file(self) -> u32 {
        let load = self.file_loads.get() + 1;
        self.file_loads.set(load);
        self.clear_flags(&[Flag::Loading, Flag::SeveralFiles, Flag::NoVideoFile]);
        load
    }

    /// Takes the file that was chosen, dropped or pasted, if it is one.
    pub(in crate::recorder) fn load_files(self, files: Vec<ChosenFile>) {
        if !self.takes_files() {
            return;
        }
        let load = self.abandon_file();
        match <[ChosenFile; 1]>::try_from(files) {
            Ok([file]) => spawn_local(self.load_file(file, load)),
            Err(files) => self.set_flag(Flag::SeveralFiles, !files.is_empty()),
        }
    }

    async fn load_file(self, file: ChosenFile, load: u32) {
        let mut rejection = None;
        if file.content.length() > self.max_bytes {
            rejection = Some(Ending::TooLarge);
        } else {
            // A file that isn't on this device yet may take a minute.
            self.set_flag(Flag::Loading, true);
            let head = file.content.read_head(SIGNATURE_BYTES).await;
            // Meanwhile the person may have opened the camera, or chosen another file.
            if self.file_loads.get() != load {
                return;
            }
            self.set_flag(Flag::Loading, false);
            if !self.takes_files() {
                return;
            }
            match head {
                None => rejection = Some(Ending::Unreadable),
                Some(head) if !signature::may_be_video(&head) => {
                    return self.set_flag(Flag::NoVideoFile, true);
                }
                Some(_) => {}
            }
        }
        if !self.dispatch(Event::TakeLoaded) {
            return;
        }
        self.clear_flags(&TAKE_FLAGS);
        self.set_flag(Flag::IsFile, true);
        if let Some(ending) = rejection {
            return self.end(ending);
        }
        self.set_flag(Flag::Loading, true);
        let record = TakeRecord {
            is_file: true,
            file_name: file.name,
            ..self.new_record()
        };
        self.begin_take(record, UploadStart::default(), false);
        for piece in file.content.split(PIECE_BYTES) {
            self.add_piece(piece, 0);
        }
        self.finish_take();
    }
}
