//! Decides what the parser does with an element, by its place in the file (RFC 9559, section 5).

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::element::Header;
use super::summary::SummaryBuilder;

/// Maximum size of an element that is buffered as a whole, in bytes.
///
/// The Tracks of browsers have a few hundred bytes, those of films with the fonts of subtitles in CodecPrivate some ten
/// thousand.
const MAX_BUFFERED: u64 = 1 << 20;

/// Maximum size of an EBML header, which is copied into the index.
const MAX_EBML_HEADER: u64 = 4096;

/// Maximum length of the name of a tag. Those that matter are short.
const MAX_TAG_NAME: u64 = 256;

/// Maximum size of an integer (RFC 8794, sections 7.1 and 7.2).
const MAX_INTEGER: u64 = 8;

/// SignatureSlot, which EBML had before RFC 8794. Old files may have it anywhere.
const SIGNATURE_SLOT: VInt64 = VInt64::from_encoded(0x1b53_8667);

/// SilentTracks, which RFC 9559 keeps for old files.
const SILENT_TRACKS: VInt64 = VInt64::from_encoded(0x5854);

/// The master elements that the parser enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Master {
    Segment,
    Cluster,
    Tags,
    BlockGroup,
}

/// The innermost open master element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parent {
    pub master: Master,
    /// Whether its size is known.
    pub is_sized: bool,
}

/// What the parser does with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Buffer the whole body.
    Buffer,
    /// Buffer the beginning of a block.
    ReadBlock,
    /// Parse the body as children of this master element.
    Enter(Master),
    /// Parse the body as if its elements were siblings.
    Flatten,
    Skip,
    /// Stop parsing: another EBML document begins (RFC 8794, section 3).
    NextDocument,
    /// Stop parsing: the bytes are no element that can be here.
    Stop,
}

/// Decides by an element's header, its parent, and what was found so far.
pub(super) fn action(parent: Option<Parent>, header: Header, found: &SummaryBuilder) -> Action {
    let size = header.size.unwrap_or(u64::MAX);
    let Some(Parent { master, is_sized }) = parent else {
        return top_level_action(found, header.id, size);
    };
    match (master, header.id) {
        // Global elements.
        (_, mkv::Void::ID | mkv::Crc32::ID | SIGNATURE_SLOT) => Action::Skip,
        (Master::Segment, id) => segment_action(found, id, size, is_sized),
        (Master::Cluster, mkv::Timestamp::ID) if size <= MAX_INTEGER => Action::Buffer,
        (Master::Cluster, mkv::SimpleBlock::ID) | (Master::BlockGroup, mkv::Block::ID) => {
            Action::ReadBlock
        }
        (Master::Cluster, mkv::BlockGroup::ID) if header.size.is_some() => {
            Action::Enter(Master::BlockGroup)
        }
        (
            Master::Cluster,
            mkv::Position::ID | mkv::PrevSize::ID | mkv::EncryptedBlock::ID | SILENT_TRACKS,
        ) => Action::Skip,
        (Master::Tags, mkv::Tag::ID | mkv::SimpleTag::ID) => Action::Flatten,
        (Master::Tags, mkv::TagName::ID) if size <= MAX_TAG_NAME => Action::Buffer,
        (Master::BlockGroup, mkv::BlockDuration::ID) if size <= MAX_INTEGER => Action::Buffer,
        (Master::BlockGroup, mkv::ReferenceBlock::ID) if size <= MAX_INTEGER => Action::Buffer,
        // An unknown element can be told from garbage only within a parent of known size.
        _ if is_sized => Action::Skip,
        _ => Action::Stop,
    }
}

fn top_level_action(found: &SummaryBuilder, id: VInt64, size: u64) -> Action {
    let has_header = found.ebml.is_some();
    let has_segment = found.segment > 0;
    match id {
        // WebKitGTK writes its EBML header twice. The last one counts, as it does for ffmpeg: an EBML stream may
        // contain a document without a body (RFC 8794, section 3).
        mkv::Ebml::ID if !has_segment && size <= MAX_EBML_HEADER => Action::Buffer,
        mkv::Segment::ID if has_header && !has_segment => Action::Enter(Master::Segment),
        mkv::Ebml::ID | mkv::Segment::ID if has_segment => Action::NextDocument,
        mkv::Void::ID if has_header => Action::Skip,
        _ => Action::Stop,
    }
}

fn segment_action(found: &SummaryBuilder, id: VInt64, size: u64, is_sized: bool) -> Action {
    match id {
        mkv::Tracks::ID if found.tracks.is_none() && size > MAX_BUFFERED => Action::Stop,
        mkv::Tracks::ID if found.tracks.is_none() => Action::Buffer,
        mkv::Info::ID if found.info.is_none() && size <= MAX_BUFFERED => Action::Buffer,
        mkv::SeekHead::ID if size <= MAX_BUFFERED => Action::Buffer,
        // Without Tracks before it a Cluster can't be played.
        mkv::Cluster::ID if found.tracks.is_none() => Action::Stop,
        mkv::Cluster::ID => Action::Enter(Master::Cluster),
        mkv::Tags::ID if size < u64::MAX => Action::Enter(Master::Tags),
        id if is_top_level(id) || is_sized => Action::Skip,
        _ => Action::Stop,
    }
}

