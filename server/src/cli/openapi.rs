//! `vidence openapi`: printing the API description.

use std::io::{self, Write};

use crate::config::public_url;
use crate::config::public_url::PublicUrl;
use crate::http::openapi_json;

/// Print the OpenAPI document, byte for byte as the server serves it at /v1/openapi.json
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Public URL of the server
    #[arg(long, env = "VIDENCE_PUBLIC_URL", value_parser = public_url, default_value = "http://127.0.0.1:3000")]
    public_url: PublicUrl,
}

pub(super) fn openapi(args: &Args) -> anyhow::Result<()> {
    // Without a line break at the end: exactly the bytes that are served.
    io::stdout().write_all(openapi_json(&args.public_url).as_bytes())?;
    Ok(())
}
