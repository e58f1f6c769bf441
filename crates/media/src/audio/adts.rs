//! ADTS headers of AAC frames (ISO/IEC 13818-7, section 6.2), from an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).

/// Sampling rates by their index.
const RATES: [u32; 13] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
];

/// Index of a sampling rate that is written out.
const EXPLICIT_RATE: u32 = 15;

/// Samples of a frame.
const FRAME_SAMPLES: u64 = 1024;

/// Length of a header in bytes, and the largest frame with its header, whose length has 13 bits.
pub(super) const HEADER: usize = 7;
const MAX_FRAME: usize = (1 << 13) - 1;

/// What an ADTS header says of each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AacConfig {
    /// The audio object type: 1 is Main, 2 is Low Complexity, 3 is SSR, 4 is LTP.
    object_type: u8,
    rate_index: u8,
    channels: u8,
}

impl AacConfig {
    /// Reads an AudioSpecificConfig. `None`: ADTS can't express it.
    pub(crate) fn read(config: &[u8]) -> Option<Self> {
        /// Spectral band replication, and parametric stereo on top of it: decoders find both by themselves.
        const EXTENSIONS: [u32; 2] = [5, 29];
        let mut bits = Bits {
            bytes: config,
            at: 0,
        };
        let mut object_type = bits.object_type()?;
        let rate_index = bits.rate_index()?;
        let channels = bits.read(4)?;
        if EXTENSIONS.contains(&object_type) {
            bits.rate_index()?;
            object_type = bits.object_type()?;
        }
        let has_short_frames = bits.read(1)? == 1;
        // Without channels the config has a program config element, which ADTS repeats in the first frame.
        let is_expressible =
            (1..=4).contains(&object_type) && (1..=7).contains(&channels) && !has_short_frames;
        is_expressible.then_some(Self {
            object_type: u8::try_from(object_type).ok()?,
            rate_index,
            channels: u8::try_from(channels).ok()?,
        })
    }

    /// The duration of a frame in nanoseconds.
    pub(super) fn frame_duration(self) -> u64 {
        let rate = RATES.get(usize::from(self.rate_index));
        FRAME_SAMPLES * 1_000_000_000 / u64::from(*rate.unwrap_or(&RATES[3]))
    }

    /// The header of a frame of so many bytes. `None`: it is too large.
    pub(super) fn header(self, frame: usize) -> Option<[u8; HEADER]> {
        let length = u16::try_from(frame + HEADER).ok()?;
        if usize::from(length) > MAX_FRAME {
            return None;
        }
        let [high, low] = length.to_be_bytes();
        Some([
            0xff,
            // MPEG-4, without a checksum.
            0xf1,
            (self.object_type - 1) << 6 | self.rate_index << 2 | self.channels >> 2,
            (self.channels & 3) << 6 | high >> 3,
            high << 5 | low >> 3,
            // The buffer fullness of a variable bit rate is all ones.
            low << 5 | 0x1f,
            0xfc,
        ])
    }
}

/// Reads bits, the most significant first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn read(&mut self, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |value, _| {
            let byte = self.bytes.get(self.at / 8)?;
            let bit = byte >> (7 - self.at % 8) & 1;
            self.at += 1;
            Some(value << 1 | u32::from(bit))
        })
    }

    fn object_type(&mut self) -> Option<u32> {
        /// The type is longer.
        const ESCAPE: u32 = 31;
        match self.read(5)? {
            ESCAPE => Some(32 + self.read(6)?),
            object_type => Some(object_type),
        }
    }

    fn rate_index(&mut self) -> Option<u8> {
        let index = match self.read(4)? {
            EXPLICIT_RATE => {
                let rate = self.read(24)?;
                RATES.iter().position(|it| *it == rate)?
            }
            index => usize::try_from(index).ok().filter(|it| *it < RATES.len())?,
        };
        u8::try_from(index).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_mp4_aac_config_becomes_the_adts_header_of_each_frame() {
        // Low Complexity, 44.1 kHz, stereo.
        let config = AacConfig::read(&[0x12, 0x10]).expect("a config");
        let header = config.header(371 - HEADER).expect("small");
        assert_eq!(header, [0xff, 0xf1, 0x50, 0x80, 0x2e, 0x7f, 0xfc]);
        assert_eq!(config.frame_duration(), 23_219_954);
        assert!(config.header(MAX_FRAME - HEADER).is_some());
        assert!(config.header(MAX_FRAME - HEADER + 1).is_none());
        assert!(config.header(usize::from(u16::MAX)).is_none());
    }

    #[test]
    fn extensions_are_left_to_decoders_and_what_adts_lacks_is_refused() {
        let low = |rate_index, channels| {
            Some(AacConfig {
                object_type: 2,
                rate_index,
                channels,
            })
        };
        for (config, want) in [
            (&[0x11, 0x90][..], low(3, 2)),
            // Band replication at 48 kHz of a core at 24 kHz.
            (&[0x2b, 0x11, 0x88, 0], low(6, 2)),
            // 48 kHz written out.
            (&[0x17, 0x80, 0x5d, 0xc0, 0x08], low(3, 1)),
            // 47 999 Hz, no channels, short frames, another object type, an escaped one, too short.
            (&[0x17, 0x80, 0x5d, 0xbf, 0x88], None),
            (&[0x11, 0x80], None),
            (&[0x11, 0x94], None),
            (&[0x31, 0x90], None),
            (&[0xf9, 0x46, 0x40], None),
            (&[0x11], None),
            (&[], None),
        ] {
            assert_eq!(AacConfig::read(config), want, "{config:02x?}");
        }
    }
}
