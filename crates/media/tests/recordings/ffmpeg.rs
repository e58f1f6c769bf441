//! What ffmpeg writes live, and what it makes of a file.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::films::Film;

/// How a fragmented MP4 can be cut into fragments.
const FRAGMENTS: [&str; 4] = [
    "-movflags frag_keyframe",
    "-movflags frag_every_frame",
    "-movflags cmaf",
    "-frag_duration 300000 -movflags faststart",
];

/// When its movie box is written.
const MOVIE: [&str; 3] = ["", "+empty_moov", "+delay_moov"];

/// What a fragment says, and how.
const SAYS: [&str; 12] = [
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

/// Of WebM and Matroska: all of them end their clusters and their segment in a way of their own.
const WEBM: [&str; 7] = [
    "-f webm -live 1",
    "-f webm -live 1 -cluster_time_limit 200",
    "-an -f webm -dash 1 -dash_track_number 1",
    "-f webm",
    "-f webm -cluster_size_limit 2000",
    "-f matroska -live 1",
    "-f matroska -write_crc32 0",
];

/// Two seconds of pictures and sound, a key frame every half second.
fn source(dir: &Path, name: &str, coding: &str) {
    let picture = "-f lavfi -i testsrc2=s=96x64:r=10:d=2 -f lavfi -i sine=f=440:r=48000:d=2 -g 5";
    run(dir, &format!("{picture} {coding} {name}"));
}

/// As browsers would write it, if they were ffmpeg: to where it can't go back.
pub fn films() -> Vec<Film> {
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
            for (index, says) in SAYS.into_iter().enumerate() {
                let from = ["plain.mp4", "b.mp4"][index % 2];
                recipes.push((from, format!("-f mp4 {fragments}{movie}{says}")));
            }
        }
        // What iPhones' containers would be, and pictures alone.
        recipes.push(("b.mp4", format!("-f mov {fragments}+empty_moov")));
        recipes.push(("b.mp4", format!("-an -f mp4 {fragments}+empty_moov")));
        // A camera that was switched on long before.
        let late = format!("-output_ts_offset 3.271 -f mp4 {fragments}+empty_moov");
        recipes.push(("plain.mp4", late));
    }
    for webm in WEBM {
        recipes.push(("plain.webm", webm.to_owned()));
        recipes.push(("plain.webm", format!("-an {webm}")));
        recipes.push(("plain.webm", format!("-output_ts_offset 3.271 {webm}")));
    }
    made(dir, &recipes)
}

/// One process for each source: most of what it costs is to start it.
fn made(dir: &Path, recipes: &[(&str, String)]) -> Vec<Film> {
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
    let read = |(index, (from, recipe)): (usize, &(&str, String))| Film {
        name: format!("ffmpeg {recipe} of {from}"),
        bytes: std::fs::read(dir.join(format!("{index}.made"))).expect("made"),
    };
    recipes.iter().enumerate().map(read).collect()
}

fn run(dir: &Path, line: &str) -> String {
    try_run(dir, line).unwrap_or_else(|said| panic!("{line}: {said}"))
}

/// What it says, whether or not it can do what it is asked for.
fn try_run(dir: &Path, line: &str) -> Result<String, String> {
    let done = Command::new("ffmpeg")
        .current_dir(dir)
        .args("-nostdin -hide_banner -v error -y".split(' '))
        .args(line.split_ascii_whitespace())
        .output()
        .expect("ffmpeg");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.success() {
        Ok(said)
    } else {
        Err(said)
    }
}

/// A file that ffmpeg looks at.
pub struct Probe(TempDir);

/// A coded frame: its stream, its size, its checksum.
pub type Packet = (u32, u64, String);

impl Probe {
    pub fn new(bytes: &[u8]) -> Self {
        let dir = TempDir::new().expect("a directory");
        std::fs::write(dir.path().join("film"), bytes).expect("written");
        Self(dir)
    }

    /// Decodes all of it: what there was to complain about, and all coded frames in their order. No fault of a
    /// decoder's are sounds at one and the same time, which ffmpeg's own `frag_every_frame` writes, and the end of
    /// a Cluster that said its size before it was cut off.
    pub fn decode(&self) -> (String, Vec<Packet>) {
        let copied = "-map 0 -c copy -f framecrc out";
        let said = run(self.0.path(), &format!("-i film {copied} -map 0 -f null -"));
        let lines = said.lines();
        let harmless = ["increasing dts to muxer", "File ended prematurely"];
        let lines = lines.filter(|line| !harmless.iter().any(|it| line.contains(it)));
        (lines.collect::<Vec<_>>().join("\n"), self.listed())
    }

    /// All coded frames, as far as there are any.
    pub fn packets(&self) -> Vec<Packet> {
        let line = "-i film -map 0 -c copy -f framecrc out";
        match try_run(self.0.path(), line) {
            Ok(_) => self.listed(),
            Err(_) => Vec::new(),
        }
    }

    /// How many pictures are left from there on.
    pub fn pictures_from(&self, at: Duration) -> usize {
        // Of times that lie between two ticks.
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
