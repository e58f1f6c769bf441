//! Round robin over creators, so that many takes of one creator don't delay those of others.

use std::collections::{HashMap, HashSet};

use net::client_addr::ClientAddr;

/// A creator. `None` stands for all requests without one.
type Creator = Option<ClientAddr>;

/// Order in which the waiting creators were last served.
///
/// It is kept in memory: each node has its own, and a creator that isn't in it comes first.
#[derive(Debug, Default)]
pub(super) struct Rotation {
    turn: u64,
    served: HashMap<Creator, u64>,
}

impl Rotation {
    /// Returns the creator of `waiting` that was served least recently, or the first one of several.
    ///
    /// Drops all other creators, whose queues are empty, so it never grows beyond the length of `waiting`.
    pub(super) fn next(&mut self, waiting: &[Creator]) -> Option<Creator> {
        let all: HashSet<&Creator> = waiting.iter().collect();
        self.served.retain(|creator, _| all.contains(creator));
        let last_served = |creator: &&Creator| self.served.get(creator).copied().unwrap_or(0);
        let next = *waiting.iter().min_by_key(last_served)?;
        self.turn += 1;
        self.served.insert(next, self.turn);
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn creator(number: u8) -> Creator {
        Some(ClientAddr::new(Ipv4Addr::new(192, 0, 2, number).into()))
    }

    #[test]
    fn creators_take_turns_and_a_new_one_is_next() {
        let mut rotation = Rotation::default();
        let [one, two, three] = [creator(1), creator(2), None];
        assert_eq!(rotation.next(&[]), None);
        for next in [one, two, one] {
            assert_eq!(rotation.next(&[one, two]), Some(next));
        }
        assert_eq!(rotation.next(&[one, two, three]), Some(three));
        for next in [two, one, three, two] {
            assert_eq!(rotation.next(&[one, two, three]), Some(next));
        }
    }

    #[test]
    fn the_rotation_keeps_only_waiting_creators() {
        let mut rotation = Rotation::default();
        for number in 0..100 {
            rotation.next(&[creator(number), creator(number + 1)]);
            assert!(rotation.served.len() <= 2);
        }
    }
}
