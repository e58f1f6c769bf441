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
