//! The names that bind the server-rendered page to the island.
//!
//! The server renders all text and all controls, in the person's language. The island shows what belongs to the current
//! state, fills in numbers and handles buttons; so the WASM carries neither text nor markup.
//!
//! | attribute | on | the island |
//! |---|---|---|
//! | `data-state` | the root | writes the name of the state |
//! | `camera-stage`, `review-stage` | the document, as classes | sets one while the page is a dark stage |
//! | `data-when` | any element | shows it in these states; `blocked` and `ended` stand for all of theirs |
//! | `data-if` | any element | shows it while these [`Flag`]s are set; with `!` before a name: while that one isn't |
//! | `data-action` | a button | performs this [`Action`]; the button is disabled until then |
//! | `data-slot` | any element | fills in this [`Slot`] |
//! | `data-element` | an element | uses it as this [`Element`] |
//! | `data-announces` | a hidden text | announces it when this state or this [`Flag`] begins |

/// How long the countdown takes before a recording begins.
pub const COUNTDOWN_SECONDS: u8 = 3;

/// The zoom factors that have buttons, in tenths. Their number is in `data-zoom`.
pub const ZOOM_PRESETS: [u32; 4] = [5, 10, 20, 50];

/// Declares an enum whose variants have names in the markup.
macro_rules! markup_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All variants.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in the markup.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The variant with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == name)
            }
        }
    };
}

markup_enum! {
    /// What a button does.
    Action {
        /// Opens the source that was chosen last, camera or screen, after it couldn't be opened.
        Retry = "retry",
        /// Opens the camera.
        OpenCamera = "open-camera",
        /// Opens the screen.
        ShareScreen = "share-screen",
        /// Changes between front and back camera.
        FlipCamera = "flip-camera",
        /// Switches the light of the camera on or off.
        SwitchTorch = "switch-torch",
        /// Closes camera or screen before anything is recorded.
        Close = "close",
        /// Starts the countdown to the recording.
        Record = "record",
        /// Ends the countdown and starts recording.
        SkipCountdown = "skip-countdown",
        /// Pauses the recording.
        Pause = "pause",
        /// Resumes the recording.
        Resume = "resume",
        /// Stops the recording.
        Stop = "stop",
        /// Submits the take.
        Submit = "submit",
        /// Cancels a submission that is under way.
        CancelSubmit = "cancel-submit",
        /// Continues in this tab with the take of another tab.
        TakeOver = "take-over",
        /// Asks whether to discard the take.
        AskDiscard = "ask-discard",
        /// Keeps the take.
        Keep = "keep",
        /// Discards the take.
        Discard = "discard",
        /// Saves the take as a file on this device.
        Save = "save",
        /// Saves the receipt of the submission on this device.
        SaveReceipt = "save-receipt",
        /// Copies the link.
        Copy = "copy",
    }
}

