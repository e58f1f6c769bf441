//! Opens camera or screen with the microphone, and closes them.

use leptos::task::spawn_local;

use crate::browser;
use crate::browser::capture::{CaptureError, CaptureOptions, CaptureStream, Device, Devices};
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Obstacle, Phase};

impl Recorder {
    /// Opens the source that was chosen last.
    pub(in crate::recorder) fn open_source(self) {
        let Phase::RequestingAccess { attempt } = self.phase() else {
            return;
        };
        self.abandon_file();
        self.clear_flags(&[Flag::Copied, Flag::Interrupted, Flag::Recovered]);
        let options = self.capture_options();
        self.set_flag(Flag::IsScreen, options.screen);
        if !browser::capture::can_record() {
            // Before the person is asked for access that would be of no use.
            return self.try_dispatch(Event::AccessFailed(Obstacle::Unsupported));
        }
        spawn_local(async move {
            let opened = self.open_stream(&options).await;
            // The person may have cancelled meanwhile; dropping the stream closes it.
            let is_awaited =
                matches!(self.phase(), Phase::RequestingAccess { attempt: it } if it == attempt);
            if !is_awaited {
                return;
            }
            match opened {
                Ok(stream) => {
                    self.source.stream.replace(Some(stream));
                    self.source.full_hd.set(options.full_hd);
                    self.reset_camera_tools();
                    self.show_preview();
                    self.try_dispatch(Event::AccessGranted);
                }
                Err(error) => {
                    let obstacle = obstacle(error, options.screen);
                    self.try_dispatch(Event::AccessFailed(obstacle));
                }
            }
        });
    }

    /// Opens a stream. Among several back cameras it is the main one, unless the person chose another.
    async fn open_stream(self, options: &CaptureOptions) -> Result<CaptureStream, CaptureError> {
        let is_first = self.source.knows_cameras.get().is_none();
        if is_first && !options.screen && self.has_flag(Flag::IsHandheld) {
            let devices = Devices::list().await;
            let is_named = |it: &Device| !it.label.is_empty();
            let knows = devices.cameras.iter().any(is_named);
            self.source.knows_cameras.set(Some(knows));
        }
        let stream = CaptureStream::open(options).await?;
        if self.use_main_lens(&stream, options).await.is_ok() {
            return Ok(stream);
        }
        stream.stop();
        CaptureStream::open(options).await
    }

    /// Closes the stream with its recording and its monitor.
    pub(in crate::recorder) fn close_stream(self) {
        self.switch_torch_off();
        self.monitor.replace(None);
        self.recording.replace(None);
        self.detach_preview();
        if let Some(stream) = self.source.stream.take() {
            // Explicitly, because clones of it may exist.
            stream.stop();
        }
        self.reset_camera_tools();
        self.clear_flags(&[Flag::Silent, Flag::Dark, Flag::Muted, Flag::LastMinute]);
    }
}

/// What an error means to the person.
pub(super) fn obstacle(error: CaptureError, is_screen: bool) -> Obstacle {
    match error {
        // To cancel the choice of a screen blocks nothing.
        CaptureError::NotAllowed | CaptureError::NotFound | CaptureError::NotReadable
            if is_screen =>
        {
            Obstacle::NoScreen
        }
        CaptureError::NotAllowed => Obstacle::Denied,
        CaptureError::NotFound => Obstacle::NoCamera,
        CaptureError::NotReadable => Obstacle::Busy,
        CaptureError::InsecureContext => Obstacle::Insecure,
        CaptureError::Unsupported => Obstacle::Unsupported,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_choice_of_a_screen_does_not_block_the_camera() {
        for (error, of_camera, of_screen) in [
            (
                CaptureError::NotAllowed,
                Obstacle::Denied,
                Obstacle::NoScreen,
            ),
            (
                CaptureError::NotFound,
                Obstacle::NoCamera,
                Obstacle::NoScreen,
            ),
            (
                CaptureError::NotReadable,
                Obstacle::Busy,
                Obstacle::NoScreen,
            ),
            (
                CaptureError::InsecureContext,
                Obstacle::Insecure,
                Obstacle::Insecure,
            ),
            (
                CaptureError::Unsupported,
                Obstacle::Unsupported,
                Obstacle::Unsupported,
            ),
        ] {
            assert_eq!(obstacle(error, false), of_camera);
            assert_eq!(obstacle(error, true), of_screen);
        }
    }
}
