//! Turns of the calls that decode pictures on demand, and the memory that they and their pictures take.
//!
//! A creator takes one turn at a time, so that others find one; its further calls wait. What a call reads and decoders
//! answer is reserved while it decodes. Its pictures count from then on until they are sent, and so does the call: a
//! client that reads none of them gets no more.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};

use super::picture::moments::{MAX_CODED_BYTES, MAX_PICTURES};
use crate::service::Error;
use crate::service::state::memory_budget::{MemoryBudget, Reservation};
use crate::service::state::slots::{Slot, SlotRegistry};
use net::client_addr::ClientAddr;
use stills::{Size, buffered_bytes};

/// Calls of a node that decode at a time.
const DECODERS: usize = 2;

/// Calls on the videos of one creator that decode at a time: there is a turn for others.
const DECODERS_OF_CREATOR: usize = DECODERS - 1;

/// Calls on the videos of one creator that decode, wait for their turn, or send their pictures.
const CALLS_OF_CREATOR: usize = 3;

/// Memory of all calls that decode, in bytes: the largest one, and an ordinary one beside it.
const DECODING_MEMORY: u64 = 96 << 20;

/// Memory of all pictures that are being sent, in bytes.
const PICTURE_MEMORY: u64 = 16 << 20;

/// After which time a call that found too many others should come back.
const RETRY_DELAY: Duration = Duration::from_secs(1);

const _: () = assert!(
    buffered_bytes(MAX_CODED_BYTES, 1, Size::FULL) <= DECODING_MEMORY
        && buffered_bytes(MAX_CODED_BYTES, MAX_PICTURES, Size::STILLS) <= DECODING_MEMORY,
    "no call needs more than there is"
);

/// The turns and the memory. One for each node.
pub struct DecoderTurns {
    turns: Semaphore,
    creators: SlotRegistry<Option<ClientAddr>, OwnTurns>,
    decoding: MemoryBudget,
    pictures: MemoryBudget,
}

/// The turns of one creator.
struct OwnTurns(Arc<Semaphore>);

/// One of the calls of a creator, until it is dropped.
pub(super) struct CallPermit(Slot<Option<ClientAddr>, OwnTurns>);

/// The turn of a call, until it is dropped.
pub(super) struct Turn<'a> {
    _own: OwnedSemaphorePermit,
    _node: SemaphorePermit<'a>,
}

/// A picture that counts until its last byte is sent.
struct PictureBytes {
    jpeg: Vec<u8>,
    _hold: Arc<(CallPermit, Reservation)>,
}

impl AsRef<[u8]> for PictureBytes {
    fn as_ref(&self) -> &[u8] {
        &self.jpeg
    }
}

impl DecoderTurns {
    /// Admits a call. [`Error::TooOften`]: this creator has too many.
    pub(super) fn admit(&self, creator: Option<ClientAddr>) -> Result<CallPermit, Error> {
        let slot = self
            .creators
            .acquire_unless_full(&creator, CALLS_OF_CREATOR);
        slot.map(CallPermit).ok_or_else(too_often)
    }

    /// Waits for a turn. [`Error::TooOften`]: there is none until `deadline`.
    pub(super) async fn acquire(
        &self,
        call: &CallPermit,
        deadline: Instant,
    ) -> Result<Turn<'_>, Error> {
        let own = call.0.0.clone();
        let turn = async {
            // First its creator's: waiting for that takes none from others.
            let own = own.acquire_owned().await.ok()?;
            let node = self.turns.acquire().await.ok()?;
            Some(Turn {
                _own: own,
                _node: node,
            })
        };
        let turn = timeout_at(deadline, turn).await.ok().flatten();
        turn.ok_or_else(too_often)
    }

    /// Waits for the memory to decode in. [`Error::TooOften`]: there isn't as much until `deadline`.
    pub(super) async fn reserve(
        &self,
        bytes: u64,
        deadline: Instant,
    ) -> Result<Reservation, Error> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let reserved = timeout_at(deadline, self.decoding.reserve(bytes)).await;
        reserved.map_err(|_| too_often())
    }

    /// Makes the pictures of a call count until they are sent.
    /// [`Error::TooOften`]: too many are being sent.
    pub(super) fn hold(&self, call: CallPermit, jpegs: Vec<Vec<u8>>) -> Result<Vec<Bytes>, Error> {
        let bytes = jpegs.iter().map(Vec::len).sum();
        let memory = self.pictures.try_reserve(bytes).ok_or_else(too_often)?;
        let hold = Arc::new((call, memory));
        let held = jpegs.into_iter().map(|jpeg| {
            Bytes::from_owner(PictureBytes {
                jpeg,
                _hold: hold.clone(),
            })
        });
        Ok(held.collect())
    }
}

