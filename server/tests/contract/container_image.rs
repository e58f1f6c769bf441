//! The image that operators build of `server/deploy/Dockerfile`. No engine builds it here: what it is made of, and what
//! it says of the server, is compared with both.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::TOOLS;
use crate::deploy::{shipped, text};
use test_support::shipped::Shipped;
use test_support::tools::run;

/// Prints names and values of the instructions, continued lines joined.
const PARSE: &str = "import json, sys; from dockerfile_parse import DockerfileParser; \
                     print(json.dumps([[it['instruction'], it['value']] for it in \
                     DockerfileParser(fileobj=open(sys.argv[1], 'rb')).structure]))";

/// What Debian's smallest image has. Of glibc and its kin there is the version that was linked against: see below.
const LIBRARIES: [&str; 6] = [
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libc.so.6",
    "libgcc_s.so.1",
    "libm.so.6",
    "libstdc++.so.6",
];

/// The Dockerfile: a stage that builds, and one that ships.
struct Image(Vec<(String, String)>);

impl Image {
    async fn parsed() -> Self {
        let mut parse = TOOLS.python("python");
        parse.args(["-c", PARSE]).arg(shipped("Dockerfile"));
        let parsed = run(&mut parse, Path::new("/")).await;
        Self(serde_json::from_str(&parsed).expect("instructions"))
    }

    /// The values of these instructions, from the first stage on.
    fn all(&self, name: &str) -> Vec<&str> {
        let named = self.0.iter().filter(|it| it.0 == name);
        named.map(|it| it.1.as_str()).collect()
    }

    fn one(&self, name: &str) -> &str {
        let [value] = self.all(name)[..] else {
            panic!("one {name}");
        };
        value
    }

    /// A variable that it sets.
    fn variable(&self, name: &str) -> &str {
        let mut variables = self.one("ENV").split_whitespace();
        let value = variables.find_map(|it| it.strip_prefix(name)?.strip_prefix('='));
        value.expect("a variable")
    }

    /// A list in brackets.
    fn words(&self, name: &str) -> Vec<String> {
        let value = self.one(name);
        let list = &value[value.find('[').expect("a list")..];
        serde_json::from_str(list).expect("a list of words")
    }

    /// The port that it listens on.
    fn port(&self) -> &str {
        let (_, port) = self
            .variable("VIDENCE_LISTEN")
            .rsplit_once(':')
            .expect("a port");
        port
    }
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("a repository")
}

/// What the server says without any variables but these.
fn vidence(words: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vidence"));
    let command = command.args(words).env_clear();
    command
        .envs(variables.iter().copied())
        .output()
        .expect("an end")
}

#[tokio::test]
async fn hadolint_finds_nothing_wrong_with_the_image() {
    let mut lint = TOOLS.python("hadolint");
    run(lint.arg(shipped("Dockerfile")), Path::new("/")).await;
}

