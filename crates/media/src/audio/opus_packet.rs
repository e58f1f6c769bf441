//! The duration of an Opus packet (RFC 6716, section 3.1).

/// Maximum duration of a packet in nanoseconds (RFC 6716, section 3.2.5).
const MAX_DURATION: u64 = 120_000_000;

/// The duration in nanoseconds, from a packet's first two bytes. `None`: it isn't a packet.
pub(crate) fn packet_duration(packet: &[u8]) -> Option<u64> {
    let toc = *packet.first()?;
    let frame = match toc >> 3 {
        // SILK: 10, 20, 40, 60 ms.
        config @ 0..12 => [10_000_000, 20_000_000, 40_000_000, 60_000_000][usize::from(config % 4)],
        // Hybrid: 10, 20 ms.
        config @ 12..16 => [10_000_000, 20_000_000][usize::from(config % 2)],
        // CELT: 2.5, 5, 10, 20 ms.
        config => 2_500_000 << (config % 4),
    };
    let frames = match toc & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => u64::from(packet.get(1)? & 0x3f),
    };
    Some(frame * frames).filter(|duration| *duration <= MAX_DURATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_toc_byte_states_the_duration() {
        for (packet, want) in [
            (&[0xfc][..], Some(20_000_000)), // CELT
            (&[0xfb, 3], Some(60_000_000)),  // CELT, three frames
            (&[0x08], Some(20_000_000)),     // SILK
            (&[0x19], Some(120_000_000)),
            (&[0x80], Some(2_500_000)),
            (&[0x78], Some(20_000_000)), // hybrid
            (&[0x60], Some(10_000_000)),
            (&[0xfb, 63], None),
            (&[0xfb], None),
            (&[], None),
        ] {
            assert_eq!(packet_duration(packet), want, "{packet:?}");
        }
    }
}
