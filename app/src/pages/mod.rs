//! The pages, rendered on the server. Handlers load the data of a page and pass it as props.

mod closed;
mod home;
mod icon;
mod programs;
mod record;
mod report;
mod scene;
mod shell;
mod text_page;
mod translation;

pub use closed::{Closed, Reason};
pub use home::Home;
pub use record::{
    Browser, DisplayTime, MAY_TRANSCRIBE, Record, RequestDetails, VIDEO_FIELD, record_title,
};
pub use report::{Draft, DraftError, REASON_FIELD, Report, TEXT_FIELD, report_title};
pub use shell::{AssetUrls, Foot, IslandUrls, Kind, Languages, Shell, StyleUrls};
pub use text_page::TextPage;
pub use translation::{Translation, translation_path};
