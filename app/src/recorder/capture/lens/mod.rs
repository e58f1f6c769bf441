//! Tells the back cameras of a phone apart, by their labels. Pure.
//!
//! Android numbers its cameras, and number 0 of the back ones is the main one by convention; browsers list them in any
//! order and open any of them. iOS names its lenses in the system's language, and beside them cameras of several lenses,
//! one of which it opens by itself: it zooms over all its lenses.

#[cfg(test)]
mod tests;

use crate::browser::capture::Device;

/// Which lens a camera has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lens {
    /// The ultra-wide one.
    Wide,
    /// The main one.
    Main,
    /// The telephoto one.
    Tele,
    /// Several, among which the system chooses by the zoom.
    Several,
    /// Unknown; with its number among the cameras on offer, from 1.
    Numbered(usize),
}

/// Stems of words for the back of a device in the labels of Android, and of iOS in the pages' languages, as far as those are known.
/// ASCII letters are in lower case; other stems begin behind what may be a capital letter, as the tables of Unicode would
/// add to the WASM. One text instead of many, whose addresses would.
const BACK: &str = "back rear environment rück arriè trase trás poster tyln arka achter belak sau адня 背面 后置 後置 후 \
                    خلفية बैक";

/// Words for the ultra-wide lens, and so on.
const WIDE: &str = "ultra льтра 超 울트라 فائق अल्ट्रा";

const TELE: &str = "tele télé еле 望遠 长焦 망원 مقرب टेली";

const SEVERAL: &str = "dual doub dobl dupl doppi dwuob dwik ganda ift kép двоєн デュアル 双 雙 듀얼 مزدوج ड्युअल tripl trój çlü \
                       トリプル 三 트리플 ثلاثي ट्रिपल";

/// Whether a camera is at the back of the device. Where the browser doesn't say, its label does.
fn is_back(camera: &Device) -> bool {
    match camera.facing.as_str() {
        "" => has_word(&camera.label, BACK),
        facing => facing == "environment",
    }
}

fn has_word(label: &str, words: &str) -> bool {
    // By bytes: the library's search for texts is larger, and faster than a few labels need.
    let label = label.to_ascii_lowercase().into_bytes();
    let is_in_label = |word: &[u8]| label.windows(word.len()).any(|it| it == word);
    words.as_bytes().split(|it| *it == b' ').any(is_in_label)
}

/// The lens by the label alone. Without any of the words it is the main one, or an Android camera.
fn named_lens(label: &str) -> Option<Lens> {
    [
        (Lens::Several, SEVERAL),
        (Lens::Wide, WIDE),
        (Lens::Tele, TELE),
    ]
    .into_iter()
    .find_map(|(lens, words)| has_word(label, words).then_some(lens))
}

/// The number of an Android camera: `camera2 0, facing back` in Chrome, `Camera 0, Facing back, …` in Firefox.
fn android_number(label: &str) -> Option<u32> {
    let (camera, _) = label.split_once(',')?;
    camera.rsplit(' ').next()?.parse().ok()
}

/// The back camera to open if the person chose none, by its `deviceId`.
/// `None`: the one that the browser has opened.
pub fn main_camera<'a>(cameras: &'a [Device], opened: &str) -> Option<&'a str> {
    let back = || cameras.iter().filter(|it| is_back(it));
    let is_plain = |camera: &&Device| named_lens(&camera.label).is_none();
    let numbered = back().filter(is_plain);
    let numbered = numbered.filter_map(|it| Some((android_number(&it.label)?, it)));
    let main = match numbered.min_by_key(|(number, _)| *number) {
        Some((_, lowest)) => lowest,
        None => {
            let current = back().find(|it| it.id == opened);
            let is_special =
                |it: &Device| matches!(named_lens(&it.label), Some(Lens::Wide | Lens::Tele));
            if current.is_some_and(|it| !is_special(it)) {
                return None;
            }
            back()
                .find(is_plain)
                .or_else(|| back().find(|it| !is_special(it)))?
        }
    };
    (main.id != opened).then_some(&main.id)
}

/// The back cameras to choose from; none if there is no choice.
/// `opened` is the `deviceId` of the camera that is open, `zooms` whether it zooms: a camera of several lenses that
/// does needs no choice.
pub fn choices<'a>(cameras: &'a [Device], opened: &str, zooms: bool) -> Vec<(&'a str, Lens)> {
    let back = cameras.iter().filter(|it| is_back(it));
    let Some(current) = back.clone().find(|it| it.id == opened) else {
        return Vec::new();
    };
    let is_several = |camera: &Device| named_lens(&camera.label) == Some(Lens::Several);
    if is_several(current) && zooms {
        return Vec::new();
    }
    // From the widest to the longest, as in camera apps; plain ones by their numbers. Sorted by insertion: the library's
    // sort would add kilobytes to the WASM.
    let mut offered: Vec<(u32, &Device)> = Vec::new();
    for camera in back {
        let place = match named_lens(&camera.label) {
            Some(Lens::Wide) => 0,
            Some(Lens::Several) if camera.id != opened => continue,
            Some(Lens::Tele) => u32::MAX,
            _ => android_number(&camera.label).unwrap_or(0).saturating_add(1),
        };
        let later = offered.iter().position(|(it, _)| *it > place);
        offered.insert(later.unwrap_or(offered.len()), (place, camera));
    }
    if offered.len() < 2 {
        return Vec::new();
    }
    let is_plain = |camera: &Device| named_lens(&camera.label).is_none();
    let plain = offered.iter().filter(|(_, it)| is_plain(it)).count();
    // Several plain ones without numbers have labels that say nothing.
    let is_android = |(_, it): &(u32, &Device)| android_number(&it.label).is_some();
    let mut has_main = plain == 1 || offered.iter().any(is_android);
    let mut lenses = Vec::new();
    for (at, (_, camera)) in offered.into_iter().enumerate() {
        let lens =
            named_lens(&camera.label).unwrap_or_else(|| match std::mem::take(&mut has_main) {
                true => Lens::Main,
                false => Lens::Numbered(at + 1),
            });
        lenses.push((camera.id.as_str(), lens));
    }
    lenses
}
