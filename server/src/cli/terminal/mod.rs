//! Text for a person's terminal.

pub(super) mod printable;
pub(super) mod qr;
pub(super) mod shell;
