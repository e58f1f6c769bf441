//! Tells the back cameras of a phone apart, by their labels. Pure.
//!
//! Android numbers its cameras, and number 0 of the back ones is the main one by convention; browsers list them in any
//! order and open any of them. iOS names its lenses in the system's language, and beside them cameras of several lenses,
//! one of which it opens by itself: it zooms over all its lenses.

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

/// Words for the back of a device in the labels of Android, and of iOS in twelve of the pages' languages. ASCII letters are
/// in lower case; of others there are both, as the tables of Unicode would add to the WASM.
const BACK: &[&str] = &[
    "back",
    "rear",
    "environment",
    "rück",
    "arrière",
    "traser",
    "traseir",
    "trás",
    "posterior",
    "tyln",
    "arka",
    "背面",
    "后置",
    "خلفية",
    "बैक",
];

/// Words for the ultra-wide lens, and so on.
const WIDE: &[&str] = &["ultra", "超", "فائق", "अल्ट्रा"];

const TELE: &[&str] = &["tele", "télé", "望遠", "长焦", "مقرب", "टेली"];

const SEVERAL: &[&str] = &[
    "dual",
    "double",
    "doble",
    "dupla",
    "doppia",
    "dwuobiektyw",
    "çift",
    "Çift",
    "デュアル",
    "双",
    "مزدوج",
    "ड्युअल",
    "tripl",
    "trójobiektyw",
    "üçlü",
    "Üçlü",
    "トリプル",
    "三",
    "ثلاثي",
    "ट्रिपल",
];

/// Whether a camera is at the back of the device. Where the browser doesn't say, its label does.
fn is_back(camera: &Device) -> bool {
    match camera.facing.as_str() {
        "" => has_word(&camera.label, BACK),
        facing => facing == "environment",
    }
}

