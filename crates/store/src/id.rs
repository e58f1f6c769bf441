//! Ids and access tokens: random, and each of a type of its own.
//!
//! An id is 22 letters and digits from a generator that the operating system seeds: 62²² ≈ 2¹³⁰.99 possibilities.
//! Letters and digits only, because chat programs cut links that end in `-` or `_`.

use std::fmt;

use rand::distr::{Alphanumeric, SampleString};
use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};

const ID_LENGTH: usize = 22;

/// The length of a token without its prefix: 62⁴³ ≈ 2²⁵⁶.03 possibilities.
const TOKEN_LENGTH: usize = 43;

/// The prefix of tokens, by which a person or a secret scanner recognizes a leaked one.
const TOKEN_PREFIX: &str = "vidence_";

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            /// Creates a new id.
            pub fn random() -> Self {
                Self(Alphanumeric.sample_string(&mut rand::rng(), ID_LENGTH))
            }

            /// Reads an id. `None`: the text doesn't have the form of an id.
            pub fn parse(text: &str) -> Option<Self> {
                let plausible = text.len() == ID_LENGTH && text.bytes().all(|it| it.is_ascii_alphanumeric());
                plausible.then(|| Self(text.to_owned()))
            }

            /// Reads an id that a client sent. Text of another form becomes [`Self::default`].
            pub fn parse_sent(text: &str) -> Self {
                Self::parse(text).unwrap_or_default()
            }

            /// Wraps an id that was stored.
            pub(crate) fn from_stored(text: String) -> Self {
                Self(text)
            }

            /// Whether it may name something: a malformed id that was sent doesn't.
            pub fn is_well_formed(&self) -> bool {
                *self != Self::default()
            }

            /// The id, as in URLs and in the database.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        /// An id that names nothing, so that a malformed one gets the same answers as an unknown one.
        impl Default for $name {
            fn default() -> Self {
                Self("0".repeat(ID_LENGTH))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        /// Reads what a client sent, such as a segment of a path: any text is accepted, see [`Self::parse_sent`].
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
                String::deserialize(sent).map(|it| Self::parse_sent(&it))
            }
        }

        // Without the id, so that it isn't logged: an id grants the use of the link.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )*};
}

ids! {
    /// The id of a request, which is part of its link.
    RequestId;
    /// The id of a take.
    TakeId;
    /// The id of the video of a submitted request.
    VideoId;
    /// The id of a blob folder.
    FolderId;
    /// The id of a report, for the operator.
    ReportId;
}

/// The bearer token of one request. Its creator gets it once.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Creates a new token.
    pub fn random() -> Self {
        let secret = Alphanumeric.sample_string(&mut rand::rng(), TOKEN_LENGTH);
        Self(format!("{TOKEN_PREFIX}{secret}"))
    }

    /// Takes the text that a client has sent as its token. Any text is accepted, as only its hash is used.
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The hash that is stored and looked up instead of the token.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0.as_bytes()).to_vec())
    }

    /// Returns the secret, for the response to its creator only.
    pub fn reveal(self) -> String {
        self.0
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(..)")
    }
}

/// The SHA-256 hash of an [`AccessToken`]: 32 bytes.
///
/// A token has 256 random bits, so an unsalted hash can't be reversed by search, and the timing of a look-up by hash
/// reveals nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenHash(Vec<u8>);

impl TokenHash {
    /// Wraps a hash that was stored.
    pub(crate) fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The hash, as in the database.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_the_way_through_a_url() {
        let id = RequestId::random();
        assert_eq!(RequestId::parse(id.as_str()), Some(id));
    }

    #[test]
    fn malformed_ids_are_rejected() {
        let one_short = "a".repeat(ID_LENGTH - 1);
        let with_nul = format!("{one_short}\0");
        let not_ascii = format!("{}é", "a".repeat(ID_LENGTH - 2));
        for text in [
            "",
            "..",
            one_short.as_str(),
            with_nul.as_str(),
            not_ascii.as_str(),
            "../../aaaaaaaaaaaaaaaa",
            "aaaaaaaaaaaaaaaaaaaa/a",
            "aaaaaaaaaaaaaaaaaaaa\\a",
            "aaaaaaaaaaaaaaaaaaaa.a",
        ] {
            assert_eq!(RequestId::parse(text), None, "{text:?}");
            assert_eq!(RequestId::parse_sent(text), RequestId::default());
        }
    }

    #[test]
    fn debug_output_shows_no_secret() {
        let token = AccessToken::random();
        let id = TakeId::random();
        let shown = format!("{token:?} {:?} {id:?}", token.hash());
        assert_eq!(shown, "AccessToken(..) TokenHash(..) TakeId(..)");
    }

    #[test]
    fn tokens_carry_at_least_256_random_bits() {
        let token = AccessToken::random().reveal();
        let secret = token
            .strip_prefix(TOKEN_PREFIX)
            .expect("the readable prefix");
        let bits = f64::log2(62.0) * f64::from(u32::try_from(secret.len()).expect("short"));
        assert!(bits >= 256.0, "{bits}");
        assert_ne!(token, AccessToken::random().reveal());
    }

    #[test]
    fn ids_carry_130_random_bits() {
        fn bits(random: impl Fn() -> String) -> f64 {
            let many: Vec<_> = (0..500).map(|_| random()).collect();
            let length = many[0].len();
            // Counts the different letters at each position, so that a constant one adds nothing.
            let seen = |place| {
                let letters = many.iter().map(|id| id.as_bytes()[place]);
                letters.collect::<std::collections::BTreeSet<_>>().len()
            };
            let alphabets = (0..length).map(|place| u32::try_from(seen(place)).expect("few"));
            alphabets.map(|letters| f64::from(letters).log2()).sum()
        }
        for random in [
            || RequestId::random().as_str().to_owned(),
            || TakeId::random().as_str().to_owned(),
        ] {
            let bits = bits(random);
            assert!(bits >= 130.0, "{bits}");
        }
    }
}
