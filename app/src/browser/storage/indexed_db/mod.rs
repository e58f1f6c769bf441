//! What this browser stores of takes until they are submitted, in IndexedDB.
//!
//! Written with web-sys alone: the crates that wrap it weigh two to four times as much. `connection` runs transactions,
//! `record` is what is stored of a take, `take_store` stores it, `quota` is the room for it.

mod connection;
mod quota;
mod record;
mod take_store;

pub use self::connection::StoreError;
pub use self::quota::{available_bytes, persist};
pub use self::record::{PieceRecord, Released, TakeRecord};
pub use self::take_store::TakeStore;
