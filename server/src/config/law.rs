//! Who runs this server, as people are told.

use clap::Args;

use crate::service::Contact;

/// Who runs this server, as people are told.
#[derive(Clone, Debug, Args)]
pub struct LawArgs {
    /// Where people can report a request to whoever runs this server: mailto:abuse@example.org, or an https://
    /// address [default: the pages offer no such link]
    #[arg(long, env = "VIDENCE_CONTACT")]
    pub contact: Option<Contact>,
}
