//! What the markup is made of: buttons, icons, the attributes that bind it to the island, and elements within texts.

pub(super) mod button;
pub(super) mod icon;
pub(super) mod template;
pub(super) mod visibility;
