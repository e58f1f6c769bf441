//! Lists the packets of the audio track, at the times at which the edit list presents them.

use super::Parsed;
use super::layout::Layout;
use crate::audio::{AudioCodec, AudioTrack, MAX_PACKETS, NoAudio, Packet};
use crate::mp4::audio_entry::audio_codec;
use crate::mp4::edit_list::EditList;
use crate::mp4::movie::Track;
use crate::mp4::timescale::{Timescales, to_duration};

impl Parsed {
    /// The packets of the first audio track whose codec is supported.
    pub(in crate::mp4) fn finish_audio(mut self) -> Result<AudioTrack, NoAudio> {
        let (audio, codec) = self.choose_audio()?;
        let structure = self.structure();
        // Of a progressive file the samples of one track are collected: here the audio's.
        self.collect_samples(structure, audio);
        let layout = Layout::new(&self.movie, structure);
        let track = self.movie.tracks.get(audio).ok_or(NoAudio::Missing)?;
        let edit_list = layout.edit_lists.get(audio).and_then(Option::as_ref);
        let edit_list = edit_list.ok_or(NoAudio::Missing)?;
        let packets = packets(track, edit_list, layout.timescales(track));
        let is_cut = self.is_overfull || packets.len() > MAX_PACKETS;
        let packets = packets.into_iter().take(MAX_PACKETS);
        AudioTrack::new(codec, packets.collect(), is_cut)
    }

    fn choose_audio(&self) -> Result<(usize, AudioCodec), NoAudio> {
        let tracks = self.movie.tracks.iter().enumerate();
        let mut audio = tracks.filter(|(_, track)| track.is_audio()).peekable();
        match audio.peek() {
            None => Err(NoAudio::Missing),
            Some(_) => audio
                .find_map(|(index, track)| Some((index, audio_codec(track)?)))
                .ok_or(NoAudio::UnsupportedCodec),
        }
    }
}

/// The samples that are presented, at least in part: what an edit cuts off isn't played.
fn packets(track: &Track, edit_list: &EditList, timescales: Timescales) -> Vec<Packet> {
    let origin = track.samples.iter().next().map_or(0, |it| it.decode_time);
    let samples = track.samples.iter().filter(|sample| sample.size > 0);
    let presented = samples.filter_map(|sample| {
        let begin = sample.composition_time().saturating_sub_unsigned(origin);
        let last = begin.saturating_add_unsigned(sample.duration.saturating_sub(1));
        let time = |ticks| edit_list.presentation_time(ticks, timescales);
        // An edit may begin within the sample.
        let begin_by_last = || {
            let length = to_duration(last.abs_diff(begin), timescales.media);
            let at = i64::try_from(time(last)?.as_nanos()).ok()?;
            Some(at.saturating_sub(i64::try_from(length.as_nanos()).ok()?))
        };
        let exact = time(begin).and_then(|at| i64::try_from(at.as_nanos()).ok());
        Some(Packet {
            at: Some(exact.or_else(begin_by_last)?),
            offset: sample.offset,
            size: sample.size,
        })
    });
    presented.take(MAX_PACKETS + 1).collect()
}

#[cfg(test)]
mod tests {
    use shiguredo_mp4::FixedPointNumber;
    use shiguredo_mp4::boxes::ElstEntry;

    use super::*;
    use crate::mp4::edit_list::MediaRange;
    use crate::mp4::movie::Movie;
    use crate::mp4::samples::MAX_SAMPLES;
    use crate::mp4::tests::{MOV, movie_payload};

    /// A phone that trims a video only adds an edit list: the file keeps all samples.
    #[test]
    fn audio_cut_off_by_an_edit_is_not_extracted() {
        const SECOND: i64 = 1_000_000_000;
        let mut movie = Movie::read(movie_payload(MOV)).expect("read");
        let timescale = movie.header.timescale;
        let audio = movie.tracks.iter().position(Track::is_audio);
        let track = &mut movie.tracks[audio.expect("audio")];
        assert!(track.collect_listed(&mut { MAX_SAMPLES }));
        let timescales = Timescales {
            movie: timescale,
            media: track.timescale(),
        };
        // From half a second on, for a second.
        let trimmed = ElstEntry {
            edit_duration: timescale.get().into(),
            media_time: i64::from(track.timescale().get() / 2),
            media_rate: FixedPointNumber::new(1, 0),
        };
        let media = MediaRange {
            origin: 0,
            begin: 0,
            end: track.samples.composition_end(),
            is_live: false,
        };
        let edit_list = EditList::new(&[trimmed], timescale, timescales, media);
        let packets = packets(track, &edit_list, timescales);
        let times: Vec<_> = packets.iter().filter_map(|packet| packet.at).collect();
        assert_eq!(times.len(), packets.len());
        let (first, last) = (times[0], times[times.len() - 1]);
        // The first one is presented in part.
        assert!((-SECOND / 20..=0).contains(&first), "{first}");
        assert!((SECOND * 9 / 10..=SECOND).contains(&last), "{last}");
        assert!(packets.len() < track.samples.len());
    }
}
