use proptest::prelude::*;
use tokio_postgres::config::Host;

use super::*;

fn verified() -> TlsMode {
    TlsMode::Verified { roots: None }
}

#[test]
fn reserved_characters_never_weaken_the_tls_mode() {
    use DatabaseUrlError as E;
    for (url, want) in [
        ("postgres://u:hunter2@h/d", Ok(TlsMode::Unset)),
        (
            "postgres://u:hunter2@h/d?sslmode=disable",
            Ok(TlsMode::Disabled),
        ),
        ("postgres://u:hunter2@h/d?sslmode=require", Ok(verified())),
        ("postgresql://u:hunter2@h?sslmode=verify-ca", Ok(verified())),
        (
            "postgres://u:hunter2@h/d?connect_timeout=5&sslmode=verify-full",
            Ok(verified()),
        ),
        // Reserved characters of a password: percent-encoded, or ambiguous.
        (
            "postgres://u:hunter2%3F%40%2F%23%25@h/d?sslmode=require",
            Ok(verified()),
        ),
        (
            "postgres://u:hunter2#:&=;+@h/d?sslmode=require",
            Ok(verified()),
        ),
        (
            "postgres://u:hunter2?x@h/d?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:12?hunter2@h/d?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2?sslmode=require@h/d",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2@x@h/d?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2/x@h/d?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2%@h/d?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2%zz@h/d?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2%00@h/d?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2@h/d/e?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2@h/d#?sslmode=require",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2@h/d?sslmode=require#",
            Err(E::Ambiguous),
        ),
        (
            "postgres://u:hunter2@h/d?sslmode=require\n",
            Err(E::Ambiguous),
        ),
        (
            "postgres://h/d?password=hunter2@x&sslmode=require",
            Err(E::Ambiguous),
        ),
        // Unknown, malformed and repeated modes, and misspelled parameters.
        ("postgres://u:hunter2@h/d?sslmode=prefer", Err(E::TlsMode)),
        ("postgres://u:hunter2@h/d?sslmode=allow", Err(E::TlsMode)),
        ("postgres://u:hunter2@h/d?sslmode=Require", Err(E::TlsMode)),
        ("postgres://u:hunter2@h/d?sslmode=", Err(E::TlsMode)),
        ("postgres://u:hunter2@h/d?sslmode=require?", Err(E::TlsMode)),
        ("postgres://u:hunter2@h/d?sslmode=%72equire", Ok(verified())),
        ("postgres://u:hunter2@h/d?sslmode=%FF", Err(E::Malformed)),
        ("postgres://u:hunter2@h/d?sslmode", Err(E::Parameter)),
        (
            "postgres://u:hunter2@h/d?ssl%6Dode=require",
            Err(E::Parameter),
        ),
        (
            "postgres://u:hunter2@h/d?SSLMODE=require",
            Err(E::Parameter),
        ),
        ("postgres://u:hunter2@h/d?ssl=true", Err(E::Parameter)),
        ("postgres://u:hunter2@h/d?requiressl=1", Err(E::Parameter)),
        ("postgres://u:hunter2@h/d?sslcert=/c.pem", Err(E::Parameter)),
        (
            "postgres://u:hunter2@h/d?sslmode=require&sslmode=disable",
            Err(E::Parameter),
        ),
        (
            "postgres://u:hunter2@h/d?sslmode=disable&sslmode=require",
            Err(E::Parameter),
        ),
        (
            "postgres://u:hunter2@h/d??sslmode=require",
            Err(E::Parameter),
        ),
        (
            "postgres://u:hunter2@h/d?sslrootcert=/ca.pem",
            Err(E::UnusedRoots),
        ),
        (
            "postgres://u:hunter2@h/d?sslmode=disable&sslrootcert=/ca.pem",
            Err(E::UnusedRoots),
        ),
        // Forms that libpq accepts and this server doesn't.
        (
            "host=h user=u password=hunter2 sslmode=require",
            Err(E::Form),
        ),
        ("POSTGRES://u:hunter2@h/d?sslmode=require", Err(E::Form)),
        ("mysql://u:hunter2@h/d?sslmode=require", Err(E::Form)),
        ("u:hunter2@h/d?sslmode=require", Err(E::Form)),
        (
            "postgres://u:hunter2@h:port/d?sslmode=require",
            Err(E::Malformed),
        ),
        (
            "postgres://u:hunter2@h/d?connect_timeout=soon&sslmode=require",
            Err(E::Malformed),
        ),
    ] {
        let read = url.parse::<DatabaseUrl>();
        assert_eq!(read.clone().map(|it| it.tls), want, "{url}");
        let shown = match read {
            Ok(read) => format!("{read} {read:?}"),
            Err(error) => format!("{error} {error:?}"),
        };
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(want.is_ok() || shown.contains("give it as"), "{shown}");
    }
}

#[test]
fn the_display_shows_the_place_and_the_tls_mode() {
    for (url, shown) in [
        ("postgres://u:hunter2@h:5/n", "postgres://***@h:5/n"),
        ("postgres://u@h/n", "postgres://***@h/n"),
        ("postgres://:hunter2@h/n", "postgres://***@h/n"),
        ("postgres://h/n?password=hunter2", "postgres://***@h/n"),
        ("postgres://h/n", "postgres://h/n"),
        (
            "postgres://u:a%40b@h/n?sslmode=verify-full",
            "postgres://***@h/n?sslmode=verify-full",
        ),
        (
            "postgres://h/n?user=u&password=hunter2",
            "postgres://***@h/n",
        ),
        (
            "postgres://[::1]:5,h2/n?options=-cx%3Dy",
            "postgres://[::1]:5,h2/n",
        ),
    ] {
        let read: DatabaseUrl = url.parse().expect(url);
        assert_eq!(read.to_string(), shown);
    }
}

#[test]
fn roots_are_a_decoded_path() {
    let url = "postgres://h/d?sslrootcert=/etc/my%20ca%2B.pem&sslmode=verify-full";
    let read: DatabaseUrl = url.parse().expect("an address");
    let roots = Some(PathBuf::from("/etc/my ca+.pem"));
    assert_eq!(read.tls, TlsMode::Verified { roots });
}

proptest! {
    #[test]
    fn an_encoded_address_is_read_back_whole(
        user in "[^\0]{1,12}",
        password in "[^\0]{0,12}",
        name in "[^\0]{1,12}",
    ) {
        let encode = |text: &str| {
            text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>()
        };
        let url = format!(
            "postgres://{}:{}@db.example.org:5433/{}?sslmode=require",
            encode(&user), encode(&password), encode(&name),
        );
        let read: DatabaseUrl = url.parse().expect("an address");
        prop_assert_eq!(read.config.get_user(), Some(&*user));
        prop_assert_eq!(read.config.get_password(), Some(password.as_bytes()));
        prop_assert_eq!(read.config.get_dbname(), Some(&*name));
        prop_assert_eq!(read.config.get_hosts(), &[Host::Tcp("db.example.org".to_owned())]);
        prop_assert_eq!(read.tls, verified());
    }

    #[test]
    fn a_raw_password_is_read_whole_or_refused(password in "[ -~]{0,12}") {
        let url = format!("postgres://u:{password}@h/d?sslmode=require");
        if let Ok(read) = url.parse::<DatabaseUrl>() {
            prop_assert_eq!(read.tls, verified());
            prop_assert_eq!(read.config.get_hosts(), &[Host::Tcp("h".to_owned())]);
            let decoded: Vec<u8> = percent_decode_str(&password).collect();
            prop_assert_eq!(read.config.get_password(), Some(&*decoded));
        }
    }
}
