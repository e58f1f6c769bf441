//! Writes Ogg pages (RFC 3533) of an Opus stream (RFC 7845).

use crc_fast::CrcAlgorithm;

use super::track::MAX_PACKET_BYTES;

/// The number of lacing values of a page, and the largest value.
const MAX_LACING: usize = 255;

/// A page ends when it has so many samples at 48 kHz: a second (RFC 7845, section 4).
const MAX_PAGE_SAMPLES: u64 = 48_000;

/// Bytes that a packet and the pages around it cost besides its own, at most.
pub(super) const MAX_OVERHEAD: usize = 2 * (HEADER + MAX_LACING);

/// Length of a page's header without its lacing values, in bytes; and where its checksum is.
const HEADER: usize = 27;
const CHECKSUM: std::ops::Range<usize> = 22..26;

/// Flags of a page.
const BEGINS_STREAM: u8 = 2;
const ENDS_STREAM: u8 = 4;

const _: () = assert!(
    lacing_values(MAX_PACKET_BYTES as usize) <= MAX_LACING,
    "a page holds any packet"
);

/// Writes one logical stream.
#[derive(Debug)]
pub(super) struct OggWriter {
    out: Vec<u8>,
    sequence: u32,
    page: Page,
    /// Samples at 48 kHz up to the end of the last packet, with those that decoders drop.
    granule: u64,
}

/// The page that is being filled.
#[derive(Debug, Default)]
struct Page {
    lacing: Vec<u8>,
    body: Vec<u8>,
    samples: u64,
}

impl OggWriter {
    /// Begins a stream with its two headers, each on a page of its own.
    pub(super) fn new(head: &[u8], tags: &[u8]) -> Self {
        let mut writer = Self {
            out: Vec::new(),
            sequence: 0,
            page: Page::default(),
            granule: 0,
        };
        writer.page.push(head);
        writer.write_page(BEGINS_STREAM);
        writer.page.push(tags);
        writer.write_page(0);
        writer
    }

    /// Adds a packet of at most [`MAX_PACKET_BYTES`], which is so many samples long. A page holds any.
    pub(super) fn push(&mut self, packet: &[u8], samples: u64) {
        let is_full = self.page.lacing.len() + lacing_values(packet.len()) > MAX_LACING
            || self.page.samples + samples > MAX_PAGE_SAMPLES;
        if is_full && !self.page.lacing.is_empty() {
            self.write_page(0);
        }
        self.page.push(packet);
        self.page.samples += samples;
        self.granule += samples;
    }

    /// The number of bytes so far, without those of a last page's header.
    pub(super) fn len(&self) -> usize {
        self.out.len() + self.page.body.len()
    }

    /// Ends the stream.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.write_page(ENDS_STREAM);
        self.out
    }

    fn write_page(&mut self, flags: u8) {
        let page = std::mem::take(&mut self.page);
        let start = self.out.len();
        self.out.extend(b"OggS\0");
        self.out.push(flags);
        self.out.extend(self.granule.to_le_bytes());
        // The serial number: there is only one stream.
        self.out.extend(1_u32.to_le_bytes());
        self.out.extend(self.sequence.to_le_bytes());
        self.out.extend([0; 4]);
        self.out
            .push(u8::try_from(page.lacing.len()).unwrap_or(u8::MAX));
        self.out.extend(page.lacing);
        self.out.extend(page.body);
        let checksum = crc(&self.out[start..]);
        self.out[start..][CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        self.sequence = self.sequence.wrapping_add(1);
    }
}

impl Page {
    fn push(&mut self, packet: &[u8]) {
        let last = packet.len() % MAX_LACING;
        self.lacing
            .extend(std::iter::repeat_n(u8::MAX, packet.len() / MAX_LACING));
        self.lacing.push(u8::try_from(last).unwrap_or(0));
        self.body.extend(packet);
    }
}

/// The number of lacing values of a packet with so many bytes.
const fn lacing_values(bytes: usize) -> usize {
    bytes / MAX_LACING + 1
}