/// Which of its files a build needs the compiler has written down beside the binary.
#[test]
fn what_the_image_is_built_of_is_not_left_out() {
    let root = root();
    let ignore = text("Dockerfile.dockerignore");
    let rules = ignore.lines().filter(|it| !it.starts_with('#'));
    let rules: Vec<(bool, &str)> = rules
        .map(|it| it.strip_prefix('!').map_or((false, it), |it| (true, it)))
        .collect();
    // As Docker does: of the rules that fit the file or a folder that it lies in, the last one counts.
    let is_sent = |file: &Path| {
        let fits = |rule: &str| {
            let (mut rule, mut file) = (rule.split('/'), file.iter());
            rule.all(|part| file.next().is_some_and(|it| part == "*" || it == part))
        };
        rules
            .iter()
            .rev()
            .find(|it| fits(it.1))
            .is_none_or(|it| it.0)
    };
    for (_, rule) in rules.iter().filter(|it| it.0) {
        assert!(root.join(rule).exists(), "{rule} is gone");
    }
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("a workspace");
    let (_, members) = manifest.split_once("members = ").expect("members");
    let (members, _) = members.split_once('\n').expect("a line");
    let members: Vec<String> = serde_json::from_str(members).expect("a list");
    for member in members {
        assert!(is_sent(&Path::new(&member).join("src/main.rs")), "{member}");
    }
    assert!(
        !is_sent(Path::new("data/vidence.db")) && !is_sent(Path::new("target/release/vidence"))
    );

    let needed = Path::new(env!("CARGO_BIN_EXE_vidence")).with_extension("d");
    let needed = std::fs::read_to_string(needed).expect("what the compiler has read");
    let (_, needed) = needed.split_once(':').expect("what it has made of it");
    let mut count = 0;
    for file in needed.split_whitespace() {
        let file = Path::new(file).canonicalize().expect("a file");
        let file = file.strip_prefix(&root).expect("a file of ours");
        // What the image's own build makes first.
        if !file.starts_with("target/site") {
            assert!(is_sent(file), "{} is needed, and left out", file.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[tokio::test]
async fn the_image_is_built_by_our_compiler_for_the_system_that_it_ships() {
    let image = Image::parsed().await;
    let toolchain =
        std::fs::read_to_string(root().join("rust-toolchain.toml")).expect("a toolchain");
    let (_, channel) = toolchain.split_once("channel = \"").expect("a version");
    let (channel, _) = channel.split_once('"').expect("a version");
    let [build, ship] = image.all("FROM")[..] else {
        panic!("two stages");
    };
    let (rust, name) = build.split_once(" AS ").expect("a name");
    // The same release of Debian: so it has the libraries that were linked against, and their versions.
    let (_, suite) = rust.rsplit_once('-').expect("a release of Debian");
    assert_eq!(rust, format!("rust:{channel}-{suite}"));
    assert_eq!(ship, format!("debian:{suite}-slim"));

    let [sources, binary] = image.all("COPY")[..] else {
        panic!("what it is built of, and what ships");
    };
    assert_eq!(sources, ". .");
    let (from, to) = binary.rsplit_once(' ').expect("two places");
    assert_eq!(from, format!("--from={name} {to}"));
    let made = image.all("RUN")[0].split("&& ").last().expect("a command");
    assert_eq!(made, format!("cp target/release/vidence {to}"));
    assert_eq!(image.words("ENTRYPOINT"), ["vidence"]);
    assert_eq!(
        to, "/usr/local/bin/vidence",
        "where it is found by its name"
    );

    let linked = Command::new("ldd")
        .arg(env!("CARGO_BIN_EXE_vidence"))
        .output();
    let linked = String::from_utf8(linked.expect("ldd").stdout).expect("text");
    for line in linked.lines().filter(|it| !it.contains("linux-vdso")) {
        let library = line.split_whitespace().next().expect("a name");
        let (_, library) = library.rsplit_once('/').unwrap_or(("", library));
        assert!(
            LIBRARIES.contains(&library),
            "{library} is not in the image"
        );
    }
}

#[tokio::test]
async fn the_image_says_of_the_server_what_is_so() {
    let image = Image::parsed().await;
    let (listens, keeps) = (
        image.variable("VIDENCE_LISTEN"),
        image.variable("VIDENCE_DATA_DIR"),
    );
    let variables = [("VIDENCE_LISTEN", listens), ("VIDENCE_DATA_DIR", keeps)];
    let settings = vidence(&["config"], &variables);
    let settings = String::from_utf8(settings.stdout).expect("text");
    let settings = settings.lines().filter(|it| it.ends_with("(environment)"));
    let settings: Vec<Vec<_>> = settings.map(|it| it.split_whitespace().collect()).collect();
    let told = [
        ["--listen", listens, "(environment)"],
        ["--data-dir", keeps, "(environment)"],
    ];
    assert_eq!(settings, told);
    assert_eq!(image.one("ENV").split_whitespace().count(), told.len());
    let default = vidence(&["config"], &[]);
    let default = String::from_utf8(default.stdout).expect("text");
    let port = image.port();
    assert!(default.contains(&format!("127.0.0.1:{port} ")), "{default}");

    assert_eq!(image.one("EXPOSE"), port);
    assert_eq!(image.one("VOLUME"), keeps);
    let makes = image.all("RUN")[1];
    let user = image.one("USER");
    assert!(
        makes.contains(&format!("useradd --system --uid {user} ")),
        "{makes}"
    );
    let owns = format!("install --directory --owner=vidence --group=vidence --mode=0700 {keeps}");
    assert!(makes.contains(&owns), "{makes}");
    let compose = text("compose.yaml");
    assert!(
        compose.contains(&format!("node-1:{port} node-2:{port}")),
        "{compose}"
    );

    let words = image.words("CMD");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(words, ["serve"]);
    let known = vidence(&[&words[..], &["--help"]].concat(), &[]);
    let known = variables_in(&String::from_utf8(known.stdout).expect("text"));
    assert!(known.len() > 30, "{known:?}");
    // Caddy is told, too.
    let caddys = variables_in(&text("Caddyfile"));
    for file in [
        "Dockerfile",
        "compose.yaml",
        "env.example",
        "vidence.service",
    ] {
        let used = variables_in(&text(file));
        assert!(!used.is_empty());
        for variable in used.difference(&caddys) {
            assert!(known.contains(variable), "{file}: {variable}");
        }
    }
}

/// Ours are called so.
fn variables_in(text: &str) -> BTreeSet<String> {
    let found = text.split(|it: char| !it.is_ascii_uppercase() && it != '_');
    let ours = found.filter(|it| it.starts_with("VIDENCE_"));
    ours.map(str::to_owned).collect()
}

/// By the words that an engine would run, at the port of a server of this test.
#[tokio::test(flavor = "multi_thread")]
async fn the_image_is_healthy_while_its_server_is_ready() {
    let image = Image::parsed().await;
    let here = format!("/127.0.0.1/{} ", image.port());
    let server = Shipped::start().await;
    let url = server.url();
    let (_, port) = url.rsplit_once(':').expect("a port");
    let asks = |port: &str| {
        let mut words = image.words("HEALTHCHECK");
        let script = words.last_mut().expect("a script");
        assert_eq!(script.matches(&here).count(), 1, "{script}");
        *script = script.replace(&here, &format!("/127.0.0.1/{port} "));
        let asked = Command::new(&words[0]).args(&words[1..]).output();
        asked.expect("bash").status.success()
    };
    assert!(asks(port));
    drop(server);
    assert!(!asks(port), "nobody is there");
}
