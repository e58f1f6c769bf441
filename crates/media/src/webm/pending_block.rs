//! The block that is being parsed: a SimpleBlock, or a BlockGroup with its Block (RFC 9559, section 10).

use mkv_element::prelude as mkv;

use super::element::decode_leaf;
use super::summary::Frame;

#[derive(Debug, Default)]
pub(super) struct PendingBlock {
    frame: Option<Frame>,
    group: BlockGroup,
}

/// The current BlockGroup.
#[derive(Debug, Default)]
struct BlockGroup {
    offset: u64,
    /// In ticks.
    duration: Option<u64>,
    has_reference: bool,
}

impl PendingBlock {
    pub(super) fn begin_group(&mut self, offset: u64) {
        self.group = BlockGroup {
            offset,
            ..BlockGroup::default()
        };
    }

    /// Keeps the frame of a block. Of several blocks in a group the first one counts.
    pub(super) fn set_frame(&mut self, read: impl FnOnce() -> Option<Frame>) {
        match &mut self.frame {
            Some(first) => first.has_more_blocks = true,
            none => *none = read(),
        }
    }

    /// Reads the body of a BlockDuration. Zero counts as absent.
    pub(super) fn read_duration(&mut self, body: &[u8]) {
        let duration = decode_leaf(body).map(|mkv::BlockDuration(ticks)| ticks);
        self.group.duration = duration.filter(|ticks| *ticks > 0);
    }

    /// Notes a ReferenceBlock: the frame depends on others.
    pub(super) fn set_reference(&mut self) {
        self.group.has_reference = true;
    }

    /// Ends a SimpleBlock.
    pub(super) fn take_simple_block(&mut self) -> Option<Frame> {
        self.frame.take()
    }

    /// Ends a BlockGroup, whose elements say what the flags of a SimpleBlock do.
    pub(super) fn take_group(&mut self) -> Option<Frame> {
        let mut frame = self.frame.take()?;
        frame.offset = self.group.offset;
        frame.is_keyframe = !self.group.has_reference;
        frame.duration = self.group.duration;
        Some(frame)
    }
}