/// The checksum of a page whose own checksum is 0: CRC-32/CKSUM without its final complement.
fn crc(page: &[u8]) -> u32 {
    let checksum = crc_fast::checksum(CrcAlgorithm::Crc32Cksum, page);
    !u32::try_from(checksum).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A page: its flags, granule position, sequence number, and packets.
    #[derive(Debug, PartialEq)]
    struct Read {
        flags: u8,
        granule: u64,
        sequence: u32,
        packets: Vec<Vec<u8>>,
    }

    /// The checksum bit by bit, as RFC 3533 describes it.
    fn slow_crc(bytes: &[u8]) -> u32 {
        let bits = bytes
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        bits.chain([0; 32]).fold(0_u32, |crc, bit| {
            let shifted = crc << 1 | u32::from(bit);
            if crc >> 31 == 1 {
                shifted ^ 0x04c1_1db7
            } else {
                shifted
            }
        })
    }

    /// Reads pages, and checks their checksums.
    fn read(mut bytes: &[u8]) -> Vec<Read> {
        let mut pages = Vec::new();
        while !bytes.is_empty() {
            assert!(bytes.starts_with(b"OggS\0"));
            let count = usize::from(bytes[26]);
            let lacing = &bytes[27..27 + count];
            let length = 27 + count + lacing.iter().map(|it| usize::from(*it)).sum::<usize>();
            let mut page = bytes[..length].to_vec();
            let stored: [u8; 4] = page[22..26].try_into().expect("four");
            page[22..26].fill(0);
            assert_eq!(slow_crc(&page), u32::from_le_bytes(stored));
            let (mut packets, mut packet, mut at) = (Vec::new(), Vec::new(), 27 + count);
            for value in lacing {
                packet.extend(&bytes[at..at + usize::from(*value)]);
                at += usize::from(*value);
                if *value < 255 {
                    packets.push(std::mem::take(&mut packet));
                }
            }
            assert!(packet.is_empty(), "a packet is continued");
            pages.push(Read {
                flags: bytes[5],
                granule: u64::from_le_bytes(bytes[6..14].try_into().expect("eight")),
                sequence: u32::from_le_bytes(bytes[18..22].try_into().expect("four")),
                packets,
            });
            bytes = &bytes[length..];
        }
        pages
    }

    #[test]
    fn an_ogg_page_holds_one_second_and_the_last_page_ends_the_stream() {
        let mut writer = OggWriter::new(b"head", b"tags");
        for _ in 0..60 {
            writer.push(b"packet", 960);
        }
        let pages = read(&writer.finish());
        let shown: Vec<_> = pages
            .iter()
            .map(|it| (it.flags, it.granule, it.packets.len()))
            .collect();
        assert_eq!(
            shown,
            [(2, 0, 1), (0, 0, 1), (0, 48_000, 50), (4, 57_600, 10)]
        );
    }

    proptest! {
        /// Whatever the sizes of the packets are: all come back, in order, in valid pages.
        #[test]
        fn every_packet_comes_back(
            sizes in proptest::collection::vec(
                prop_oneof![8 => 0..600_usize, 4 => 254..257_usize, 1 => 60_000..=MAX_PACKET_BYTES as usize], 1..80,
            ),
            samples in 120..5760_u64,
        ) {
            let packets: Vec<Vec<u8>> = (0_u8..).zip(&sizes)
                .map(|(index, size)| vec![index; *size]).collect();
            let mut writer = OggWriter::new(b"head", b"tags");
            let mut bytes = writer.out.len();
            for packet in &packets {
                writer.push(packet, samples);
                bytes += packet.len() + MAX_OVERHEAD;
                prop_assert!(writer.len() <= bytes);
            }
            let out = writer.finish();
            prop_assert!(out.len() <= bytes);
            let pages = read(&out);
            let back: Vec<_> = pages.iter().flat_map(|it| it.packets.clone()).collect();
            prop_assert_eq!(&back[2..], &packets[..]);
            let mut sent = 0;
            for (index, page) in pages.iter().enumerate() {
                prop_assert_eq!(page.sequence as usize, index);
                if index >= 2 {
                    sent += page.packets.len() as u64;
                    prop_assert_eq!(page.granule, sent * samples);
                }
                let is_last = index + 1 == pages.len();
                prop_assert_eq!(page.flags, if index == 0 { 2 } else if is_last { 4 } else { 0 });
            }
        }
    }
}
