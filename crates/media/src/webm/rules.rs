//! What may stand where in a file (RFC 9559, section 5), and what is done with it.

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::element::Head;
use super::recording::Recording;

/// The largest element that is taken whole, in bytes. Browsers' Tracks have a few hundred, films with
/// subtitles' fonts in CodecPrivate some ten thousand.
const LARGEST_TAKEN: u64 = 1 << 20;

/// The largest EBML header: it goes into the index.
const LARGEST_EBML: u64 = 4096;

/// Names of tags are short; longer ones say nothing we know.
const LONGEST_NAME: u64 = 256;

/// SignatureSlot, which EBML had before it became RFC 8794 and old files may have anywhere.
const SIGNATURE: VInt64 = VInt64::from_encoded(0x1b53_8667);

/// Which elements are entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Segment,
    Cluster,
    Tags,
    BlockGroup,
}

/// What becomes of an element, now that its head is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Take,
    Block,
    Enter(Level),
    /// Into its children, as if they lay beside it.
    Flatten,
    Pass,
    Another,
    Junk,
}

/// What to do with an element, by what it lies in, whether that said its size, and what was found so far.
pub(super) fn verdict(within: Option<(Level, bool)>, head: Head, found: &Recording) -> Verdict {
    let size = head.size.unwrap_or(u64::MAX);
    let Some((level, sized)) = within else {
        return outermost(found, head.id, size);
    };
    match (level, head.id) {
        (_, mkv::Void::ID | mkv::Crc32::ID | SIGNATURE) => Verdict::Pass,
        (Level::Segment, id) => in_segment(found, id, size, sized),
        (Level::Cluster, mkv::Timestamp::ID) if size <= 8 => Verdict::Take,
        (Level::Cluster, mkv::SimpleBlock::ID) | (Level::BlockGroup, mkv::Block::ID) => {
            Verdict::Block
        }
        (Level::Cluster, mkv::BlockGroup::ID) if head.size.is_some() => {
            Verdict::Enter(Level::BlockGroup)
        }
        (Level::Cluster, mkv::Position::ID | mkv::PrevSize::ID | mkv::EncryptedBlock::ID) => {
            Verdict::Pass
        }
        (Level::Tags, mkv::Tag::ID | mkv::SimpleTag::ID) => Verdict::Flatten,
        (Level::Tags, mkv::TagName::ID) if size <= LONGEST_NAME => Verdict::Take,
        (Level::BlockGroup, mkv::BlockDuration::ID) if size <= 8 => Verdict::Take,
        (Level::BlockGroup, mkv::ReferenceBlock::ID) if size <= 8 => Verdict::Take,
        // Unknown ones can be told from noise only if somebody vouches for their place.
        _ if sized => Verdict::Pass,
        _ => Verdict::Junk,
    }
}

fn outermost(found: &Recording, id: VInt64, size: u64) -> Verdict {
    let begun = found.ebml.is_some();
    let segment = found.segment > 0;
    match id {
        // WebKitGTK writes its header twice. The last one counts, as it does for ffmpeg: an EBML stream may have a
        // document without a body in it (RFC 8794, section 3).
        mkv::Ebml::ID if !segment && size <= LARGEST_EBML => Verdict::Take,
        mkv::Segment::ID if begun && !segment => Verdict::Enter(Level::Segment),
        mkv::Ebml::ID | mkv::Segment::ID if segment => Verdict::Another,
        mkv::Void::ID if begun => Verdict::Pass,
        _ => Verdict::Junk,
    }
}

fn in_segment(found: &Recording, id: VInt64, size: u64, sized: bool) -> Verdict {
    match id {
        mkv::Tracks::ID if found.tracks.is_none() && size > LARGEST_TAKEN => Verdict::Junk,
        mkv::Tracks::ID if found.tracks.is_none() => Verdict::Take,
        mkv::Info::ID if found.info.is_none() && size <= LARGEST_TAKEN => Verdict::Take,
        mkv::SeekHead::ID if size <= LARGEST_TAKEN => Verdict::Take,
        // Without knowing its tracks nobody can play it.
        mkv::Cluster::ID if found.tracks.is_none() => Verdict::Junk,
        mkv::Cluster::ID => Verdict::Enter(Level::Cluster),
        mkv::Tags::ID if size < u64::MAX => Verdict::Enter(Level::Tags),
        id if is_top_level(id) || sized => Verdict::Pass,
        _ => Verdict::Junk,
    }
}

/// What may stand in a Segment, and so ends a Cluster of unknown size: RFC 9559, section 5.1.
pub(super) fn is_top_level(id: VInt64) -> bool {
    [
        mkv::SeekHead::ID,
        mkv::Info::ID,
        mkv::Tracks::ID,
        mkv::Chapters::ID,
        mkv::Cluster::ID,
        mkv::Cues::ID,
        mkv::Attachments::ID,
        mkv::Tags::ID,
    ]
    .contains(&id)
}

#[cfg(test)]
mod tests {
    use super::super::info::Info;
    use super::*;

    const UNKNOWN: VInt64 = VInt64::from_encoded(0x4dad);

    /// Behind the EBML header; in the Segment; behind its Info and Tracks.
    fn begun() -> [Recording; 3] {
        let [mut header, mut segment, mut described] = [(); 3].map(|()| Recording::new());
        for found in [&mut header, &mut segment, &mut described] {
            found.ebml = Some(Vec::new());
        }
        for found in [&mut segment, &mut described] {
            found.segment = 40;
        }
        described.info = Some(Info::new(Vec::new()));
        described.tracks(Vec::new());
        [header, segment, described]
    }

