//! Settings of a server under test.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use rcgen::{CertificateParams, KeyPair};
use reqwest::Certificate;
use test_support::servers::node::Settings;

/// Settings without limits that a test could reach.
pub fn settings(data_dir: &Path) -> Settings {
    let unlimited = OsString::from((1_u64 << 50).to_string());
    let flags = [
        ("--data-dir", data_dir.into()),
        ("--max-stored-bytes", unlimited.clone()),
        ("--min-free-bytes", "0".into()),
        ("--min-free-files", "0".into()),
        ("--max-takes", "1000".into()),
        // All clients share one address here.
        ("--create-limit", "off".into()),
        ("--read-limit", "off".into()),
        ("--report-limit", "off".into()),
        ("--max-creator-bytes", unlimited),
    ];
    let flags = flags.into_iter();
    Settings {
        flags: flags
            .flat_map(|(flag, value)| [flag.into(), value])
            .collect(),
        ..Settings::default()
    }
}

/// Gives the server a certificate of its own, in files of this folder.
pub fn serve_https(settings: &mut Settings, folder: &Path) {
    let key = KeyPair::generate().expect("a key");
    let parameters = CertificateParams::new(["127.0.0.1".to_owned()]);
    let certificate = parameters.and_then(|it| it.self_signed(&key));
    let certificate = certificate.expect("a certificate");
    let files = [
        ("--tls-cert", "certificate.pem", certificate.pem()),
        ("--tls-key", "key.pem", key.serialize_pem()),
    ];
    for (flag, name, pem) in files {
        let file = folder.join(name);
        fs::write(&file, pem).expect("a file");
        settings.flags.extend([flag.into(), file.into()]);
    }
    let certificate = Certificate::from_der(certificate.der());
    settings.certificate = Some(certificate.expect("a certificate"));
}
