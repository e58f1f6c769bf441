//! The Info element: the length of a tick, and the duration if the writer knew it.

use std::time::Duration;

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::element::{children, decode_child, write_element, write_leaf};

/// The default TimestampScale in nanoseconds (RFC 9559, section 5.1.2.9).
const DEFAULT_TIMESTAMP_SCALE: u64 = 1_000_000;

/// The element's body as recorded, empty if the file has none.
#[derive(Debug, Default)]
pub(super) struct Info(Vec<u8>);

impl Info {
    pub(super) fn new(body: Vec<u8>) -> Self {
        Self(body)
    }

    /// The length of a tick in nanoseconds. Zero, which is invalid, counts as absent.
    pub(super) fn timestamp_scale(&self) -> u64 {
        decode_child(&self.0)
            .map(|mkv::TimestampScale(scale)| scale)
            .filter(|scale| *scale > 0)
            .unwrap_or(DEFAULT_TIMESTAMP_SCALE)
    }

    /// The duration that the file declares. Zero: none.
    pub(super) fn duration(&self) -> Duration {
        let ticks = decode_child(&self.0).map_or(0.0, |mkv::Duration(ticks)| ticks);
        #[expect(
            clippy::cast_precision_loss,
            reason = "Duration is a float by its definition, and exact up to 2^53 ticks"
        )]
        let seconds = ticks * (self.timestamp_scale() as f64 / 1e9);
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// The body with another duration, in nanoseconds.
    pub(super) fn with_duration(&self, duration: u64) -> Vec<u8> {
        let mut body = Vec::new();
        let scale = self.timestamp_scale();
        write_leaf(&mkv::TimestampScale(scale), &mut body);
        #[expect(
            clippy::cast_precision_loss,
            reason = "Duration is a float by its definition, and exact up to 2^53 ticks"
        )]
        let ticks = duration as f64 / scale as f64;
        write_leaf(&mkv::Duration(ticks), &mut body);
        for (id, value) in children(&self.0) {
            let dropped = [
                mkv::TimestampScale::ID,
                mkv::Duration::ID,
                // The checksum of the recorded body.
                mkv::Crc32::ID,
                mkv::Void::ID,
            ];
            if !dropped.contains(&id) {
                write_element(id, value, &mut body);
            }
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webm::tests::fixtures::leaf;

    #[test]
    fn other_children_are_kept_and_the_checksum_is_dropped() {
        let app = leaf(&mkv::MuxingApp("Chrome".into()));
        let unknown = vec![0x42, 0x99, 0x81, 5];
        let recorded = [
            vec![0xbf, 0x84, 1, 2, 3, 4],
            leaf(&mkv::Duration(5.0)),
            leaf(&mkv::TimestampScale(1000)),
            app.clone(),
            unknown.clone(),
        ];
        let info = Info::new(recorded.concat()).with_duration(7_500_500);
        let want = [
            leaf(&mkv::TimestampScale(1000)),
            leaf(&mkv::Duration(7500.5)),
            app,
            unknown,
        ];
        assert_eq!(info, want.concat());
    }

    #[test]
    fn a_duration_counts_if_it_is_valid() {
        for (ticks, milliseconds) in [
            (1.0, 1),
            (0.0, 0),
            (-1.0, 0),
            (f64::INFINITY, 0),
            (f64::MAX, 0),
            (f64::NAN, 0),
        ] {
            let info = Info::new(leaf(&mkv::Duration(ticks)));
            assert_eq!(
                info.duration(),
                Duration::from_millis(milliseconds),
                "{ticks}"
            );
        }
        assert_eq!(Info::default().duration(), Duration::ZERO);
        assert_eq!(Info::default().timestamp_scale(), DEFAULT_TIMESTAMP_SCALE);
    }
}
