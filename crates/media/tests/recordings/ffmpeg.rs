//! Live recordings that ffmpeg writes, and what it finds in a file.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::fixtures::Recording;

/// Where fragments of an MP4 begin.
const FRAGMENTS: [&str; 4] = [
    "-movflags frag_keyframe",
    "-movflags frag_every_frame",
    "-movflags cmaf",
    "-frag_duration 300000 -movflags faststart",
];

/// When the `moov` box is written.
const MOVIE: [&str; 3] = ["", "+empty_moov", "+delay_moov"];

/// What fragments contain, and in which form.
const FRAGMENT_FLAGS: [&str; 12] = [
    "",
    "+default_base_moof",
    "+separate_moof",
    "+omit_tfhd_offset",
    "+skip_trailer",
    "+negative_cts_offsets",
    "+default_base_moof+separate_moof",
    "+separate_moof+omit_tfhd_offset",
    "+omit_tfhd_offset+skip_trailer",
    "+dash",
    "+dash+skip_sidx",
    "+default_base_moof+separate_moof+skip_trailer+negative_cts_offsets",
];

/// Options of WebM and Matroska that differ in how Clusters and the Segment end.
const WEBM: [&str; 7] = [
    "-f webm -live 1",
    "-f webm -live 1 -cluster_time_limit 200",
    "-an -f webm -dash 1 -dash_track_number 1",
    "-f webm",
    "-f webm -cluster_size_limit 2000",
    "-f matroska -live 1",
    "-f matroska -write_crc32 0",
];

/// Encodes two seconds of video and audio with a keyframe every half second.
fn source(dir: &Path, name: &str, coding: &str) {
    let input = "-f lavfi -i testsrc2=s=96x64:r=10:d=2 -f lavfi -i sine=f=440:r=48000:d=2 -g 5";
    run(dir, &format!("{input} {coding} {name}"));
}

/// Muxes like a browser: to an output in which ffmpeg can't seek.
pub fn recordings() -> Vec<Recording> {
    let dir = TempDir::new().expect("a directory");
    let dir = dir.path();
    let x264 = "-c:v libx264 -preset veryfast -crf 40 -pix_fmt yuv420p -c:a aac -b:a 16k";
    source(dir, "plain.mp4", &format!("{x264} -bf 0"));
    source(dir, "b.mp4", &format!("{x264} -bf 2"));
    let vp8 = "-c:v libvpx -deadline realtime -b:v 40k -c:a libopus -b:a 16k";
    source(dir, "plain.webm", vp8);
    let mut recipes = Vec::new();
    for fragments in FRAGMENTS {
        for movie in MOVIE {
            for (index, flags) in FRAGMENT_FLAGS.into_iter().enumerate() {
                let from = ["plain.mp4", "b.mp4"][index % 2];
                recipes.push((from, format!("-f mp4 {fragments}{movie}{flags}")));
            }
        }
        // The container of iPhones, and video without audio.
        recipes.push(("b.mp4", format!("-f mov {fragments}+empty_moov")));
        recipes.push(("b.mp4", format!("-an -f mp4 {fragments}+empty_moov")));
        // A recorder that was on before.
        let late = format!("-output_ts_offset 3.271 -f mp4 {fragments}+empty_moov");
        recipes.push(("plain.mp4", late));
    }
    for webm in WEBM {
        recipes.push(("plain.webm", webm.to_owned()));
        recipes.push(("plain.webm", format!("-an {webm}")));
        recipes.push(("plain.webm", format!("-output_ts_offset 3.271 {webm}")));
    }
    mux_all(dir, &recipes)
}

/// Runs one process for each source, because starting one takes most of the time.
fn mux_all(dir: &Path, recipes: &[(&str, String)]) -> Vec<Recording> {
    for from in ["plain.mp4", "b.mp4", "plain.webm"] {
        let outputs: String = recipes
            .iter()
            .enumerate()
            .filter(|(_, recipe)| recipe.0 == from)
            .map(|(index, (_, recipe))| {
                format!(" -map 0 -c copy {recipe} -seekable 0 file:{index}.made")
            })
            .collect();
        run(dir, &format!("-i {from}{outputs}"));
    }
    let read = |(index, (from, recipe)): (usize, &(&str, String))| Recording {
        name: format!("ffmpeg {recipe} of {from}"),
        bytes: std::fs::read(dir.join(format!("{index}.made"))).expect("made"),
    };
    recipes.iter().enumerate().map(read).collect()
}

