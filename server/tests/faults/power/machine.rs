//! A machine that can lose power: User Mode Linux, a kernel as a process with a page cache and a disk of its own.
//!
//! Its disk is with this process, and the host's files are its root, so that it runs the server under test. A SIGKILL of
//! the kernel is a power cut: what it had not yet written to its disk is lost, and of what was in the cache of the disk
//! any part.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

use super::cable::Cable;
use super::nbd::NetworkDisk;
use super::write_cache::BLOCK;
use crate::environment::preloaded::Preloaded;
use test_support::clients::retrying_client::http_client;
use test_support::scale::TIMEOUT;

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
    disk: NetworkDisk,
    /// What a kernel needs on processors with more registers than it knows.
    registers: Preloaded,
    kernel: Option<Child>,
}

impl Machine {
    /// A machine whose disk is empty, or has what is in a folder, which only ext4 can.
    pub async fn new(file_system: FileSystem, content: Option<&Path>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("disk");
        let mut options = File::options();
        let options = options.read(true).write(true).create_new(true);
        let file = options.open(&path).expect("a file");
        file.set_len(DISK_BYTES).expect("a hole");
        let FileSystem(name) = file_system;
        let mut make = Command::new(format!("/sbin/mkfs.{name}"));
        make.arg("-q").arg(&path);
        if let Some(content) = content {
            make.arg("-d").arg(content);
        }
        if name == "xfs" {
            make.args(["-s", &format!("size={BLOCK}")]);
        }
        let made = make.status().expect("the maker of the file system");
        assert!(made.success());
        let cable = Cable::new();
        let disk = NetworkDisk::new(file, cable.host).await;
        Self {
            folder,
            file_system,
            cable,
            disk: disk.expect("a disk"),
            registers: Preloaded::compile("vector_registers.c", 0),
            kernel: None,
        }
    }

    /// The network that it shares with this host.
    pub fn cable(&self) -> &Cable {
        &self.cable
    }

    /// Turns it on, and waits until the server that these commands start answers.
    pub async fn turn_on(&mut self, commands: &str) {
        self.boot(commands);
        let client = http_client();
        let url = format!("http://{}/readyz", self.cable.server());
        // Kernel, disk, and perhaps PostgreSQL come first.
        let deadline = Instant::now() + 3 * TIMEOUT;
        let is_ready = async || {
            let answer = client.get(&url).timeout(Duration::from_secs(2)).send();
            answer.await.is_ok_and(|it| it.status().is_success())
        };
        while !is_ready().await {
            assert!(
                self.is_on(),
                "the machine halted by itself: {}",
                self.last_error()
            );
            assert!(Instant::now() < deadline, "the server doesn't answer");
        }
    }

    /// Cuts its power. Returns how many blocks of the disk have lost writes.
    pub async fn cut_power(&mut self, rng: &mut StdRng) -> usize {
        self.kill();
        self.disk.lose_power(rng).await.expect("a disk")
    }

    /// Turns it on to run these commands, and waits until they have ended.
    pub async fn run(&mut self, commands: &str) {
        self.boot(&format!("{commands}\nhalt -f"));
        // A boot comes first.
        let deadline = Instant::now() + 5 * TIMEOUT;
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        while self.is_on() {
            assert!(Instant::now() < deadline, "the commands don't end");
            ticks.tick().await;
        }
        self.kernel = None;
        self.disk.stop().await;
    }

    /// A file or folder beside its disk, which the host and the guest can use.
    pub fn path(&self, name: &str) -> PathBuf {
        Path::new(self.folder.path()).join(name)
    }

    /// Boots, mounts the disk, and runs these commands as the first process.
    fn boot(&mut self, commands: &str) {
        let (FileSystem(file_system), guest) = (self.file_system, self.cable.guest);
        self.disk.turn_on();
        let disk = self.disk.address().expect("an address");
        let init = self.path("init");
        let script = format!(
            "#!/bin/sh\n\
             mount -t proc proc /proc && mount -t devtmpfs devtmpfs /dev\n\
             mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /mnt && mkdir /mnt/disk\n\
             mkdir /dev/shm && mount -t tmpfs tmpfs /dev/shm\n\
             ip link set lo up && ip address add {guest}/30 dev vec0 && ip link set vec0 up\n\
             export TMPDIR=/run GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW\n\
             insmod /usr/lib/uml/modules/$(uname -r)/kernel/drivers/block/nbd.ko\n\
             nbd-client {} {} /dev/nbd0 -block-size {BLOCK} || halt -f\n\
             mount -t {file_system} /dev/nbd0 /mnt/disk || halt -f\n\
             {commands}\n",
            disk.ip(),
            disk.port(),
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
            .arg(format!("uml_dir={folder}/"))
            .arg(format!("vec0:transport=tap,ifname={tap},mac={mac},gro=1"))
            .env("TMPDIR", self.folder.path())
            .envs(self.registers.variables())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(console.try_clone().expect("a file"))
            .stderr(console);
        self.kernel = Some(kernel.spawn().expect("user-mode-linux"));
    }

    /// The last error that a program gave as the reason of its end, in one line.
    fn last_error(&self) -> String {
        let console = fs::read(self.path("console")).unwrap_or_default();
        let console = String::from_utf8_lossy(&console);
        let at = console.rfind("Error: ").unwrap_or(console.len());
        let lines: Vec<&str> = console[at..].lines().take(6).map(str::trim).collect();
        lines.join(" ")
    }

    fn is_on(&mut self) -> bool {
        let kernel = self.kernel.as_mut();
        kernel.is_some_and(|it| it.try_wait().expect("a child process").is_none())
    }

    fn kill(&mut self) {
        if let Some(mut kernel) = self.kernel.take() {
            // Fails for one that has ended by itself; a panic here would hide why, as it runs on drop.
            let _ = kill_process_group(Pid::from_child(&kernel), Signal::KILL);
            kernel.wait().expect("a child process");
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let console = fs::read(self.path("console")).unwrap_or_default();
            let console = String::from_utf8_lossy(&console);
            let lines: Vec<&str> = console.lines().collect();
            let tail = lines.len().saturating_sub(CONSOLE_TAIL);
            eprintln!("end of the console:\n{}", lines[tail..].join("\n"));
        }
    }
}
