//! The pages, rendered on the server. Handlers load what a page shows and pass it in as props.

mod closed;
mod docs;
mod home;
mod record;
mod shell;

pub use closed::{Closed, Reason};
pub use docs::{Answer, Docs, Field, Operation, Reference};
pub use home::Home;
pub use record::{Record, VIDEO_FIELD};
pub use shell::{AssetUrls, IslandUrls, Kind, Shell, StyleUrls};
