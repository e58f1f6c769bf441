//! The container images of `server/deploy`: with ffmpeg, built in a container, and with the static binary alone. No engine
//! builds them here; their contents and settings are compared with the build and the server.
//!
//! A little more than 300 lines: all tests read the same Dockerfiles.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::files::{deploy_file, deploy_text};
use crate::TOOLS;
use test_support::servers::node::binary;
use test_support::servers::release_server::ReleaseServer;
use test_support::tools::run;

/// Prints the instructions as pairs of name and value, with continued lines joined.
const PARSE: &str = "import json, sys; from dockerfile_parse import DockerfileParser; \
                     print(json.dumps([[it['instruction'], it['value']] for it in \
                     DockerfileParser(fileobj=open(sys.argv[1], 'rb')).structure]))";

/// Shared libraries of the base image.
/// Their versions are those that the binary was linked against, as both stages use the same Debian release.
const LIBRARIES: [&str; 6] = [
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libc.so.6",
    "libgcc_s.so.1",
    "libm.so.6",
    "libstdc++.so.6",
];

/// Instructions of the Dockerfile, which has a stage that builds and one that ships.
pub struct Image(Vec<(String, String)>);

impl Image {
    pub async fn parse(file: &str) -> Self {
        let mut parse = TOOLS.python("python");
        parse.args(["-c", PARSE]).arg(deploy_file(file));
        let parse = run(&mut parse, Path::new("/")).await;
        Self(serde_json::from_str(&parse).expect("instructions"))
    }

    /// Values of all instructions with this name, in order.
    fn all(&self, name: &str) -> Vec<&str> {
        let named = self.0.iter().filter(|it| it.0 == name);
        named.map(|it| it.1.as_str()).collect()
    }

    pub fn one(&self, name: &str) -> &str {
        let [value] = self.all(name)[..] else {
            panic!("one {name}");
        };
        value
    }

    /// Value of an environment variable that the image sets.
    fn variable(&self, name: &str) -> &str {
        let mut variables = self.one("ENV").split_whitespace();
        let value = variables.find_map(|it| it.strip_prefix(name)?.strip_prefix('='));
        value.expect("a variable")
    }

    /// The exec form of an instruction: a JSON list.
    fn exec_form(&self, name: &str) -> Vec<String> {
        let value = self.one(name);
        let list = &value[value.find('[').expect("a list")..];
        serde_json::from_str(list).expect("a list of words")
    }