fn has_word(label: &str, words: &[&str]) -> bool {
    // By bytes: the library's search for texts is larger, and faster than a few labels need.
    let label = label.to_ascii_lowercase().into_bytes();
    let is_in_label = |word: &&str| label.windows(word.len()).any(|it| it == word.as_bytes());
    words.iter().any(is_in_label)
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

/// The back camera to open if the person chose none, by its `deviceId`. `None`: the one that the browser has opened.
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

/// The back cameras to choose from; none if there is no choice. `opened` is the `deviceId` of the camera that is open,
/// `zooms` whether it zooms: a camera of several lenses that does needs no choice.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Cameras whose ids are their labels, and whose side only the labels tell.
    fn cameras(labels: &[&str]) -> Vec<Device> {
        let camera = |label: &&str| Device {
            id: (*label).to_owned(),
            label: (*label).to_owned(),
            facing: String::new(),
        };
        labels.iter().map(camera).collect()
    }

    /// Chrome on a phone with four back cameras, in its order.
    const ANDROID: &[&str] = &[
        "camera2 1, facing front",
        "camera2 4, facing back",
        "camera2 3, facing back",
        "camera2 2, facing back",
        "camera2 0, facing back",
    ];

    const FIREFOX_ANDROID: &[&str] = &[
        "Camera 1, Facing front, Orientation 270",
        "Camera 2, Facing back, Orientation 90",
        "Camera 0, Facing back, Orientation 90",
    ];

    const IPHONE_PRO: &[&str] = &[
        "Front Camera",
        "Back Triple Camera",
        "Back Dual Wide Camera",
        "Back Ultra Wide Camera",
        "Back Dual Camera",
        "Back Camera",
        "Back Telephoto Camera",
    ];

    /// Front, of several lenses, ultra-wide, main and telephoto, as iOS calls them in the languages of the pages.
    const LOCALIZED: &[[&str; 5]] = &[
        [
            "Frontkamera",
            "Rückseitige Dual-Weitwinkelkamera",
            "Rückseitige Ultra-Weitwinkelkamera",
            "Rückkamera",
            "Rückseitige Telefotokamera",
        ],
        [
            "Caméra avant",
            "Double caméra grand angle arrière",
            "Caméra ultra grand angle arrière",
            "Caméra arrière",
            "Téléobjectif arrière",
        ],
        [
            "Cámara delantera",
            "Cámara amplia posterior doble",
            "Cámara ultra gran angular trasera",
            "Cámara trasera",
            "Teleobjetivo trasero",
        ],
        [
            "Fotocamera (anteriore)",
            "Fotocamera doppia con grandangolo (posteriore)",
            "Fotocamera con ultra-grandangolo (posteriore)",
            "Fotocamera (posteriore)",
            "Fotocamera con teleobiettivo (posteriore)",
        ],
        [
            "Câmera Frontal",
            "Câmera Traseira Dupla Grande-Angular",
            "Câmera Traseira Ultra-Angular",
            "Câmera Traseira",
            "Câmera Traseira Teleobjetiva",
        ],
        [
            "Aparat przedni",
            "Tylny dwuobiektywowy aparat szerokokątny",
            "Tylny aparat ultraszerokokątny",
            "Tylny aparat",
            "Tylny teleobiektyw",
        ],
        [
            "Ön Kamera",
            "Çift Geniş Kamera Arka Yüzü",
            "Ultra Geniş Arka Kamera",
            "Arka Kamera",
            "Telefoto Arka Kamera",
        ],
        [
            "前面カメラ",
            "背面デュアル広角カメラ",
            "背面超広角カメラ",
            "背面カメラ",
            "背面望遠カメラ",
        ],
        [
            "前置相机",
            "后置双广角镜头",
            "后置超广角相机",
            "后置相机",
            "后置长焦相机",
        ],
        [
            "الكاميرا الأمامية",
            "كاميرا خلفية مزدوجة عريضة",
            "كاميرا خلفية فائقة الاتساع",
            "الكاميرا الخلفية",
            "كاميرا خلفية مقربة",
        ],
        [
            "फ़्रंट कैमरा",
            "बैक ड्युअल वाइड कैमरा",
            "बैक अल्ट्रा वाइड कैमरा",
            "बैक कैमरा",
            "बैक टेलीफ़ोटो कैमरा",
        ],
    ];

    #[test]
    fn the_main_camera_of_an_android_phone_has_the_lowest_number() {
        let (chrome, firefox) = (cameras(ANDROID), cameras(FIREFOX_ANDROID));
        for opened in ["camera2 4, facing back", "camera2 1, facing front", ""] {
            assert_eq!(main_camera(&chrome, opened), Some("camera2 0, facing back"));
        }
        assert_eq!(
            main_camera(&chrome, "camera2 0, facing back"),
            None,
            "opened"
        );
        let main = main_camera(&firefox, FIREFOX_ANDROID[1]);
        assert_eq!(main, Some(FIREFOX_ANDROID[2]));
    }

    #[test]
    fn a_label_that_names_the_lens_counts_more_than_its_number() {
        let named = cameras(&[
            "camera2 0, facing back, ultra wide",
            "camera2 2, facing back",
        ]);
        let main = main_camera(&named, &named[0].id);
        assert_eq!(main, Some("camera2 2, facing back"));
        let lenses = choices(&named, &named[0].id, true);
        assert_eq!(lenses[0].1, Lens::Wide);
        assert_eq!(lenses[1].1, Lens::Main);
    }

    #[test]
    fn lenses_of_an_android_phone_have_numbers() {
        let cameras = cameras(ANDROID);
        assert_eq!(
            choices(&cameras, "camera2 0, facing back", true),
            [
                ("camera2 0, facing back", Lens::Main),
                ("camera2 2, facing back", Lens::Numbered(2)),
                ("camera2 3, facing back", Lens::Numbered(3)),
                ("camera2 4, facing back", Lens::Numbered(4)),
            ]
        );
        let front = choices(&cameras, "camera2 1, facing front", true);
        assert_eq!(front, [], "of the front camera");
    }

    #[test]
    fn a_camera_of_several_lenses_needs_no_choice_where_it_zooms() {
        let cameras = cameras(IPHONE_PRO);
        let triple = "Back Triple Camera";
        assert_eq!(main_camera(&cameras, triple), None);
        assert_eq!(choices(&cameras, triple, true), []);
        // Before iOS 17.
        let lenses: Vec<_> = choices(&cameras, "Back Camera", false);
        assert_eq!(
            lenses,
            [
                ("Back Ultra Wide Camera", Lens::Wide),
                ("Back Camera", Lens::Main),
                ("Back Telephoto Camera", Lens::Tele),
            ]
        );
    }

    #[test]
    fn the_labels_of_ios_are_known_in_twelve_languages() {
        for labels in LOCALIZED {
            let cameras = cameras(labels);
            let [front, several, wide, main, tele] = *labels;
            assert_eq!(main_camera(&cameras, several), None, "{several}");
            for opened in [front, wide, tele] {
                assert_eq!(main_camera(&cameras, opened), Some(main), "{opened}");
            }
            assert_eq!(
                choices(&cameras, main, true),
                [(wide, Lens::Wide), (main, Lens::Main), (tele, Lens::Tele)]
            );
        }
    }

    #[test]
    fn cameras_without_telling_labels_have_numbers_and_stay_as_they_are() {
        let unknown = |id: &str, facing: &str| Device {
            id: id.to_owned(),
            label: "Kamera".to_owned(),
            facing: facing.to_owned(),
        };
        let cameras = [
            unknown("a", "environment"),
            unknown("b", "user"),
            unknown("c", "environment"),
        ];
        assert_eq!(main_camera(&cameras, "c"), None);
        assert_eq!(
            choices(&cameras, "c", false),
            [("a", Lens::Numbered(1)), ("c", Lens::Numbered(2))]
        );
    }

    #[test]
    fn one_back_camera_is_no_choice() {
        let phone = cameras(&["Front Camera", "Back Camera"]);
        assert_eq!(choices(&phone, "Back Camera", true), []);
        assert_eq!(main_camera(&phone, "Back Camera"), None);
        let laptop = cameras(&["FaceTime HD Camera"]);
        assert_eq!(main_camera(&laptop, "FaceTime HD Camera"), None);
    }
}
