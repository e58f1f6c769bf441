//! The archive: the binary with its manual, licences and deployment files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{Release, STAGING};
use crate::shell::{program, root, run};

/// Beside what is staged, from the root of the repository.
const FILES: [&str; 5] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs/configuration.md",
    "docs/operations.md",
];

/// Packs the archive. Returns its path.
pub fn write(release: &Release, folder: &Path) -> Result<PathBuf> {
    let name = release.name();
    let parent = tempfile::tempdir()?;
    let content = parent.path().join(&name);
    run(program("cp", &["--recursive"])
        .arg(root().join(STAGING))
        .arg(&content))?;
    for file in FILES {
        let to = content.join(file);
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        fs::copy(root().join(file), to)?;
    }
    let archive = folder.join(format!("{name}.tar.gz"));
    pack(parent.path(), &name, &release.epoch, &archive)?;
    Ok(archive)
}

/// Packs a folder without what differs between two machines: order, owner, times, umask.
fn pack(parent: &Path, name: &str, epoch: &str, archive: &Path) -> Result<()> {
    let tar = archive.with_extension("");
    let mtime = format!("--mtime=@{epoch}");
    let mut command = program(
        "tar",
        &[
            "--create",
            "--format=ustar",
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            "--mode=go=rX,u+rw,a-s",
            &mtime,
        ],
    );
    run(command
        .arg("--file")
        .arg(&tar)
        .arg("--directory")
        .arg(parent)
        .arg(name))?;
    // Without a name and a time in its header.
    run(program("gzip", &["--no-name", "--best", "--force"]).arg(&tar))?;
    ensure!(archive.exists(), "gzip appends .gz");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_the_same_when_it_is_packed_again() {
        let pack_files = |names: [&str; 2], age: u64| {
            let folder = tempfile::tempdir().expect("a folder");
            let content = folder.path().join("vidence-1");
            fs::create_dir(&content).expect("a folder");
            for name in names {
                let file = content.join(name);
                fs::write(&file, name).expect("a file");
                let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(age);
                let file = fs::File::options().write(true).open(file);
                file.and_then(|it| it.set_modified(time)).expect("a time");
            }
            let archive = folder.path().join("vidence-1.tar.gz");
            pack(folder.path(), "vidence-1", "1000000000", &archive).expect("an archive");
            fs::read(archive).expect("the archive")
        };
        let (one, other) = (
            pack_files(["a", "b"], 1),
            pack_files(["b", "a"], 2_000_000_000),
        );
        assert!(one == other, "order or time is in the archive");
    }
}