    /// The listening port.
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

/// Runs the binary with these variables alone.
fn vidence(words: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vidence"));
    let command = command.args(words).env_clear();
    command
        .envs(variables.iter().copied())
        .output()
        .expect("an end")
}

#[tokio::test]
async fn hadolint_accepts_the_dockerfiles() {
    for file in ["images/Dockerfile", "images/Dockerfile.static"] {
        let mut lint = TOOLS.python("hadolint");
        run(lint.arg(deploy_file(file)), Path::new("/")).await;
    }
}

#[tokio::test]
async fn the_static_image_has_the_settings_of_the_other_one() {
    let (image, small) = (
        Image::parse("images/Dockerfile").await,
        Image::parse("images/Dockerfile.static").await,
    );
    for name in ["EXPOSE", "VOLUME", "HEALTHCHECK", "ENTRYPOINT", "CMD"] {
        assert_eq!(small.one(name), image.one(name), "{name}");
    }
    for name in ["VIDENCE_LISTEN", "VIDENCE_DATA_DIR"] {
        assert_eq!(small.variable(name), image.variable(name), "{name}");
    }
    let user = image.one("USER");
    assert_eq!(small.one("USER"), format!("{user}:{user}"));
    // An image without a shell can't make the folder, so it is copied, with its owner.
    let folder = image.one("VOLUME");
    let copied = format!("--from=files --chown={user}:{user} {folder} {folder}");
    assert!(
        small.all("COPY").contains(&copied.as_str()),
        "{:?}",
        small.all("COPY")
    );
    let licenses = "/usr/share/doc/vidence/THIRD-PARTY-LICENSES";
    for (image, from) in [
        (&image, "--from=build /usr/local/share/THIRD-PARTY-LICENSES"),
        (&small, "THIRD-PARTY-LICENSES"),
    ] {
        let copied = format!("{from} {licenses}");
        assert!(image.all("COPY").contains(&copied.as_str()), "{copied}");
    }
    let binary = "${TARGETARCH} /usr/bin/vidence";
    assert_eq!(small.all("COPY").last(), Some(&binary));
    assert_eq!(small.variable("PATH"), "/usr/bin");
}

/// The compiler's dependency file beside the binary lists the source files.
#[test]
fn dockerignore_keeps_every_source_of_the_build() {
    let root = root();
    let ignore = deploy_text("images/Dockerfile.dockerignore");
    let rules = ignore.lines().filter(|it| !it.starts_with('#'));
    let rules: Vec<(bool, &str)> = rules
        .map(|it| it.strip_prefix('!').map_or((false, it), |it| (true, it)))
        .collect();
    // Docker's rule: the last pattern that matches the file or one of its folders counts.
    let is_sent = |file: &Path| {
        let matches = |rule: &str| {
            let (mut rule, mut file) = (rule.split('/'), file.iter());
            rule.all(|part| file.next().is_some_and(|it| part == "*" || it == part))
        };
        rules
            .iter()
            .rev()
            .find(|it| matches(it.1))
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

    // Cargo writes the list for what it was asked to build. That isn't the program of the tests when this one runs alone.
    let programs = [env!("CARGO_BIN_EXE_vidence").into(), binary()];
    let lists = programs.map(|it| std::fs::read_to_string(it.with_extension("d")));
    let sources = lists.into_iter().find_map(Result::ok);
    let sources = sources.expect("what the compiler has read");
    let (_, sources) = sources.split_once(':').expect("what it has made of it");
    let mut count = 0;
    for file in sources.split_whitespace() {
        let file = Path::new(file).canonicalize().expect("a file");
        let file = file.strip_prefix(&root).expect("a readable file");
        // Built within the image.
        if !file.starts_with("target/site") {
            assert!(is_sent(file), "{} is needed, and left out", file.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[tokio::test]
async fn the_image_builds_with_the_pinned_toolchain_on_its_base_system() {
    let image = Image::parse("images/Dockerfile").await;
    let toolchain =
        std::fs::read_to_string(root().join("rust-toolchain.toml")).expect("a toolchain");
    let (_, channel) = toolchain.split_once("channel = \"").expect("a version");
    let (channel, _) = channel.split_once('"').expect("a version");
    let [build, ship] = image.all("FROM")[..] else {
        panic!("two stages");
    };
    let (rust, name) = build.split_once(" AS ").expect("a name");
    // The same Debian release in both stages: it has the libraries that the binary was linked against.
    let (_, suite) = rust.rsplit_once('-').expect("a release of Debian");
    assert_eq!(rust, format!("rust:{channel}-{suite}"));
    assert_eq!(ship, format!("debian:{suite}-slim"));

    let [sources, _licenses, binary] = image.all("COPY")[..] else {
        panic!("what it is built of, its licences, and what ships");
    };
    assert_eq!(sources, ". .");
    let (from, to) = binary.rsplit_once(' ').expect("two places");
    assert_eq!(from, format!("--from={name} {to}"));
    let command = image.all("RUN")[0].split("&& ").last().expect("a command");
    assert_eq!(command, format!("cp target/release/vidence {to}"));
    assert_eq!(image.exec_form("ENTRYPOINT"), ["vidence"]);
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
async fn the_image_settings_agree_with_the_server() {
    let image = Image::parse("images/Dockerfile").await;
    let (listen, data_dir) = (
        image.variable("VIDENCE_LISTEN"),
        image.variable("VIDENCE_DATA_DIR"),
    );
    let variables = [("VIDENCE_LISTEN", listen), ("VIDENCE_DATA_DIR", data_dir)];
    let settings = vidence(&["config"], &variables);
    let settings = String::from_utf8(settings.stdout).expect("text");
    let settings = settings.lines().filter(|it| it.ends_with("(environment)"));
    let settings: Vec<Vec<_>> = settings.map(|it| it.split_whitespace().collect()).collect();
    let expected = [
        ["--listen", listen, "(environment)"],
        ["--data-dir", data_dir, "(environment)"],
    ];
    assert_eq!(settings, expected);
    assert_eq!(image.one("ENV").split_whitespace().count(), expected.len());
    let default = vidence(&["config"], &[]);
    let default = String::from_utf8(default.stdout).expect("text");
    let port = image.port();
    assert!(default.contains(&format!("127.0.0.1:{port} ")), "{default}");

    assert_eq!(image.one("EXPOSE"), port);
    assert_eq!(image.one("VOLUME"), data_dir);
    let user_setup = image.all("RUN")[1];
    let user = image.one("USER");
    assert!(
        user_setup.contains(&format!("useradd --system --uid {user} ")),
        "{user_setup}"
    );
    let install =
        format!("install --directory --owner=vidence --group=vidence --mode=0700 {data_dir}");
    assert!(user_setup.contains(&install), "{user_setup}");
    let compose = deploy_text("compose/compose.yaml");
    assert!(
        compose.contains(&format!("node-1:{port} node-2:{port}")),
        "{compose}"
    );

    let words = image.exec_form("CMD");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(words, ["serve"]);
    let known = vidence(&[&words[..], &["--help"]].concat(), &[]);
    let known = variables_in(&String::from_utf8(known.stdout).expect("text"));
    assert!(known.len() > 30, "{known:?}");
    // Caddy's container gets its own.
    let caddy_variables = variables_in(&deploy_text("proxies/Caddyfile"));
    for file in [
        "images/Dockerfile",
        "images/Dockerfile.static",
        "compose/compose.yaml",
        "compose/env.example",
        "systemd/vidence.service",
    ] {
        let used = variables_in(&deploy_text(file));
        assert!(!used.is_empty());
        for variable in used.difference(&caddy_variables) {
            assert!(known.contains(variable), "{file}: {variable}");
        }
    }
}

/// Names of all variables with our prefix.
fn variables_in(text: &str) -> BTreeSet<String> {
    let found = text.split(|it: char| !it.is_ascii_uppercase() && it != '_');
    let prefixed = found.filter(|it| it.starts_with("VIDENCE_"));
    prefixed.map(str::to_owned).collect()
}

/// Runs the command of HEALTHCHECK against the port of a test server.
#[tokio::test(flavor = "multi_thread")]
async fn the_image_healthcheck_follows_readiness() {
    let image = Image::parse("images/Dockerfile").await;
    let server = ReleaseServer::start().await;
    let url = server.url();
    let (_, port) = url.rsplit_once(':').expect("a port");
    let healthcheck_succeeds = |port: &str| {
        let words = image.exec_form("HEALTHCHECK");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(words[0], "vidence");
        let listen = format!("0.0.0.0:{port}");
        vidence(&words[1..], &[("VIDENCE_LISTEN", &listen)])
            .status
            .success()
    };
    assert!(healthcheck_succeeds(port));
    drop(server);
    assert!(!healthcheck_succeeds(port), "the server has stopped");
}
