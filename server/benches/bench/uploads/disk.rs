//! What the disk alone allows: the same bytes in as many files, synced with their folders by as many threads, without a
//! network and without rows.

use std::fs::{self, File};
use std::path::Path;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};

use super::load::UploadLoad;
use super::payload::noise;

/// Bytes per second.
pub fn measure(disk: &Path, load: UploadLoad) -> Result<f64> {
    let piece = noise(load.piece);
    let pieces = load.bytes / load.uploads / load.piece;
    let folders: Vec<_> = (0..load.uploads)
        .map(|upload| disk.join(format!("disk-{upload}")))
        .collect();
    for folder in &folders {
        fs::create_dir(folder)?;
    }
    let start = Instant::now();
    thread::scope(|scope| {
        let write = |folder| write_pieces(folder, &piece, pieces);
        let writers: Vec<_> = folders
            .iter()
            .map(|folder| scope.spawn(move || write(folder)))
            .collect();
        for writer in writers {
            writer.join().ok().context("a writer panicked")??;
        }
        Ok::<(), anyhow::Error>(())
    })?;
    let elapsed = start.elapsed();
    for folder in folders {
        fs::remove_dir_all(folder)?;
    }
    Ok((pieces * load.piece * load.uploads) as f64 / elapsed.as_secs_f64())
}

fn write_pieces(folder: &Path, piece: &[u8], pieces: usize) -> Result<()> {
    for number in 0..pieces {
        let path = folder.join(number.to_string());
        fs::write(&path, piece)?;
        File::open(&path)?.sync_all()?;
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
