//! Recordings in which something is said.

use tokio::process::Command;

use crate::tools::run;

/// Records a sentence, spoken from two seconds on, in eight seconds.
/// `coding` is the end of ffmpeg's command line; the last word of it is the file.
pub async fn record(sentence: &str, coding: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut speak = Command::new("espeak-ng");
    let speak = speak.args(["-s", "140", "-w", "said.wav", sentence]);
    run(speak, folder.path()).await;
    let line = format!(
        "-v error -f lavfi -i testsrc2=s=160x120:r=10:d=8 -i said.wav -af adelay=2000:all=1,apad -shortest {coding}"
    );
    let mut record = Command::new("ffmpeg");
    run(record.args(line.split_ascii_whitespace()), folder.path()).await;
    let name = coding.rsplit(' ').next().expect("a name");
    std::fs::read(folder.path().join(name)).expect("a recording")
}
