//! System calls of the server under `strace`: their order, and injected failures.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use test_support::scale::TIMEOUT;

/// System calls that open and remove files, that make bytes durable, and that send answers.
/// Not every architecture has `open` and `rmdir`.
const CALLS: &str = "?open,openat,?rmdir,unlinkat,fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64,\
    sendto,sendmsg";

/// Output of strace.
pub struct Trace {
    folder: TempDir,
}

/// A completed system call. Times are line numbers of the trace.
#[derive(Debug)]
pub struct SystemCall {
    /// When it began.
    pub began: usize,
    /// When it returned.
    pub ended: usize,
    /// Name of the call.
    pub name: String,
    /// Arguments, with the path of each descriptor.
    pub arguments: String,
    /// Returned value.
    pub result: String,
}

impl Trace {
    /// An empty trace.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { folder }
    }

    /// A launcher that runs the server under strace, with these injected failures.
    pub fn launcher(&self, failures: &[&str]) -> Vec<OsString> {
        // -D: strace runs as a grandchild, so that the server keeps its process id.
        let mut words = vec!["strace", "-D", "-f", "--seccomp-bpf", "-y", "-s", "512"];
        let calls = format!("trace={CALLS}");
        words.extend(["-e", &calls]);
        words.extend(failures.iter().flat_map(|failure| ["-e", failure]));
        let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        words.extend(["-o".into(), self.file().into()]);
        words
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("trace")
    }

    /// All calls, once the trace of this process has ended.
    pub async fn read(&self, process: u32) -> Vec<SystemCall> {
        let process = process.to_string();
        let deadline = Instant::now() + TIMEOUT;
        let mut ticks = tokio::time::interval(Duration::from_millis(5));
        loop {
            let trace = fs::read_to_string(self.file()).unwrap_or_default();
            let mut lines = trace.lines().map(thread_and_text);
            if lines.any(|(thread, text)| thread == process && text.starts_with("+++ ")) {
                return parse(&trace);
            }
            assert!(Instant::now() < deadline, "a trace without an end");
            ticks.tick().await;
        }
    }
}

impl SystemCall {
    /// Whether it makes a file or folder durable.
    pub fn is_sync(&self) -> bool {
        matches!(self.name.as_str(), "fsync" | "fdatasync")
    }

    /// Whether its failure was injected.
    pub fn is_injected(&self) -> bool {
        self.result.contains("(INJECTED)")
    }

    /// Path of its first argument, a descriptor.
    pub fn file(&self) -> Option<&str> {
        let descriptor = self.arguments.split(',').next()?;
        let (_, file) = descriptor.split_once('<')?;
        Some(file.strip_suffix('>').unwrap_or(file))
    }

    /// Path of the file that it opens, and creates unless it is there.
    pub fn created_file(&self) -> Option<&str> {
        let creates =
            matches!(self.name.as_str(), "open" | "openat") && self.arguments.contains("O_CREAT");
        let path = self.arguments.split('"').nth(1);
        path.filter(|_| creates)
    }

    /// The folder that it removes, by its whole path.
    pub fn removed_folder(&self) -> Option<&Path> {
        let removes = self.name == "rmdir" || self.arguments.contains("AT_REMOVEDIR");
        let path = self.arguments.split('"').nth(1).map(Path::new);
        path.filter(|it| removes && it.is_absolute())
    }

    /// The name of a file that it renames, and the new one.
    pub fn renamed(&self) -> Option<(&Path, &Path)> {
        let mut quoted = self.arguments.split('"').skip(1).step_by(2).map(Path::new);
        Some((quoted.next()?, quoted.next()?))
    }

    /// Whether it sends the beginning of an HTTP response.
    pub fn is_answer(&self) -> bool {
        self.arguments.contains("\"HTTP/1.1 ")
    }

    /// Whether that response acknowledges an offset.
    pub fn is_acknowledgement(&self) -> bool {
        let success = self.arguments.contains("\"HTTP/1.1 20");
        success && self.arguments.contains("upload-offset: ")
    }
}

/// strace pads short thread ids.
fn thread_and_text(line: &str) -> (&str, &str) {
    let (thread, text) = line.split_once(' ').unwrap_or_default();
    (thread, text.trim_start())
}

/// Parses complete calls, and joins interrupted ones with their resumption.
fn parse(trace: &str) -> Vec<SystemCall> {
    const UNFINISHED: &str = " <unfinished ...>";
    let mut begun: HashMap<&str, (usize, &str)> = HashMap::new();
    let mut calls = Vec::new();
    for (at, line) in trace.lines().enumerate() {
        let (thread, text) = thread_and_text(line);
        if let Some(beginning) = text.strip_suffix(UNFINISHED) {
            begun.insert(thread, (at, beginning));
        } else if let Some((_, end)) = text
            .strip_prefix("<... ")
            .and_then(|it| it.split_once(" resumed>"))
        {
            let (began, beginning) = begun.remove(thread).expect("an end with a beginning");
            calls.extend(call(&format!("{beginning}{end}"), began, at));
        } else {
            calls.extend(call(text, at, at));
        }
    }
    calls
}

/// Parses a call. `None` for a signal or an exit.
fn call(text: &str, began: usize, ended: usize) -> Option<SystemCall> {
    let (name, rest) = text.split_once('(')?;
    let (arguments, result) = rest.rsplit_once(" = ")?;
    Some(SystemCall {
        began,
        ended,
        name: name.to_owned(),
        arguments: arguments.trim_end().trim_end_matches(')').to_owned(),
        result: result.to_owned(),
    })
}

#[test]
fn interleaved_calls_of_several_threads_are_parsed() {
    let calls = parse(
        "7 fsync(4</d/a#1>) = 0\n\
         7 write(3</d/b>, \"x) = y\", 6 <unfinished ...>\n\
         8  fsync(5</d/b>) = -1 EIO (Input/output error) (INJECTED)\n\
         7 <... write resumed>)              = 6\n\
         8 writev(6<socket:[1]>, [{iov_base=\"HTTP/1.1 204 No Content\\r\\nupload-offset: 7\\r\\n\", iov_len=9}], 1) = 9\n\
         7 +++ killed by SIGKILL +++\n",
    );
    let times: Vec<_> = calls.iter().map(|it| (it.began, it.ended)).collect();
    assert_eq!(times, [(0, 0), (2, 2), (1, 3), (4, 4)]);
    let files: Vec<_> = calls.iter().map(SystemCall::file).collect();
    let want = ["/d/a#1", "/d/b", "/d/b", "socket:[1]"].map(Some);
    assert_eq!(files, want);
    assert!(calls[1].is_sync() && calls[1].is_injected() && !calls[0].is_injected());
    assert!(calls[3].is_answer() && calls[3].is_acknowledgement() && !calls[2].is_answer());
}
