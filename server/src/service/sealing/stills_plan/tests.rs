use std::ops::Range;
use std::time::Duration;

use super::*;
use media::{Codec, CodedPicture, Rotation};

/// A recording of 1280 × 720 pixels.
fn summary(config: usize, keyframe: Range<u64>, pictures: Vec<CodedPicture>) -> Summary {
    Summary {
        video: VideoTrack {
            codec: Codec::H264,
            config: vec![1; config],
            width: 1280,
            height: 720,
            rotation: Rotation::None,
        },
        is_hdr: false,
        has_audio: false,
        duration: Duration::from_secs(1),
        keyframes: vec![Keyframe {
            at: Duration::ZERO,
            bytes: keyframe,
        }],
        pictures,
        has_location: false,
        end: 1000,
        truncation: None,
    }
}

/// Twenty pictures a second for this many seconds, the first of which alone is a keyframe.
fn one_keyframe(seconds: u64) -> Vec<CodedPicture> {
    let pictures = (0..seconds * 20).map(|number| CodedPicture {
        at: Some(Duration::from_millis(number * 50)),
        composition_time: i64::try_from(number).expect("few"),
        bytes: number * 10..number * 10 + 10,
        is_keyframe: number == 0,
    });
    pictures.collect()
}

#[test]
fn a_decoder_gets_no_more_than_the_limits_of_its_configuration_and_frames() {
    for (config, keyframe, want) in [
        (0, 0..10, 1),
        (MAX_CONFIG_BYTES, 0..10, 1),
        (MAX_CONFIG_BYTES + 1, 0..10, 0),
        (0, 0..1 << 40, 0),
    ] {
        let plan = StillsPlan::of(summary(config, keyframe, Vec::new()));
        assert_eq!(plan.groups.len(), want, "{config} bytes of configuration");
        assert_eq!(plan.keyframes.len(), want);
        let kept = if config > MAX_CONFIG_BYTES { 0 } else { config };
        assert_eq!(plan.video.config.len(), kept);
    }
}

#[test]
fn no_more_is_decoded_than_400_pictures_of_this_size() {
    let plan = StillsPlan::of(summary(0, 0..10, one_keyframe(100)));
    let groups = plan.candidates();
    let last = groups.iter().flat_map(|it| &it.moments).map(|it| it.at);
    let last = last.max().expect("moments");
    assert!(last > Duration::ZERO, "pictures behind the keyframe, too");
    assert!(last <= Duration::from_secs(20), "{last:?}");
}

#[test]
fn indistinguishable_pictures_are_listed_one_by_one() {
    let large = || {
        let mut pictures = one_keyframe(10);
        for it in &mut pictures {
            it.bytes = it.bytes.start * 10..it.bytes.end * 10;
        }
        summary(0, 0..100, pictures)
    };
    for (codec, lists) in [(Codec::H264, 1), (Codec::Vp8, 200)] {
        let mut summary = large();
        summary.video.codec = codec;
        let plan = StillsPlan::of(summary);
        let [keyframe, between] = &plan.groups[..] else {
            panic!("{codec:?}: {:?}", plan.groups);
        };
        assert!(keyframe.keyframe().is_some());
        // They follow each other without a gap.
        assert_eq!((between.bytes.len(), between.length()), (lists, 20_000));
        assert!(between.moments.len() > 5, "{codec:?}: {between:?}");
    }
    // The list would be larger than what it lists, or of no use.
    for (codec, mut summary) in [
        (Codec::Vp8, summary(0, 0..10, one_keyframe(10))),
        (Codec::Other, large()),
    ] {
        summary.video.codec = codec;
        assert_eq!(StillsPlan::of(summary).groups.len(), 1, "{codec:?}");
    }
}

/// A keyframe of this many bytes every second.
fn keyframe_each_second(seconds: u64, length: u64) -> Summary {
    let keyframes = (0..seconds).map(|second| Keyframe {
        at: Duration::from_secs(second),
        bytes: second * length..(second + 1) * length,
    });
    Summary {
        keyframes: keyframes.collect(),
        ..summary(0, 0..10, Vec::new())
    }
}

#[test]
fn memory_bounds_how_many_candidates_there_are() {
    for (seconds, length, want) in [
        (12, 1000, 0),
        (60, 1000, 45),
        (60, MAX_CANDIDATE_BYTES / 23, 23),
        (60, MAX_CANDIDATE_BYTES / 20, 0),
    ] {
        let plan = StillsPlan::of(keyframe_each_second(seconds, length));
        assert_eq!(
            moments(&plan.candidates),
            want,
            "{seconds} of {length} bytes"
        );
        assert_eq!(moments(&plan.groups), MAX_STILLS);
    }
}

#[test]
fn a_stored_plan_is_read_back_also_that_of_the_previous_release() {
    let plan = StillsPlan::of(summary(3, 0..10, one_keyframe(100)));
    let candidates = plan.candidates.clone();
    assert!(moments(&candidates) > moments(&plan.groups));
    let stored = plan.to_bytes();
    let read: StillsPlan = serde_json::from_slice(&stored).expect("a plan");
    assert_eq!(read.video, plan.video);
    assert_eq!(read.candidates(), candidates);

    let mut previous: serde_json::Value = serde_json::from_slice(&stored).expect("JSON");
    let fields = previous.as_object_mut().expect("an object");
    fields.remove("candidates").expect("the newest field");
    let read: StillsPlan = serde_json::from_value(previous.clone()).expect("a plan");
    assert_eq!(read.candidates(), plan.groups);
    let fields = previous.as_object_mut().expect("an object");
    fields
        .remove("groups")
        .expect("the field of the release before");
    let read: StillsPlan = serde_json::from_value(previous).expect("a plan");
    let keyframes: Vec<_> = plan.keyframes.into_iter().map(Group::from).collect();
    assert_eq!(keyframes.len(), 1);
    assert_eq!(read.candidates(), keyframes);
}
