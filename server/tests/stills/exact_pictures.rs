//! Pictures on demand: any one of a video, not only its keyframes.

use media::{Container, Reader, Summary};
use stills::{CodedGroup, Decoders, Moment, Still, exact, make};

use crate::brightening::*;
use crate::fixtures::*;

const MP4: [&[&str]; 4] = [
    &["libx264", "-pix_fmt", "yuv420p"],
    &["libx264", "-pix_fmt", "yuv420p10le"],
    &X265,
    &["libaom-av1", "-cpu-used", "8", "-pix_fmt", "yuv420p"],
];

fn summarize(container: Container, recording: &[u8]) -> Summary {
    let mut reader = Reader::new(container);
    reader.feed(recording);
    reader.finish().expect("a recording").summary
}

async fn decode(
    decoders: &Decoders,
    summary: &Summary,
    recording: &[u8],
    wanted: &[usize],
) -> Vec<Still> {
    let groups = exact(&summary.pictures, wanted, 320 * 180).into_iter();
    let coded = groups.map(|it| cut(it, recording)).collect();
    let made = make(decoders, &summary.video, coded).await;
    made.unwrap_or_else(|why| panic!("{:?}, {wanted:?}: {why}", summary.video.codec))
}

/// A superframe (VP9 bitstream, annex B) may hold two shown pictures, which ffmpeg gives one time.
#[tokio::test]
async fn a_packet_of_two_pictures_shifts_no_other_picture() {
    let _exclusive = exclusive().await;
    let recording = encode_brightening("webm", WEBM[1], "0");
    let summary = summarize(Container::WebM, &recording);
    let place = |it: u64| usize::try_from(it).expect("small");
    let picture = |index: usize| {
        let bytes = &summary.pictures[index].bytes;
        &recording[place(bytes.start)..place(bytes.end)]
    };
    let length = |index: usize| u32::try_from(picture(index).len()).expect("small");
    // Two lengths of four bytes, between two equal markers.
    let index = [length(3), length(4)].map(u32::to_le_bytes).concat();
    let two = [picture(3), picture(4), &[0xd9], &index, &[0xd9]].concat();
    let packets = [0, 1, 2].map(picture).into_iter();
    let packets = packets.chain([two.as_slice()]).chain((5..12).map(picture));
    let packets: Vec<&[u8]> = packets.collect();
    let moments = [(2, 2), (3, 3), (4, 5), (8, 9)].map(|(position, shown)| Moment {
        at: summary.pictures[shown].at.expect("it is shown"),
        position,
    });
    let group = CodedGroup {
        bytes: packets.concat(),
        lengths: packets.iter().map(|it| it.len()).collect(),
        moments: moments.to_vec(),
    };
    let decoders = decoders(Some(FFMPEG.into()));
    let stills = make(&decoders, &summary.video, vec![group]).await;
    let stills = stills.expect("pictures");
    assert_eq!(stills.len(), moments.len());
    for still in &stills {
        assert_shows(still, still.at.as_secs_f64(), "a packet of two");
    }
}

#[tokio::test]
async fn any_picture_of_every_codec_is_shown_with_its_time() {
    let _exclusive = exclusive().await;
    let decoders = decoders(Some(FFMPEG.into()));
    let files = MP4
        .map(|coding| (Container::Mp4, "mp4", coding))
        .into_iter();
    let files = files.chain(WEBM.map(|coding| (Container::WebM, "webm", coding)));
    for (container, name, coding) in files {
        let recording = encode_brightening(name, coding, "0");
        let summary = summarize(container, &recording);
        assert!(summary.keyframes.len() < 6, "{coding:?}");
        let shown = summary.pictures.iter().enumerate();
        let shown = shown.filter(|(_, it)| it.at.is_some());
        let shown: Vec<usize> = shown.map(|(index, _)| index).collect();
        for wanted in [0, 1, 2, 38, 74, 75, 76, 120, 149] {
            let index = shown[wanted];
            let stills = decode(&decoders, &summary, &recording, &[index]).await;
            let want = summary.pictures[index].at.expect("it is shown");
            let at: Vec<_> = stills.iter().map(|it| it.at).collect();
            assert_eq!(at, [want], "{coding:?}");
            assert_shows(
                &stills[0],
                want.as_secs_f64(),
                &format!("{coding:?} {wanted}"),
            );
        }
        let several = [shown[3], shown[30], shown[31], shown[100]];
        let stills = decode(&decoders, &summary, &recording, &several).await;
        assert_eq!(stills.len(), several.len(), "{coding:?}");
        for still in &stills {
            assert_shows(still, still.at.as_secs_f64(), &format!("{coding:?}"));
        }
    }
    assert_eq!(child_processes(), [""; 0]);
}

/// Encoders of films write them, browsers don't. They have the time of the picture behind them.
#[tokio::test]
async fn pictures_behind_one_that_is_never_shown_keep_their_times() {
    let _exclusive = exclusive().await;
    let decoders = decoders(Some(FFMPEG.into()));
    let recording = encode_with_hidden_pictures();
    let summary = summarize(Container::WebM, &recording);
    let pictures = summary.pictures.iter().enumerate();
    let (shown, hidden): (Vec<_>, Vec<_>) = pictures.partition(|(_, it)| it.at.is_some());
    assert!(
        hidden.len() > 1 && shown.len() == 150,
        "{} hidden",
        hidden.len()
    );
    for (behind, _) in hidden {
        let next: Vec<usize> = (behind + 1..behind + 4)
            .filter(|index| {
                summary
                    .pictures
                    .get(*index)
                    .is_some_and(|it| it.at.is_some())
            })
            .collect();
        let stills = decode(&decoders, &summary, &recording, &next).await;
        assert_eq!(stills.len(), next.len());
        for still in &stills {
            assert_shows(still, still.at.as_secs_f64(), "VP8 with hidden pictures");
        }
    }
}
