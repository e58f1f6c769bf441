//! The names by which the page and the island know each other. The server renders all that there is to
//! read and to press, in the person's language; the island knows no word of it: it shows what belongs to a
//! state, fills in numbers, and hears buttons. So the WASM carries no text and no markup.
//!
//! | attribute | on | the island |
//! |---|---|---|
//! | `data-state` | the root | writes the name of the state |
//! | `data-when` | anything | shows it in these states; `blocked` and `over` stand for all of theirs |
//! | `data-if` | anything | shows it while this [`Flag`] is up; `!` before it: while it isn't |
//! | `data-do` | a button | does this [`Deed`]; before that it can't be pressed |
//! | `data-show` | an element | fills in this [`Figure`] |
//! | `data-part` | an element | finds this [`Part`] |

/// How long the countdown takes before a recording begins.
pub const COUNTDOWN_SECONDS: u8 = 3;

/// Declares an enum whose variants have names in the markup.
macro_rules! marks {
    ($(#[$about:meta])* $mark:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $mark { $($(#[$doc])* $variant,)* }

        impl $mark {
            /// All there are.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// As it stands in the markup.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The one with this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == name)
            }
        }
    };
}

marks! {
    /// What a button does.
    Action {
        /// Switches on what was chosen last: camera or screen. Also "try again".
        Ask = "ask",
        /// Switches the camera on.
        Camera = "camera",
        /// Shares the screen.
        Screen = "screen",
        /// Back to the other camera.
        Flip = "flip",
        /// Switches camera or screen off, before anything is recorded.
        Close = "close",
        /// Counts down, and records.
        Record = "record",
        /// Records at once; ends the countdown.
        Skip = "skip",
        /// Holds the recording.
        Pause = "pause",
        /// Goes on with it.
        Resume = "resume",
        /// Ends it.
        Stop = "stop",
        /// Sends the take.
        Submit = "submit",
        /// Not yet.
        Hold = "hold",
        /// Goes on here with what another tab has.
        TakeOver = "take-over",
        /// Asks whether to throw the take away.
        Reconsider = "reconsider",
        /// Keeps it.
        Keep = "keep",
        /// Throws it away.
        Discard = "discard",
        /// Saves the take as a file on this device.
        Save = "save",
        /// Copies the link.
        Copy = "copy",
    }
}

marks! {
    /// What holds or doesn't, beside the state.
    Flag {
        /// This device can film.
        HasCamera = "has-camera",
        /// It can share its screen.
        HasScreen = "has-screen",
        /// It has a front and a back camera.
        HasTwoSides = "has-two-sides",
        /// It has several cameras or microphones to choose from.
        HasDevices = "has-devices",
        /// It is held in a hand, so that it makes no sense to go on with a phone.
        IsHandheld = "is-handheld",
        /// What was chosen last is the screen.
        IsScreen = "is-screen",
        /// What is on, or was recorded, has no sound.
        IsSilent = "is-silent",
        /// Nothing is heard.
        Unheard = "unheard",
        /// The picture is dark or covered.
        Dark = "dark",
        /// The device itself gives no picture, such as by a switch beside the lens.
        Muted = "muted",
        /// The microphone was lost in the middle of a recording.
        SoundLost = "sound-lost",
        /// There is little room left on this device.
        LittleRoom = "little-room",
        /// This browser keeps nothing: a recording lives as long as the page.
        Unkept = "unkept",
        /// A minute is left of the longest recording.
        LastMinute = "last-minute",
        /// The recording ended by itself, or was cut off.
        Interrupted = "interrupted",
        /// It comes from an earlier visit.
        Resumed = "resumed",
        /// It is a file that was chosen.
        IsFile = "is-file",
        /// It is being read from the device.
        Reading = "reading",
        /// This browser can't play it.
        NoPlayer = "no-player",
        /// There is a clip to watch and to save.
        HasClip = "has-clip",
        /// The link closes in a few minutes.
        ClosesSoon = "closes-soon",
        /// It can't be shown any more, because room was needed.
        NoPreview = "no-preview",
        /// It says where it was filmed.
        Located = "located",
        /// Sending fails for now.
        Waiting = "waiting",
        /// It fails because the server has no room.
        ServerFull = "server-full",
        /// The browser knows that there is no network.
        Offline = "offline",
        /// All of it is safe on the server.
        Complete = "complete",
        /// It has arrived and is made ready.
        Preparing = "preparing",
        /// The link was copied.
        Copied = "copied",
        /// Another device records.
        OtherRecords = "other-records",
    }
}

marks! {
    /// What is filled in.
    Slot {
        /// The countdown.
        Count = "count",
        /// How long the recording is: `0:42`.
        Recorded = "recorded",
        /// How much of it is safe on the server: `0:38`.
        Sent = "sent",
        /// How long it may still go on.
        Left = "left",
        /// Its size: `12.4 MB`.
        Size = "size",
        /// How much of it is safe: `38 %`.
        Percent = "percent",
        /// When the link closes, in the person's own time zone.
        Until = "until",
    }
}

marks! {
    /// Elements with a use of their own.
    Element {
        /// `<video>`: what the camera sees.
        Live = "live",
        /// `<video>`: the take.
        Review = "review",
        /// `<meter>`, from 0 to 1: how loud it is.
        Level = "level",
        /// `<progress>`, from 0 to 1: how much is sent.
        Progress = "progress",
        /// `<select>`: cameras.
        Cameras = "cameras",
        /// `<select>`: microphones.
        Microphones = "microphones",
        /// `<input type=checkbox>`: whether there is sound.
        Sound = "sound",
        /// `<input type=file>`, several: a video that is there already, or by the phone's own camera.
        File = "file",
        /// `role=status`: what is announced. Filled with the text of a [`Part::Said`].
        Announcer = "announcer",
        /// Hidden texts to announce; `data-said` names the state or the [`Flag`] that each belongs to.
        Said = "said",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found_by_its_name() {
        assert!(
            Action::ALL
                .iter()
                .all(|it| Action::named(it.name()) == Some(*it))
        );
        assert!(
            Flag::ALL
                .iter()
                .all(|it| Flag::named(it.name()) == Some(*it))
        );
        assert!(
            Slot::ALL
                .iter()
                .all(|it| Slot::named(it.name()) == Some(*it))
        );
        assert!(
            Element::ALL
                .iter()
                .all(|it| Element::named(it.name()) == Some(*it))
        );
    }
}
