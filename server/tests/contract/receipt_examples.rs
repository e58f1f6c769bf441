//! The programs that `docs/api.md` shows for verifying a receipt, in Python and JavaScript, as they are shown.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;
use tokio::process::Command;

use crate::TOOLS;
use test_support::clients::retrying_client::http_client;
use test_support::servers::release_server::ReleaseServer;
use test_support::tools::{output_of, run};

/// The block of code in this language in the section about receipts.
fn documented(language: &str) -> String {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/api.md");
    let document = fs::read_to_string(document).expect("a document");
    let (_, section) = document.split_once("\n## Receipts\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("a next one");
    let (_, code) = section
        .split_once(&format!("```{language}\n"))
        .expect("code");
    code.split_once("```").expect("its end").0.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_programs_verify_a_receipt() {
    let server = ReleaseServer::start().await;
    let submitted = server.submit_recording().await;
    let (url, video, client) = (server.url(), &submitted.video, http_client());
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    for (path, name) in [
        (format!("/v1/videos/{video}"), "video.webm"),
        (format!("/videos/{video}/receipt"), "receipt.jws"),
        ("/.well-known/jwks.json".to_owned(), "jwks.json"),
    ] {
        let get = client
            .get(format!("{url}{path}"))
            .bearer_auth(&submitted.created.access_token);
        let answer = get
            .send()
            .await
            .expect("an answer")
            .error_for_status()
            .expect(name);
        fs::write(file(name), answer.bytes().await.expect("bytes")).expect("a file");
    }
    let write_programs = |issuer: &str| {
        for (name, language) in [("verify.py", "python"), ("verify.mjs", "js")] {
            let program = documented(language).replace("https://evidence.example.org", issuer);
            fs::write(file(name), program).expect("a file");
        }
    };
    symlink(TOOLS.file("node_modules"), file("node_modules")).expect("a link");
    let programs = || {
        let (mut python, mut node) = (TOOLS.python("python"), Command::new("node"));
        python.arg("verify.py");
        node.arg("verify.mjs");
        [python, node]
    };
    write_programs("https://other.example.org");
    for mut program in programs() {
        let output = output_of(&mut program, folder.path()).await;
        assert!(!output.status.success(), "another server: {output:?}");
    }
    write_programs(&url);
    for mut program in programs() {
        let claims: Value =
            serde_json::from_str(&run(&mut program, folder.path()).await).expect("JSON");
        assert_eq!(claims["iss"], url);
        assert_eq!(claims["video_id"], **video);
        assert_eq!(claims["captured_as"], "client");
    }

    let (receipt, video) = (read(&file("receipt.jws")), read(&file("video.webm")));
    for name in ["receipt.jws", "video.webm"] {
        let mut changed = read(&file(name));
        // Not the first one: a letter of the header says how to read the rest.
        let middle = changed.len() / 2;
        changed[middle] = if changed[middle] == b'A' { b'B' } else { b'A' };
        fs::write(file(name), changed).expect("a file");
        for mut program in programs() {
            let output = output_of(&mut program, folder.path()).await;
            assert!(!output.status.success(), "{name}: {output:?}");
            assert!(output.stdout.is_empty(), "{name}: {output:?}");
        }
        fs::write(file("receipt.jws"), &receipt).expect("a file");
        fs::write(file("video.webm"), &video).expect("a file");
    }

    // By the key of the server: another kind of token, and a receipt that was signed in the future of a slow clock.
    let key = server.data_dir().join("receipt-key.pem");
    for (kind, later, valid) in [("JWT", 0, false), ("vidence-receipt+jwt", 3600, true)] {
        let receipt = String::from_utf8(receipt.clone()).expect("a text");
        let mut sign = TOOLS.python("python");
        sign.args(["-c", SIGN_AGAIN, &receipt, kind, &later.to_string()]);
        sign.arg(&key);
        let signed = run(&mut sign, folder.path()).await;
        fs::write(file("receipt.jws"), signed.trim()).expect("a file");
        for mut program in programs() {
            let output = output_of(&mut program, folder.path()).await;
            assert_eq!(output.status.success(), valid, "{kind}: {output:?}");
        }
    }
}

/// Signs the claims of a receipt as this type of token, so many seconds later.
const SIGN_AGAIN: &str = "
import sys, jwt
receipt, kind, later, key = sys.argv[1:]
claims = jwt.decode(receipt, options={'verify_signature': False})
claims['iat'] += int(later)
headers = {**jwt.get_unverified_header(receipt), 'typ': kind}
print(jwt.encode(claims, open(key, 'rb').read(), algorithm='EdDSA', headers=headers))
";

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).expect("a file")
}