/// Whether an element is a child of Segment (RFC 9559, section 5.1), and so ends an unknown-sized Cluster.
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
    use super::Action::{Buffer, Enter, Flatten, NextDocument, ReadBlock, Skip, Stop};
    use super::*;

    const UNKNOWN: VInt64 = VInt64::from_encoded(0x4dad);

    /// What was found behind the EBML header, in the Segment, and behind its Info and Tracks.
    fn states() -> [SummaryBuilder; 3] {
        let [mut header, mut segment, mut described] = [(); 3].map(|()| SummaryBuilder::new());
        for found in [&mut header, &mut segment, &mut described] {
            found.ebml = Some(Vec::new());
        }
        for found in [&mut segment, &mut described] {
            found.segment = 40;
        }
        described.info = Some(Info::new(Vec::new()));
        described.read_tracks(Vec::new());
        [header, segment, described]
    }

    fn decide(
        parent: Option<(Master, bool)>,
        (id, size): (VInt64, Option<u64>),
        found: &SummaryBuilder,
    ) -> Action {
        let parent = parent.map(|(master, is_sized)| Parent { master, is_sized });
        let header = Header { id, size, width: 4 };
        action(parent, header, found)
    }

    #[test]
    fn a_document_is_a_header_and_a_segment() {
        let (nothing, [header, segment, _]) = (SummaryBuilder::new(), states());
        for (id, size, wants) in [
            (
                mkv::Ebml::ID,
                Some(MAX_EBML_HEADER),
                [Buffer, Buffer, NextDocument],
            ),
            (
                mkv::Ebml::ID,
                Some(MAX_EBML_HEADER + 1),
                [Stop, Stop, NextDocument],
            ),
            (mkv::Ebml::ID, None, [Stop, Stop, NextDocument]),
            (
                mkv::Segment::ID,
                None,
                [Stop, Enter(Master::Segment), NextDocument],
            ),
            (mkv::Void::ID, Some(9), [Stop, Skip, Skip]),
            (mkv::Cluster::ID, Some(9), [Stop; 3]),
        ] {
            let got = [&nothing, &header, &segment].map(|found| decide(None, (id, size), found));
            assert_eq!(got, wants, "{id:?} {size:?}");
        }
    }

    #[test]
    fn a_segment_needs_its_tracks_before_its_clusters() {
        let [_, segment, described] = states();
        let large = MAX_BUFFERED + 1;
        for (id, size, wants) in [
            (mkv::Tracks::ID, MAX_BUFFERED, [Buffer, Skip]),
            (mkv::Tracks::ID, large, [Stop, Skip]),
            (mkv::Info::ID, MAX_BUFFERED, [Buffer, Skip]),
            (mkv::Info::ID, large, [Skip; 2]),
            (mkv::SeekHead::ID, MAX_BUFFERED, [Buffer; 2]),
            (mkv::SeekHead::ID, large, [Skip; 2]),
            (mkv::Cluster::ID, 9, [Stop, Enter(Master::Cluster)]),
            (mkv::Tags::ID, large, [Enter(Master::Tags); 2]),
            (mkv::Cues::ID, large, [Skip; 2]),
            (UNKNOWN, 9, [Stop; 2]),
        ] {
            let parent = Some((Master::Segment, false));
            let got = [&segment, &described].map(|found| decide(parent, (id, Some(size)), found));
            assert_eq!(got, wants, "{id:?} {size}");
        }
        let sized = Some((Master::Segment, true));
        // The parser stops there, because it needs a size to skip an element.
        let unknown_sized = decide(sized, (mkv::Tags::ID, None), &described);
        assert_eq!(unknown_sized, Skip);
        let unknown = decide(sized, (UNKNOWN, Some(9)), &described);
        assert_eq!(unknown, Skip);
    }

    #[test]
    fn buffered_elements_have_limits() {
        let [.., found] = states();
        for (master, id, max) in [
            (Master::Cluster, mkv::Timestamp::ID, 8),
            (Master::Tags, mkv::TagName::ID, MAX_TAG_NAME),
            (Master::BlockGroup, mkv::BlockDuration::ID, 8),
            (Master::BlockGroup, mkv::ReferenceBlock::ID, 8),
        ] {
            for sized in [true, false] {
                let other = if sized { Skip } else { Stop };
                for (size, want) in [(max, Buffer), (max + 1, other)] {
                    let got = decide(Some((master, sized)), (id, Some(size)), &found);
                    assert_eq!(got, want, "{id:?} {size}");
                }
            }
        }
    }

    #[test]
    fn each_master_has_its_own_children() {
        let [.., found] = states();
        for (master, id, want) in [
            (Master::Cluster, mkv::SimpleBlock::ID, ReadBlock),
            (
                Master::Cluster,
                mkv::BlockGroup::ID,
                Enter(Master::BlockGroup),
            ),
            (Master::Cluster, mkv::Position::ID, Skip),
            (Master::Cluster, mkv::PrevSize::ID, Skip),
            (Master::Cluster, mkv::EncryptedBlock::ID, Skip),
            (Master::Cluster, SILENT_TRACKS, Skip),
            (Master::Cluster, mkv::Block::ID, Stop),
            (Master::BlockGroup, mkv::Block::ID, ReadBlock),
            (Master::BlockGroup, mkv::SimpleBlock::ID, Stop),
            (Master::Tags, mkv::Tag::ID, Flatten),
            (Master::Tags, mkv::SimpleTag::ID, Flatten),
            (Master::Tags, mkv::SimpleBlock::ID, Stop),
            (Master::Cluster, mkv::Void::ID, Skip),
            (Master::Tags, mkv::Crc32::ID, Skip),
            (Master::BlockGroup, SIGNATURE_SLOT, Skip),
            (Master::Cluster, UNKNOWN, Stop),
        ] {
            let got = decide(Some((master, false)), (id, Some(5)), &found);
            assert_eq!(got, want, "{master:?} {id:?}");
        }
        let unknown_sized = decide(
            Some((Master::Cluster, false)),
            (mkv::BlockGroup::ID, None),
            &found,
        );
        assert_eq!(unknown_sized, Stop);
    }
}
