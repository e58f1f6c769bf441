//! Among several back cameras the main one is opened, unless the person chose another.

use crate::browser;
use crate::browser::capture::{CaptureError, CaptureOptions, CaptureStream, Devices, TrackKind};
use crate::recorder::bindings::Flag;
use crate::recorder::capture::lens;
use crate::recorder::controller::Recorder;

impl Recorder {
    /// Replaces the back camera that the browser has opened by the main one, unless the person chose a camera. An error:
    /// now none is open.
    pub(super) async fn use_main_lens(
        self,
        stream: &CaptureStream,
        options: &CaptureOptions,
    ) -> Result<(), CaptureError> {
        let is_chosen = options.screen || options.front || !options.camera.is_empty();
        if is_chosen || !self.has_flag(Flag::IsHandheld) {
            return Ok(());
        }
        // Only now, as browsers give the names only after access was granted.
        let devices = Devices::list().await;
        let (opened, _) = stream.device_ids();
        let Some(main) = lens::main_camera(&devices.cameras, &opened) else {
            return Ok(());
        };
        // Firefox on Android would ask for permission again, as it asks for each camera.
        let is_asked = self.source.knows_cameras.get() != Some(true)
            && !browser::capture::is_camera_granted().await;
        if is_asked {
            return Ok(());
        }
        let main = CaptureOptions {
            camera: main.to_owned(),
            ..options.clone()
        };
        stream.replace_track(TrackKind::Video, &main).await?;
        self.source.lens.replace(main.camera);
        Ok(())
    }

    /// Changes to a back camera, for as long as the page is open.
    pub(in crate::recorder) fn choose_lens(self, camera: String) {
        self.change_track(TrackKind::Video, Some(camera));
    }
}
