//! Calls in progress, and those whose bodies arrive: each client may have so many at a time.
//!
//! A rate alone doesn't bound them: calls may last for hours. A proxy brings the calls of all clients by its own
//! connections, which are limited in all only.

use net::client_addr::{ClientAddr, LimitKey};
use net::shares::{SharePermit, Shares};

/// What a body that a handler collects may take of memory.
const BODY_BYTES: u64 = 64 << 10;

/// Bodies that arrive at a time, at least: in all, and of one client.
const MIN_BODIES: usize = 128;
const MIN_BODIES_PER_CLIENT: usize = 64;

/// Counts of calls in progress. Cheap to clone.
#[derive(Clone)]
pub struct InProgress {
    calls: Shares,
    calls_of_one: usize,
    bodies: Shares,
    most_bodies: usize,
    bodies_of_one: usize,
}

impl InProgress {
    /// Allows so many calls of one client.
    /// Bodies may take a quarter of `memory` bytes, those of one client a quarter of that.
    pub fn new(calls_of_one: u32, memory: u64) -> Self {
        let bodies = usize::try_from(memory / 4 / BODY_BYTES).unwrap_or(usize::MAX);
        Self {
            calls: Shares::default(),
            calls_of_one: calls_of_one as usize,
            bodies: Shares::default(),
            most_bodies: bodies.max(MIN_BODIES),
            bodies_of_one: (bodies / 4).max(MIN_BODIES_PER_CLIENT),
        }
    }

    /// Bodies that are arriving.
    pub fn bodies(&self) -> usize {
        self.bodies.held()
    }

    /// Begins a call. `None`: this client, or a network around it, has the maximum number already.
    pub(super) fn begin(&self, client: ClientAddr) -> Option<SharePermit> {
        let keys = of_each(client, self.calls_of_one);
        self.calls.acquire(usize::MAX, keys)
    }

    /// Whether as many bodies arrive as may in all.
    pub(super) fn is_full(&self) -> bool {
        self.bodies() >= self.most_bodies
    }

    /// Begins to receive a body. `None`: too many are arriving, of this client or in all.
    pub(super) fn receive(&self, client: ClientAddr) -> Option<SharePermit> {
        let keys = of_each(client, self.bodies_of_one);
        // No network takes the room of all others.
        let keys = keys.map(|(key, most)| (key, most.min(self.most_bodies / 2)));
        self.bodies.acquire(self.most_bodies, keys)
    }
}

/// The limit of a client and those of the networks around it.
fn of_each(client: ClientAddr, of_one: usize) -> impl Iterator<Item = (LimitKey, usize)> {
    let keys = client.keys();
    keys.map(move |(key, multiple)| (key, of_one.saturating_mul(multiple as usize)))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use super::*;

    fn client(last: u8) -> ClientAddr {
        ClientAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
    }

    #[test]
    fn a_client_with_many_calls_in_progress_gets_no_more_and_others_do() {
        let in_progress = InProgress::new(2, 0);
        let mut calls = [client(1), client(1)].map(|it| in_progress.begin(it));
        assert!(calls.iter().all(Option::is_some));
        assert!(in_progress.begin(client(1)).is_none());
        assert!(in_progress.begin(client(2)).is_some());
        calls[0] = None;
        assert!(in_progress.begin(client(1)).is_some());
    }

    #[test]
    fn a_network_of_many_addresses_leaves_room_for_bodies_of_others() {
        let in_progress = InProgress::new(u32::MAX, 0);
        let network = |subnet: u16| {
            let address = Ipv6Addr::new(0x2001, 0xdb8, 0, subnet, 0, 0, 0, 1);
            in_progress.receive(ClientAddr::new(IpAddr::V6(address)))
        };
        let slow: Vec<_> = (0..).take(MIN_BODIES).map(network).collect();
        assert!(slow.iter().flatten().count() <= MIN_BODIES / 2);
        assert!(in_progress.receive(client(1)).is_some());
    }

    #[test]
    fn bodies_that_arrive_slowly_leave_room_for_those_of_others() {
        let in_progress = InProgress::new(u32::MAX, 0);
        let receive = |last| in_progress.receive(client(last));
        let slow: Vec<_> = (0..MIN_BODIES_PER_CLIENT).map(|_| receive(1)).collect();
        assert!(slow.iter().all(Option::is_some));
        assert!(receive(1).is_none());
        assert!(receive(2).is_some());
        let more: Vec<_> = (0..MIN_BODIES).map_while(|_| receive(2)).collect();
        assert_eq!(more.len(), MIN_BODIES - MIN_BODIES_PER_CLIENT);
        assert!(receive(3).is_none(), "memory is bounded in all");
    }
}
