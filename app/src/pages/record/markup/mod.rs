//! What the markup is made of: buttons, sheets, the attributes that bind it to the island, and elements within
//! texts.

pub(super) mod button;
pub(super) mod receipt;
pub(super) mod report;
pub(super) mod sheet;
pub(super) mod template;
pub(super) mod visibility;
