//! What Info says: the length of a tick, and a duration if the writer knew it.

use std::time::Duration;

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::element::{child, children, put_leaf, put_master};

/// In nanoseconds, unless the file says otherwise: RFC 9559, section 5.1.2.9.
const USUAL_TICK: u64 = 1_000_000;

/// The element's body as recorded, empty if the file has none.
#[derive(Debug, Default)]
pub(super) struct Info(Vec<u8>);

impl Info {
    pub(super) fn new(body: Vec<u8>) -> Self {
        Self(body)
    }

    /// The length of a tick in nanoseconds; nought, which no clock has, counts as untold.
    pub(super) fn tick(&self) -> u64 {
        child(&self.0)
            .map(|mkv::TimestampScale(tick)| tick)
            .filter(|tick| *tick > 0)
            .unwrap_or(USUAL_TICK)
    }

    /// How long it says that the recording is. Nought: it doesn't.
    pub(super) fn duration(&self) -> Duration {
        let told = child(&self.0).map_or(0.0, |mkv::Duration(ticks)| ticks);
        // A float by its definition. It is exact up to 2^53 ticks.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let seconds = told * (self.tick() as f64 / 1e9);
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// The same with another duration, in nanoseconds.
    pub(super) fn with_duration(&self, duration: u64) -> Vec<u8> {
        let mut body = Vec::new();
        let tick = self.tick();
        put_leaf(&mkv::TimestampScale(tick), &mut body);
        // A float by its definition. It is exact up to 2^53 ticks.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let ticks = duration as f64 / tick as f64;
        put_leaf(&mkv::Duration(ticks), &mut body);
        for (id, value) in children(&self.0) {
            let ours = [
                mkv::TimestampScale::ID,
                mkv::Duration::ID,
                // It was about the other body.
                mkv::Crc32::ID,
                mkv::Void::ID,
            ];
            if !ours.contains(&id) {
                put_master(id, value, &mut body);
            }
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webm::sample::leaf;

    #[test]
    fn the_rest_stays_as_recorded_and_the_checksum_goes() {
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
    fn a_duration_is_told_if_it_is_one() {
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
        assert_eq!(Info::default().tick(), USUAL_TICK);
    }
}
