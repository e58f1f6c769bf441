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

/// Front, of several lenses, ultra-wide, main and telephoto, as iOS calls them in languages of the pages.
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
    [
        "전면 카메라",
        "후면 듀얼 와이드 카메라",
        "후면 울트라 와이드 카메라",
        "후면 카메라",
        "후면 망원 카메라",
    ],
    [
        "前置相機",
        "後置雙廣角相機",
        "後置超廣角相機",
        "後置相機",
        "後置望遠相機",
    ],
    [
        "Kamera Depan",
        "Dwikamera Lebar Belakang",
        "Kamera Ultra Lebar Belakang",
        "Kamera Belakang",
        "Kamera Telefoto Belakang",
    ],
];

/// Of several lenses, and main, where the labels of the others aren't known.
const PARTLY_KNOWN: &[[&str; 2]] = &[
    ["Задня здвоєна ширококутна камера", "Задня камера"],
    ["Camera kép rộng mặt sau", "Camera mặt sau"],
    ["Kamera Lebar Belakang Ganda", "Kamera Belakang"],
    ["Back Dual Wide Camera", "Camera aan achterzijde"],
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
fn the_labels_of_ios_are_known_in_the_languages_of_the_pages() {
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
fn a_camera_of_several_lenses_is_not_taken_for_the_main_one() {
    for [several, main] in PARTLY_KNOWN {
        let cameras = cameras(&["Front Camera", several, main]);
        assert_eq!(named_lens(several), Some(Lens::Several), "{several}");
        assert_eq!(main_camera(&cameras, "Front Camera"), Some(*main));
        assert_eq!(main_camera(&cameras, several), None, "{several}");
    }
    let dutch = "Ultragroothoekcamera aan achterzijde";
    assert_eq!(named_lens(dutch), Some(Lens::Wide));
}

#[test]
fn cameras_with_unknown_labels_are_numbered_in_order() {
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
fn a_single_back_camera_offers_no_choice_of_lenses() {
    let phone = cameras(&["Front Camera", "Back Camera"]);
    assert_eq!(choices(&phone, "Back Camera", true), []);
    assert_eq!(main_camera(&phone, "Back Camera"), None);
    let laptop = cameras(&["FaceTime HD Camera"]);
    assert_eq!(main_camera(&laptop, "FaceTime HD Camera"), None);
}
