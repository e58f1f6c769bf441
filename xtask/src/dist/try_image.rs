//! `cargo xtask dist --try-out`: the image of `Dockerfile.static`, built by buildah, which needs no engine, and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::smoke_test::{smoke_test, with_own_variables};
use super::{Architecture, STAGING};
use crate::shell::{output, program, root, run, say};
use crate::tools::debian_root;

/// Bytes of the image.
const MAX_IMAGE: u64 = 40_000_000;

/// Runs a program in a root directory, as the image's user.
/// As with `docker run --read-only --tmpfs /tmp --volume …`, only the data, /tmp and /dev/shm can be written. All
/// mounts end with the process.
const RUN_IMAGE: &str = "
    # The image's PATH doesn't lead to it.
    chroot=$(PATH=/usr/sbin:/sbin:$PATH command -v chroot)
    root=$0 user=$1 data=$2; shift 2
    mkdir -p \"$root/proc\" \"$root/dev\" \"$root/tmp\"
    mount --bind \"$root\" \"$root\"
    mount --rbind /proc \"$root/proc\"
    mount --rbind /dev \"$root/dev\"
    mount --bind \"$root$data\" \"$root$data\"
    mount -t tmpfs none \"$root/tmp\"
    mount -o remount,bind,ro \"$root\"
    exec \"$chroot\" --userspec=\"$user\" \"$root\" \"$@\"";

pub fn install_tools() -> Result<()> {
    debian_root::install_packages(&[], &["buildah"])
}

/// Builds the image, with this Debian as the one that it is made in, and runs it.
pub fn try_image(debian: &Path, folder: &Path) -> Result<()> {
    let context = folder.join("context");
    fs::create_dir_all(&context)?;
    let architecture = Architecture::here()?.name();
    for (from, to) in [
        ("vidence", architecture),
        ("THIRD-PARTY-LICENSES", "THIRD-PARTY-LICENSES"),
    ] {
        fs::copy(root().join(STAGING).join(from), context.join(to))?;
    }
    let images = Images {
        folder: folder.join("images"),
    };
    images.import(debian, &format!("debian:{}-slim", debian_root::RELEASE))?;
    images.build(
        &root().join("server/deploy/images/Dockerfile.static"),
        &context,
    )?;
    let image = images.configuration()?;
    let container = images.output(&["from", "--pull-never", "vidence"])?;
    let files = PathBuf::from(images.output(&["mount", &container])?);

    let size = output(program("du", &["--summarize", "--bytes"]).arg(&files))?;
    let bytes: u64 = size.split('\t').next().unwrap_or_default().parse()?;
    say(format!("the image has {} MB", bytes / 1_000_000));
    ensure!(
        bytes < MAX_IMAGE,
        "it should have less than {MAX_IMAGE} bytes"
    );
    let user = image["User"].as_str().context("no user")?;
    ensure!(!matches!(user, "" | "root" | "0"), "it runs as {user:?}");
    let data = image["Volumes"].as_object().and_then(|it| it.keys().next());
    let data = data.context("no volume")?;

    let variables = words(&image["Env"]);
    let run_within = |words: &[&str], address: &str| {
        let mut within = program("unshare", &["--mount", "sh", "-euc", RUN_IMAGE]);
        within.arg(&files).args([user, data]).args(words);
        let mut within = with_own_variables(within);
        within.envs(variables.iter().filter_map(|it| it.split_once('=')));
        within.env("VIDENCE_LISTEN", address);
        within
    };
    let serve = [words(&image["Entrypoint"]), words(&image["Cmd"])].concat();
    let check = words(&image["Healthcheck"]["Test"]);
    let ["CMD", check @ ..] = &check[..] else {
        anyhow::bail!("a health check: {check:?}");
    };
    smoke_test(run_within(&serve, "127.0.0.1:0"), |address| {
        run_within(check, address)
    })
}

/// The words of a list.
fn words(list: &Value) -> Vec<&str> {
    let words = list.as_array().into_iter().flatten();
    words.filter_map(Value::as_str).collect()
}

/// Images in a folder, apart from those of the machine.
struct Images {
    folder: PathBuf,
}

impl Images {
    /// Makes an image of a root directory.
    fn import(&self, files: &Path, name: &str) -> Result<()> {
        let container = self.output(&["from", "scratch"])?;
        run(self
            .buildah(&["add", "--quiet", &container])
            .arg(files)
            .arg("/"))?;
        self.output(&["commit", "--quiet", "--rm", &container, name])?;
        Ok(())
    }

    /// Builds `vidence`. Only Docker's format has a health check.
    fn build(&self, file: &Path, context: &Path) -> Result<()> {
        let platform = format!("linux/{}", Architecture::here()?.name());
        let build = ["build", "--pull-never", "--quiet", "--format", "docker"];
        let mut build = self.buildah(&build);
        build.args(["--platform", &platform, "--tag", "vidence", "--file"]);
        run(build.arg(file).arg(context))
    }

    /// How `vidence` is run: the field `Config` of Docker's image specification.
    fn configuration(&self) -> Result<Value> {
        let described = self.output(&["inspect", "--type", "image", "vidence"])?;
        let mut described: Value = serde_json::from_str(&described)?;
        Ok(described["Docker"]["config"].take())
    }

    fn output(&self, arguments: &[&str]) -> Result<String> {
        Ok(output(&mut self.buildah(arguments))?.trim().to_owned())
    }

    fn buildah(&self, arguments: &[&str]) -> Command {
        // Without mounts and namespaces, which a container may lack.
        let mut buildah = program("buildah", &["--storage-driver", "vfs", "--root"]);
        buildah.arg(self.folder.join("storage"));
        buildah.arg("--runroot").arg(self.folder.join("run"));
        buildah.env("BUILDAH_ISOLATION", "chroot");
        buildah.args(arguments);
        buildah
    }
}
