//! The last choice of source and devices, stored on this device. Pure but for the storage.

use crate::browser::capture::CaptureOptions;
use crate::browser::storage::local_storage;

/// The key in `localStorage`.
const KEY: &str = "vidence.choice";

/// Loads the last choice.
/// The first time it is the rear camera, as what is asked for is mostly in front of the person.
pub fn load() -> CaptureOptions {
    let stored = local_storage::get(KEY);
    stored.as_deref().and_then(parse).unwrap_or(CaptureOptions {
        screen: false,
        front: false,
        audio: true,
        camera: String::new(),
        microphone: String::new(),
        full_hd: false,
    })
}

/// Stores a choice.
pub fn store(options: &CaptureOptions) {
    local_storage::set(KEY, &serialize(options));
}

/// Three lines: a letter for each option that is on, the camera, the microphone.
/// The size is chosen anew each time.
fn serialize(options: &CaptureOptions) -> String {
    let letter = |is_on, letter| if is_on { letter } else { "-" };
    [
        letter(options.screen, "s"),
        letter(options.front, "f"),
        letter(options.audio, "a"),
        "\n",
        &options.camera,
        "\n",
        &options.microphone,
    ]
    .concat()
}

fn parse(text: &str) -> Option<CaptureOptions> {
    let mut lines = text.split('\n');
    let mut letters = lines.next()?.chars();
    Some(CaptureOptions {
        screen: letters.next()? == 's',
        front: letters.next()? == 'f',
        audio: letters.next()? == 'a',
        camera: lines.next()?.to_owned(),
        microphone: lines.next()?.to_owned(),
        full_hd: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parsed_as_they_were_serialized() {
        for screen in [true, false] {
            let options = CaptureOptions {
                screen,
                front: !screen,
                audio: screen,
                camera: "a1b2".to_owned(),
                microphone: String::new(),
                full_hd: false,
            };
            assert_eq!(parse(&serialize(&options)), Some(options));
        }
        assert_eq!(parse("another format"), None);
    }
}
