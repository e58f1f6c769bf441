//! A machine that can lose power: User Mode Linux, a kernel as a process with a page cache and a disk of its own.
//!
//! Its disk is a file, and the host's files are its root, so that it runs the server under test. A SIGKILL of the process
//! is a power cut: what the kernel had not yet written to its disk is lost.

use std::fs::{self, File, OpenOptions};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

use super::cable::Cable;
use test_support::clients::retrying_client::http_client;
use test_support::scale::TIMEOUT;
use test_support::servers::node::binary;

/// The size of the disk in bytes, most of which is a hole. XFS wants 300 MB.
const DISK_BYTES: u64 = 2 << 30;

/// Lines of the console that are shown when a test fails.
const CONSOLE_TAIL: usize = 40;

/// A file system, by its name.
#[derive(Clone, Copy, Debug)]
pub struct FileSystem(pub &'static str);

/// A machine, off after it was made.
pub struct Machine {
    folder: TempDir,
    file_system: FileSystem,
    cable: Cable,
    kernel: Option<Child>,
}

impl Machine {
    /// A machine with an empty disk.
    pub fn new(file_system: FileSystem) -> Self {
        let machine = Self {
            folder: tempfile::tempdir().expect("a folder"),
            file_system,
            cable: Cable::new(),
            kernel: None,
        };
        let disk = machine.path("disk");
        let file = File::create(&disk).expect("a file");
        file.set_len(DISK_BYTES).expect("a hole");
        let FileSystem(name) = file_system;
        let make = Command::new(format!("/sbin/mkfs.{name}"))
            .arg("-q")
            .arg(&disk)
            .status();
        assert!(make.expect("the maker of the file system").success());
        machine
    }

    /// Where its server listens.
    pub fn address(&self) -> SocketAddr {
        self.cable.server()
    }

    /// Turns it on, and waits until its server answers.
    pub async fn turn_on(&mut self) {
        let address = self.address();
        let serve = format!(
            "exec {} --listen {address} --public-url http://{address} --data-dir /mnt/disk/data {}",
            binary().canonicalize().expect("a path").display(),
            "--max-stored-bytes 1TiB --max-creator-bytes 1TiB --min-free-bytes 0 --min-free-files 0 --max-takes 1000 \
             --create-limit off --read-limit off",
        );
        self.boot(&serve);
        let client = http_client();
        let url = format!("http://{address}/readyz");
        let deadline = Instant::now() + TIMEOUT;
        let is_ready = async || {
            let answer = client.get(&url).timeout(Duration::from_millis(500)).send();
            answer.await.is_ok_and(|it| it.status().is_success())
        };
        while !is_ready().await {
            assert!(self.is_on(), "the machine halted by itself");
            assert!(Instant::now() < deadline, "the server doesn't answer");
        }
    }

    /// Cuts its power.
    pub fn cut_power(&mut self) {
        if let Some(mut kernel) = self.kernel.take() {
            // Fails for one that has ended by itself; a panic here would hide why, as it runs on drop.
            let _ = kill_process_group(Pid::from_child(&kernel), Signal::KILL);
            kernel.wait().expect("a child process");
        }
    }

    /// Turns it on to check the data, as after a power cut, and to copy them. Returns the folder of the copy.
    ///
    /// Panics unless `vidence check --deep` finds everything that the database names.
    pub async fn copy_checked_data(&mut self) -> PathBuf {
        let out = self.path("out");
        fs::create_dir(&out).expect("a folder");
        let (binary, folder) = (binary().canonicalize().expect("a path"), out.display());
        let check = format!(
            "{} check --deep --data-dir /mnt/disk/data > {folder}/check 2>&1; echo $? > {folder}/code\n\
             cp -a /mnt/disk/data {folder}/data && touch {folder}/copied\n\
             halt -f",
            binary.display()
        );
        self.boot(&check);
        let deadline = Instant::now() + TIMEOUT;
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        while self.is_on() {
            assert!(Instant::now() < deadline, "the check doesn't end");
            ticks.tick().await;
        }
        self.kernel = None;
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_default();
        assert_eq!(read("code").trim(), "0", "{}", read("check"));
        assert!(out.join("copied").exists());
        out.join("data")
    }

    /// Boots, mounts the disk, and runs these commands as the first process.
    fn boot(&mut self, commands: &str) {
        let (FileSystem(file_system), guest) = (self.file_system, self.cable.guest);
        let init = self.path("init");
        let script = format!(
            "#!/bin/sh\n\
             mount -t proc proc /proc && mount -t devtmpfs devtmpfs /dev\n\
             mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /mnt && mkdir /mnt/disk\n\
             ip link set lo up && ip address add {guest}/30 dev vec0 && ip link set vec0 up\n\
             export TMPDIR=/run\n\
             mount -t {file_system} /dev/ubda /mnt/disk || halt -f\n\
             {commands}\n"
        );
        fs::write(&init, script).expect("a script");
        fs::set_permissions(&init, fs::Permissions::from_mode(0o755)).expect("permissions");
        let console = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.path("console"));
        let console = console.expect("a file");
        let folder = self.folder.path().display();
        let (tap, mac) = (&self.cable.name, self.cable.mac());
        // The main process of the kernel ends with this one, however that ends.
        let mut kernel = Command::new("setpriv");
        kernel
            .args(["--pdeathsig", "KILL", "linux.uml"])
            .args([
                "root=/dev/root",
                "rootfstype=hostfs",
                "rw",
                "quiet",
                "mem=512M",
            ])
            .args(["con=null", "con0=null,fd:1", "umid=machine"])
            .arg(format!("init={}", init.display()))
            .arg(format!("ubda={folder}/disk"))
            .arg(format!("uml_dir={folder}/"))
            .arg(format!("vec0:transport=tap,ifname={tap},mac={mac},gro=1"))
            .env("TMPDIR", self.folder.path())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(console.try_clone().expect("a file"))
            .stderr(console);
        self.kernel = Some(kernel.spawn().expect("user-mode-linux"));
    }

    fn is_on(&mut self) -> bool {
        let kernel = self.kernel.as_mut();
        kernel.is_some_and(|it| it.try_wait().expect("a child process").is_none())
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(self.folder.path()).join(name)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.cut_power();
        if std::thread::panicking() {
            let console = fs::read(self.path("console")).unwrap_or_default();
            let console = String::from_utf8_lossy(&console);
            let lines: Vec<&str> = console.lines().collect();
            let tail = lines.len().saturating_sub(CONSOLE_TAIL);
            eprintln!("end of the console:\n{}", lines[tail..].join("\n"));
        }
    }
}
