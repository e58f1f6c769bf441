//! The pages, rendered on the server. Handlers load what a page shows and pass it in as props.

mod closed;
mod home;
mod record;
mod report;
mod shell;
mod words;

pub use closed::{Closed, Reason};
pub use home::Home;
pub use record::{Browser, Record, Until, VIDEO_FIELD, Wish, record_title};
pub use report::{Draft, Lacks, REASON_FIELD, Report, TEXT_FIELD, report_title};
pub use shell::{AssetUrls, Foot, IslandUrls, Kind, Languages, Shell, StyleUrls};
pub use words::Words;