markup_enum! {
    /// A condition beside the state.
    Flag {
        /// The browser can record a camera.
        HasCamera = "has-camera",
        /// The browser can record the screen.
        HasScreen = "has-screen",
        /// The device has a front and a back camera.
        HasFrontAndBack = "has-front-and-back",
        /// The camera has a light.
        HasTorch = "has-torch",
        /// The camera zooms.
        HasZoom = "has-zoom",
        /// There are several back cameras to choose from.
        HasLenses = "has-lenses",
        /// There are several cameras or microphones to choose from.
        HasDeviceChoice = "has-device-choice",
        /// The device is held in a hand, so that the page doesn't offer to continue on a phone.
        IsHandheld = "is-handheld",
        /// The source that was chosen last is the screen.
        IsScreen = "is-screen",
        /// The stream, or the take, has no audio track.
        NoAudio = "no-audio",
        /// Of the screen's sound and the microphone only the first is recorded: the other couldn't be opened.
        NoMicrophone = "no-microphone",
        /// The microphone has picked up nothing for some seconds.
        Silent = "silent",
        /// The video is dark, or the lens covered.
        Dark = "dark",
        /// The device gives no frames, for example because of a switch beside the lens.
        Muted = "muted",
        /// Sound was lost during the recording: the microphone's, or that of a shared tab.
        AudioLost = "audio-lost",
        /// There is little storage left on this device.
        LowStorage = "low-storage",
        /// This browser stores nothing: a take lives as long as the page.
        MemoryOnly = "memory-only",
        /// A minute is left of the longest recording.
        LastMinute = "last-minute",
        /// The recording ended without Stop, or was cut off.
        Interrupted = "interrupted",
        /// The take was recovered from an earlier visit.
        Recovered = "recovered",
        /// The take is a file that the person chose.
        IsFile = "is-file",
        /// Files are dragged over the page, which would take one.
        Dropping = "dropping",
        /// The person chose several files at once.
        SeveralFiles = "several-files",
        /// The person chose a file that is no video.
        NoVideoFile = "no-video-file",
        /// The take, or the file that may become it, is being read from this device.
        Loading = "loading",
        /// This browser can't play the file.
        NotPlayable = "not-playable",
        /// There is a clip to play and to save.
        HasClip = "has-clip",
        /// The link closes in a few minutes.
        ClosesSoon = "closes-soon",
        /// The take can't be played any more, because its beginning was deleted here to make room.
        NoPreview = "no-preview",
        /// The file contains the location where it was filmed.
        HasLocation = "has-location",
        /// The upload fails, and is retried.
        Retrying = "retrying",
        /// The upload fails because the server has no room.
        ServerFull = "server-full",
        /// The browser knows that there is no network.
        Offline = "offline",
        /// All of the take is committed on the server.
        Complete = "complete",
        /// The server seals the take.
        Sealing = "sealing",
        /// There is a receipt of the submission.
        HasReceipt = "has-receipt",
        /// The link was copied.
        Copied = "copied",
        /// Another device is recording for the same link.
        RecordedElsewhere = "recorded-elsewhere",
    }
}

markup_enum! {
    /// A number or time that the island fills in. The texts name these in braces.
    Slot {
        /// Seconds left of the countdown.
        Count = "count",
        /// Duration of the take: `0:42`.
        Recorded = "recorded",
        /// How much of the take is committed, as a duration: `0:38`.
        Sent = "sent",
        /// How much longer the recording may be.
        Left = "left",
        /// Size of the take: `12.4 MB`.
        Size = "size",
        /// How much of the take is committed: `38 %`.
        Percent = "percent",
        /// How much of a file is read, likewise.
        Read = "read",
        /// The name of the chosen file.
        Name = "name",
        /// Duration and size of what was sent: `0:42 · 12.4 MB`.
        Summary = "summary",
        /// When it was sent, in the person's own time zone.
        SentAt = "time",
        /// When the link closes, in the person's own time zone.
        Until = "until",
    }
}

markup_enum! {
    /// An element that the island reads or controls.
    Element {
        /// `<video>`: the preview of camera or screen.
        Live = "live",
        /// `<video>`: the take.
        Review = "review",
        /// `<meter>`, from 0 to 1: the level of the microphone.
        AudioLevel = "audio-level",
        /// `<progress>`, from 0 to 1: how much of the take is committed.
        Progress = "progress",
        /// `<select>` of cameras.
        Cameras = "cameras",
        /// `<a>` out of an app's own browser. Its `data-system` is `ios` or `android`.
        LinkOutside = "link-outside",
        /// `<select>` of back cameras.
        /// Its `data-wide`, `data-main`, `data-tele` and `data-numbered` are their names.
        Lenses = "lenses",
        /// The button that switches the light.
        Torch = "torch",
        /// A button of one of [`ZOOM_PRESETS`].
        ZoomPreset = "zoom-preset",
        /// `<input type=range>`: the zoom in tenths.
        ZoomSlider = "zoom-slider",
        /// The ring where the camera focuses.
        FocusRing = "focus-ring",
        /// `<select>` of microphones.
        Microphones = "microphones",
        /// `<input type=checkbox>`: whether to record the microphone. There are several.
        AudioToggle = "audio-toggle",
        /// `<input type=file>`: an existing video, or one by the phone's camera app. There are several.
        FileInput = "file-input",
        /// What the receipt says, for the file.
        Receipt = "receipt",
        /// The live region (`role=status`), filled with the text of an [`Element::Announcement`].
        LiveRegion = "live-region",
        /// A hidden text to announce; its `data-announces` names the state or the [`Flag`].
        Announcement = "announcement",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_found_by_its_name() {
        macro_rules! check {
            ($($name:ident)*) => {$(
                assert!($name::ALL.iter().all(|it| $name::from_name(it.name()) == Some(*it)));
            )*};
        }
        check!(Action Flag Slot Element);
    }
}
