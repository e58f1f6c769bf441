//! Shows the cameras, lenses and microphones to choose from.

use crate::browser::capture::{CaptureStream, Device, Devices};
use crate::browser::dom::element;
use crate::recorder::bindings::{Element, Flag};
use crate::recorder::capture::lens::{self, Lens};
use crate::recorder::controller::Recorder;

impl Recorder {
    /// Shows the cameras and microphones to choose from.
    /// Browsers give their names only after access was granted.
    pub(in crate::recorder) fn show_devices(self, devices: &Devices) {
        let stream = self.source.stream.borrow().clone();
        let ids = stream.as_ref().map(CaptureStream::device_ids);
        let (camera, microphone) = ids.unwrap_or_default();
        let several = |devices: &[Device]| devices.len() > 1;
        let handheld = self.has_flag(Flag::IsHandheld);
        let screen = self.has_flag(Flag::IsScreen);
        let several_cameras = !screen && several(&devices.cameras);
        self.set_flag(Flag::HasFrontAndBack, handheld && several_cameras);
        let cameras = !handheld && several_cameras;
        let microphones = several(&devices.microphones);
        self.set_flag(Flag::HasDeviceChoice, cameras || microphones);
        self.show_lenses(&devices.cameras, &camera);
        for (name, devices, selected, visible) in [
            (Element::Cameras, &devices.cameras, camera, cameras),
            (
                Element::Microphones,
                &devices.microphones,
                microphone,
                microphones,
            ),
        ] {
            for field in self.page.elements(name) {
                let options = devices.iter().map(|it| (&*it.id, &*it.label));
                element::set_options(field, options, &selected);
                element::set_field_visible(field, visible);
            }
        }
    }

    /// Shows the back cameras to choose from, if one of them is open.
    fn show_lenses(self, cameras: &[Device], opened: &str) {
        let is_camera = self.has_flag(Flag::IsHandheld) && !self.has_flag(Flag::IsScreen);
        let zooms = self.camera_tools.zooms_over_lenses();
        let lenses = match is_camera {
            true => lens::choices(cameras, opened, zooms),
            false => Vec::new(),
        };
        for field in self.page.elements(Element::Lenses) {
            let name = |lens: &Lens| match lens {
                Lens::Wide => element::data(field, "wide"),
                Lens::Main | Lens::Several => element::data(field, "main"),
                Lens::Tele => element::data(field, "tele"),
                Lens::Numbered(number) => {
                    [element::data(field, "numbered"), number.to_string()].join(" ")
                }
            };
            let names: Vec<_> = lenses.iter().map(|(id, lens)| (*id, name(lens))).collect();
            let options = names.iter().map(|(id, name)| (*id, name.as_str()));
            element::set_options(field, options, opened);
        }
        self.set_flag(Flag::HasLenses, !lenses.is_empty());
    }
}
