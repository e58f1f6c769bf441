//! Model check by loom: all orders in which threads can acquire and release slots.

mod sync {
    pub(super) use loom::sync::{Arc, Mutex, MutexGuard};
}

#[expect(
    clippy::duplicate_mod,
    reason = "the same code on loom's types is what is tried"
)]
#[path = "registry.rs"]
mod registry;

use loom::thread;

use registry::SlotRegistry;

#[test]
fn threads_that_hold_a_key_share_its_value_and_the_last_one_leaves_nothing() {
    loom::model(|| {
        let registry = SlotRegistry::<u8, std::sync::atomic::AtomicUsize>::default();
        let other = registry.clone();
        let thread = thread::spawn(move || drop(other.acquire(&1)));
        let first = registry.acquire(&1);
        let second = registry.acquire(&1);
        assert!(std::ptr::eq(&raw const *first, &raw const *second));
        drop(first);
        assert!(registry.is_held(&1));
        drop(second);
        thread.join().expect("no panic");
        assert!(registry.is_empty());
    });
}

#[test]
fn threads_that_let_go_at_once_leave_nothing() {
    loom::model(|| {
        let registry = SlotRegistry::<u8, ()>::default();
        let held = [registry.acquire(&1), registry.acquire(&1)];
        let threads = held.map(|slot| thread::spawn(move || drop(slot)));
        for thread in threads {
            thread.join().expect("no panic");
        }
        assert!(registry.is_empty());
    });
}
