//! `vidence ask`: one command that asks, waits, saves and deletes.

mod addresses;
mod guards;
mod mission;
mod terminal;