fn too_often() -> Error {
    Error::TooOften { wait: RETRY_DELAY }
}

impl Default for DecoderTurns {
    fn default() -> Self {
        Self {
            turns: Semaphore::new(DECODERS),
            creators: SlotRegistry::default(),
            decoding: MemoryBudget::new(DECODING_MEMORY),
            pictures: MemoryBudget::new(PICTURE_MEMORY),
        }
    }
}

impl Default for OwnTurns {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(DECODERS_OF_CREATOR)))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn creators<const N: usize>() -> [Option<ClientAddr>; N] {
        std::array::from_fn(|number| {
            let address: IpAddr = format!("192.0.2.{number}").parse().expect("an address");
            Some(ClientAddr::new(address))
        })
    }

    /// Long enough for every test.
    fn later() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    fn is_too_often<T>(result: Result<T, Error>) -> bool {
        matches!(result, Err(Error::TooOften { .. }))
    }

    #[tokio::test]
    async fn decoder_turns_are_shared_fairly_among_creators() {
        let turns = DecoderTurns::default();
        let [one, other, third] = creators();
        let admit = |creator| turns.admit(creator).expect("a call");
        let calls: [CallPermit; CALLS_OF_CREATOR] = std::array::from_fn(|_| admit(one));
        assert!(is_too_often(turns.admit(one)), "a bounded few");

        let now = Instant::now();
        let first = turns.acquire(&calls[0], later()).await.expect("a turn");
        let second = turns.acquire(&calls[1], now).await;
        assert!(is_too_often(second), "a creator has one turn");
        let other = admit(other);
        let others = turns.acquire(&other, now).await;
        let others = others.expect("a turn, at once");
        let third = admit(third);
        let none = turns.acquire(&third, now).await;
        assert!(is_too_often(none), "all turns of the node are taken");

        // Those that wait go on as soon as they can.
        let (second, ()) = tokio::join!(turns.acquire(&calls[1], later()), async { drop(first) });
        let second = second.expect("the turn of the first call");
        let (thirds, ()) = tokio::join!(turns.acquire(&third, later()), async { drop(others) });
        assert!(thirds.is_ok());
        drop((second, thirds, calls, other, third));
        assert!(turns.creators.is_empty());
    }

    #[tokio::test]
    async fn pictures_that_are_not_read_stay_within_their_memory() {
        const PICTURE: usize = 3 << 20;
        let turns = DecoderTurns::default();
        let [one, other] = creators();
        let unread = |creator| {
            let call = turns.admit(creator)?;
            turns.hold(call, vec![vec![0; PICTURE - 2], vec![0; 2]])
        };
        let mut of_one: Vec<_> = (0..CALLS_OF_CREATOR).map(|_| unread(one)).collect();
        assert!(of_one.iter().all(Result::is_ok));
        assert!(is_too_often(unread(one)), "who reads none gets no more");
        let of_other = [unread(other), unread(other)];
        assert!(of_other.iter().all(Result::is_ok));
        assert!(is_too_often(unread(other)), "all memory is held");
        assert_eq!(turns.pictures.used(), (CALLS_OF_CREATOR + 2) * PICTURE);

        // A slice counts as all of it, and the last picture of a call for the call.
        let mut last = of_one.pop().expect("pictures").expect("pictures");
        let rest = last.pop().expect("a picture").slice(1..);
        drop(last);
        assert!(is_too_often(unread(one)));
        drop(rest);
        assert!(unread(one).is_ok());
        drop((of_one, of_other));
        assert_eq!(turns.pictures.used(), 0);
        assert!(turns.creators.is_empty());
    }

    #[tokio::test]
    async fn memory_of_decoders_is_bounded() {
        let turns = DecoderTurns::default();
        let now = Instant::now();
        let most = turns
            .reserve(DECODING_MEMORY, now)
            .await
            .expect("all of it");
        assert!(is_too_often(turns.reserve(1, now).await));
        let (next, ()) = tokio::join!(turns.reserve(1, later()), async { drop(most) });
        assert!(next.is_ok());
    }
}
