//! Settings that are valid and probably not meant: a server starts with them, and says so.

use clap::Command;

use super::{Config, unknown_variables};
use crate::config::public_url::Origin;
use crate::db::DatabaseUrl;

impl Config {
    /// What is probably wrong with these settings and the environment that they come from, a sentence each.
    ///
    /// `cli` is the command line with all settings, also those of other commands.
    pub fn warnings(&self, cli: &Command) -> Vec<String> {
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let mut warnings = unknown_variables::warnings(cli, names);
        warnings.extend(self.probable_mistakes().map(str::to_owned));
        warnings
    }

    fn probable_mistakes(&self) -> impl Iterator<Item = &'static str> {
        let limits = &self.limits;
        let origin = self.public_url.as_ref().map(|it| it.as_str());
        let url = origin.and_then(|it| it.parse::<Origin>().ok().map(|origin| (it, origin)));
        let is_secure = url.as_ref().map(|(text, _)| text.starts_with("https://"));
        let is_outside = url.as_ref().is_some_and(|(_, it)| !it.is_loopback());
        let has_tls = self.serving.tls_cert.is_some() || self.serving.lan;
        let proxies = &self.quotas.trusted_proxies;
        let is_direct = !has_tls && self.quotas.trusted_proxies.is_empty();
        [
            (
                limits.max_video_bytes > limits.max_request_bytes,
                "--max-video-bytes is larger than --max-request-bytes, so no recording can be as large as it allows",
            ),
            (
                is_secure == Some(false) && is_outside,
                "--public-url begins with http://, and browsers give the camera to pages by https:// only",
            ),
            (
                is_secure == Some(true) && is_direct,
                "--public-url begins with https://, but there is neither --tls-cert nor --trusted-proxies: if a proxy \
                 is in front of this server, all clients share the limits of one",
            ),
            (
                origin.is_none() && !proxies.is_empty(),
                "there are --trusted-proxies and no --public-url, so the links that are handed out name this machine's own \
                 address",
            ),
            (
                proxies.iter().any(|it| it.prefix_len() == 0),
                "--trusted-proxies names every address, so any client can pretend to be another one",
            ),
            (
                self.store.database_url.as_ref().is_some_and(DatabaseUrl::is_unencrypted),
                "the connection to the database is not encrypted: set sslmode=verify-full to encrypt it",
            ),
        ]
        .into_iter()
        .filter_map(|(applies, warning)| applies.then_some(warning))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn probable_mistakes_in_settings_are_warned_about() {
        let (at, database) = ("--public-url", "--database-url");
        for (flags, want) in [
            (&[][..], None),
            (&["--max-video-bytes", "3GiB"], Some("--max-request-bytes")),
            (&["--max-video-bytes", "2GiB"], None),
            (&[at, "http://evidence.example.org"], Some("camera")),
            (&[at, "http://192.0.2.7:3000"], Some("camera")),
            (&[at, "http://127.0.0.1:3000"], None),
            (&[at, "http://localhost:3000"], None),
            (
                &[at, "https://evidence.example.org"],
                Some("--trusted-proxies"),
            ),
            (&["--trusted-proxies", "::1"], Some("no --public-url")),
            (&[database, "postgres://u@db/n"], Some("not encrypted")),
            (
                &[database, "postgres://u@localhost,db/n"],
                Some("not encrypted"),
            ),
            (&[database, "postgres://u@localhost/n"], None),
            (&[database, "postgres://u@db/n?sslmode=disable"], None),
            (
                &[
                    at,
                    "https://evidence.example.org",
                    "--trusted-proxies",
                    "0.0.0.0/0",
                ],
                Some("every address"),
            ),
            (
                &[
                    at,
                    "https://evidence.example.org",
                    "--trusted-proxies",
                    "::1",
                ],
                None,
            ),
            (
                &[
                    at,
                    "https://evidence.example.org",
                    "--tls-cert",
                    "a",
                    "--tls-key",
                    "b",
                ],
                None,
            ),
        ] {
            let config = Config::parse_from([&["vidence"], flags].concat());
            let probable_mistakes: Vec<_> = config.probable_mistakes().collect();
            match want {
                Some(word) => assert!(
                    probable_mistakes.len() == 1 && probable_mistakes[0].contains(word),
                    "{probable_mistakes:?}"
                ),
                None => assert_eq!(probable_mistakes, Vec::<&str>::new(), "{flags:?}"),
            }
        }
    }
}
