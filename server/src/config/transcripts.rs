//! Settings of transcripts.

use clap::Args;
use reqwest::Url;

use crate::outbound::transcriber::{Key, Settings, endpoint};

/// Transcripts of what is said in videos.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Transcripts")]
pub struct TranscriptArgs {
    /// Server that turns speech into text by OpenAI's POST /v1/audio/transcriptions, such as http://127.0.0.1:8000/v1.
    /// It gets the sound of each submitted video
    /// [default: none, no transcripts]
    #[arg(long, env = "VIDENCE_TRANSCRIBER_URL", hide_env_values = true, value_parser = endpoint)]
    pub transcriber_url: Option<Url>,

    /// Model that the transcriber should use, as it names them
    #[arg(
        long,
        env = "VIDENCE_TRANSCRIBER_MODEL",
        default_value = "whisper-1",
        value_parser = model
    )]
    pub transcriber_model: String,

    /// Key of the transcriber, sent as a bearer token; better in the environment than in a flag, which other users of the
    /// machine can read
    /// [default: none]
    #[arg(long, env = "VIDENCE_TRANSCRIBER_KEY", hide_env_values = true, requires = "transcriber_url", value_parser = key)]
    pub transcriber_key: Option<Key>,
}

impl TranscriptArgs {
    /// How to reach the transcriber. `None`: there is none.
    pub fn settings(&self) -> Option<Settings> {
        Some(Settings {
            url: self.transcriber_url.clone()?,
            model: self.transcriber_model.clone(),
            key: self.transcriber_key.clone(),
        })
    }
}

fn model(text: &str) -> Result<String, &'static str> {
    let is_name = (1..=200).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_graphic());
    match is_name {
        true => Ok(text.to_owned()),
        false => Err("give a name of at most 200 ASCII letters, digits and marks"),
    }
}

fn key(text: &str) -> Result<Key, &'static str> {
    Key::new(text).ok_or("give a key of ASCII letters, digits and marks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_a_name_in_one_word() {
        for name in ["whisper-1", "Systran/faster-whisper-small", "tiny.en"] {
            assert!(model(name).is_ok(), "{name}");
        }
        for text in ["", "a b", "a\r\nb", &"a".repeat(201)] {
            assert!(model(text).is_err(), "{text:?}");
        }
    }
}