    fn of(
        within: Option<(Level, bool)>,
        (id, size): (VInt64, Option<u64>),
        found: &Recording,
    ) -> Verdict {
        verdict(within, Head { id, size, width: 4 }, found)
    }

    #[test]
    fn a_file_is_a_header_a_segment_and_perhaps_another_file() {
        let (nothing, [header, segment, _]) = (Recording::new(), begun());
        for (id, size, wants) in [
            (
                mkv::Ebml::ID,
                Some(LARGEST_EBML),
                [Verdict::Take, Verdict::Take, Verdict::Another],
            ),
            (
                mkv::Ebml::ID,
                Some(LARGEST_EBML + 1),
                [Verdict::Junk, Verdict::Junk, Verdict::Another],
            ),
            (
                mkv::Ebml::ID,
                None,
                [Verdict::Junk, Verdict::Junk, Verdict::Another],
            ),
            (
                mkv::Segment::ID,
                None,
                [
                    Verdict::Junk,
                    Verdict::Enter(Level::Segment),
                    Verdict::Another,
                ],
            ),
            (
                mkv::Void::ID,
                Some(9),
                [Verdict::Junk, Verdict::Pass, Verdict::Pass],
            ),
            (mkv::Cluster::ID, Some(9), [Verdict::Junk; 3]),
        ] {
            let got = [&nothing, &header, &segment].map(|found| of(None, (id, size), found));
            assert_eq!(got, wants, "{id:?} {size:?}");
        }
    }

    #[test]
    fn a_segment_needs_its_tracks_before_its_clusters() {
        let [_, segment, described] = begun();
        let large = LARGEST_TAKEN + 1;
        for (id, size, wants) in [
            (
                mkv::Tracks::ID,
                LARGEST_TAKEN,
                [Verdict::Take, Verdict::Pass],
            ),
            (mkv::Tracks::ID, large, [Verdict::Junk, Verdict::Pass]),
            (mkv::Info::ID, LARGEST_TAKEN, [Verdict::Take, Verdict::Pass]),
            (mkv::Info::ID, large, [Verdict::Pass; 2]),
            (mkv::SeekHead::ID, LARGEST_TAKEN, [Verdict::Take; 2]),
            (mkv::SeekHead::ID, large, [Verdict::Pass; 2]),
            (
                mkv::Cluster::ID,
                9,
                [Verdict::Junk, Verdict::Enter(Level::Cluster)],
            ),
            (mkv::Tags::ID, large, [Verdict::Enter(Level::Tags); 2]),
            (mkv::Cues::ID, large, [Verdict::Pass; 2]),
            (UNKNOWN, 9, [Verdict::Junk; 2]),
        ] {
            let within = Some((Level::Segment, false));
            let got = [&segment, &described].map(|found| of(within, (id, Some(size)), found));
            assert_eq!(got, wants, "{id:?} {size}");
        }
        let endless = of(
            Some((Level::Segment, true)),
            (mkv::Tags::ID, None),
            &described,
        );
        assert_eq!(endless, Verdict::Pass, "which has no end, and so is junk");
        let vouched = of(Some((Level::Segment, true)), (UNKNOWN, Some(9)), &described);
        assert_eq!(vouched, Verdict::Pass);
    }

    #[test]
    fn what_is_taken_is_as_long_as_it_may_be() {
        let [.., found] = begun();
        for (level, id, most) in [
            (Level::Cluster, mkv::Timestamp::ID, 8),
            (Level::Tags, mkv::TagName::ID, LONGEST_NAME),
            (Level::BlockGroup, mkv::BlockDuration::ID, 8),
            (Level::BlockGroup, mkv::ReferenceBlock::ID, 8),
        ] {
            for sized in [true, false] {
                let other = if sized { Verdict::Pass } else { Verdict::Junk };
                for (size, want) in [(most, Verdict::Take), (most + 1, other)] {
                    let got = of(Some((level, sized)), (id, Some(size)), &found);
                    assert_eq!(got, want, "{id:?} {size}");
                }
            }
        }
    }

    #[test]
    fn each_level_has_its_own() {
        let [.., found] = begun();
        for (level, id, want) in [
            (Level::Cluster, mkv::SimpleBlock::ID, Verdict::Block),
            (
                Level::Cluster,
                mkv::BlockGroup::ID,
                Verdict::Enter(Level::BlockGroup),
            ),
            (Level::Cluster, mkv::Position::ID, Verdict::Pass),
            (Level::Cluster, mkv::PrevSize::ID, Verdict::Pass),
            (Level::Cluster, mkv::EncryptedBlock::ID, Verdict::Pass),
            (Level::Cluster, mkv::Block::ID, Verdict::Junk),
            (Level::BlockGroup, mkv::Block::ID, Verdict::Block),
            (Level::BlockGroup, mkv::SimpleBlock::ID, Verdict::Junk),
            (Level::Tags, mkv::Tag::ID, Verdict::Flatten),
            (Level::Tags, mkv::SimpleTag::ID, Verdict::Flatten),
            (Level::Tags, mkv::SimpleBlock::ID, Verdict::Junk),
            (Level::Cluster, mkv::Void::ID, Verdict::Pass),
            (Level::Tags, mkv::Crc32::ID, Verdict::Pass),
            (Level::BlockGroup, SIGNATURE, Verdict::Pass),
            (Level::Cluster, UNKNOWN, Verdict::Junk),
        ] {
            let got = of(Some((level, false)), (id, Some(5)), &found);
            assert_eq!(got, want, "{level:?} {id:?}");
        }
        let endless = of(
            Some((Level::Cluster, false)),
            (mkv::BlockGroup::ID, None),
            &found,
        );
        assert_eq!(endless, Verdict::Junk);
    }
}
