//! One tab of several with the same page owns the recording; the others can take it over.
//!
//! Two Web Locks: one for the page, which another tab can steal, and one for the browser's store, which the previous
//! owner holds until it has stored its take.

mod ownership;

use std::cell::RefCell;

use futures_channel::mpsc::UnboundedSender;

use crate::browser::TabLock;

/// The Web Locks of this tab.
#[derive(Default)]
pub struct TabLocks {
    /// Held while this tab owns the page.
    page: RefCell<Option<TabLock>>,
    /// Held while this tab changes what is stored.
    storage: RefCell<Option<TabLock>>,
    /// Receives the person's wish to continue here while another tab owns the page.
    take_over: RefCell<Option<UnboundedSender<()>>>,
}