/// Makes a recording of two seconds with this coding of a tone, and these options of the muxer.
pub fn with_audio(coding: &str) -> Vec<u8> {
    let dir = TempDir::new().expect("a directory");
    let input =
        "-f lavfi -i testsrc2=s=96x64:r=10:d=2 -itsoffset 0.7 -f lavfi -i sine=f=440:r=48000:d=1.3";
    run(dir.path(), &format!("{input} {coding} film"));
    std::fs::read(dir.path().join("film")).expect("made")
}

fn run(dir: &Path, line: &str) -> String {
    try_run(dir, line).unwrap_or_else(|errors| panic!("{line}: {errors}"))
}

/// Runs ffmpeg and returns its messages. `Err`: it failed.
fn try_run(dir: &Path, line: &str) -> Result<String, String> {
    let output = Command::new("ffmpeg")
        .current_dir(dir)
        .args("-nostdin -hide_banner -v error -y".split(' '))
        .args(line.split_ascii_whitespace())
        .output()
        .expect("ffmpeg");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(errors)
    } else {
        Err(errors)
    }
}

/// Leaves out messages about audio frames with equal timestamps, which ffmpeg's own `frag_every_frame` writes, and about
/// the end of a Cluster of known size that was cut off.
fn without_harmless(errors: &str) -> String {
    let harmless = ["increasing dts to muxer", "File ended prematurely"];
    let lines = errors.lines();
    let lines = lines.filter(|line| !harmless.iter().any(|it| line.contains(it)));
    lines.collect::<Vec<_>>().join("\n")
}

/// A file to be read by ffmpeg.
pub struct Probe(TempDir);

/// A coded frame: the index of its stream, its size, its checksum.
pub type Packet = (u32, u64, String);

impl Probe {
    pub fn new(bytes: &[u8]) -> Self {
        let dir = TempDir::new().expect("a directory");
        std::fs::write(dir.path().join("film"), bytes).expect("written");
        Self(dir)
    }

    /// Decodes the file, and returns the error messages and all coded frames in their order.
    pub fn decode(&self) -> (String, Vec<Packet>) {
        let copied = "-map 0 -c copy -f framecrc out";
        let errors = run(self.0.path(), &format!("-i film {copied} -map 0 -f null -"));
        (without_harmless(&errors), self.listed())
    }

    /// All coded frames, or none if ffmpeg can't read the file.
    pub fn packets(&self) -> Vec<Packet> {
        let line = "-i film -map 0 -c copy -f framecrc out";
        match try_run(self.0.path(), line) {
            Ok(_) => self.listed(),
            Err(_) => Vec::new(),
        }
    }

    /// How long its audio is when it is decoded, without gaps. `Err`: messages of the decoder.
    pub fn audio_duration(&self) -> Result<Duration, String> {
        let line = "-i film -map 0:a:0 -ac 1 -ar 48000 -f s16le out";
        let errors = without_harmless(&try_run(self.0.path(), line)?);
        let samples = std::fs::read(self.0.path().join("out"))
            .expect("samples")
            .len()
            / 2;
        match errors.is_empty() {
            true => Ok(Duration::from_secs(samples as u64) / 48_000),
            false => Err(errors),
        }
    }

    /// Seeks, and returns the number of pictures from there on.
    pub fn pictures_from(&self, at: Duration) -> usize {
        // One millisecond earlier, for times between two ticks.
        let seconds = at.saturating_sub(Duration::from_millis(1)).as_secs_f64();
        let line = format!("-ss {seconds} -i film -map 0:v -c:v rawvideo -f framecrc out");
        run(self.0.path(), &line);
        self.listed().len()
    }

    fn listed(&self) -> Vec<Packet> {
        let list = std::fs::read_to_string(self.0.path().join("out")).expect("a list");
        let lines = list.lines().filter(|line| !line.starts_with('#'));
        let packet = |line: &str| {
            let mut fields = line.split(',').map(str::trim);
            let stream = fields.next()?.parse().ok()?;
            let size = fields.nth(3)?.parse().ok()?;
            Some((stream, size, fields.next()?.to_owned()))
        };
        lines.filter_map(packet).collect()
    }
}
