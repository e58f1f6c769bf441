//! The connections of one address take turns.
//!
//! tokio runs tasks in the order in which they were woken. A client with five hundred connections that always have
//! something to say would stand in that queue five hundred times, and everybody else would wait behind all of them. So
//! only a few connections and streams of an address are woken at a time; the others wait in a queue of their address.

use std::collections::{HashMap, VecDeque};
use std::pin::{Pin, pin};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::available_parallelism;

/// Members of one address that are woken at a time, for each processor: one that runs, and one that follows at once.
const PER_PROCESSOR: usize = 2;

static MAX_WOKEN: LazyLock<usize> =
    LazyLock::new(|| PER_PROCESSOR * available_parallelism().map_or(1, usize::from));

/// The turns of one address. Cheap to clone.
#[derive(Clone)]
pub(super) struct Turns(Option<Arc<Mutex<Queue>>>);

/// One of its connections or streams, until it is dropped.
pub(super) struct Turn(Option<Arc<Signal>>);

/// Wakes a member when it has a turn.
struct Signal {
    queue: Arc<Mutex<Queue>>,
    member: u64,
}

/// Who of an address has a turn, and who waits for one. What returns a waker: it is to be woken, without the lock.
#[derive(Default)]
struct Queue {
    members: HashMap<u64, Member>,
    joined: u64,
    /// Those that are woken or run.
    at_work: usize,
    /// In their order. One that has left may still be named here.
    waiting: VecDeque<u64>,
}

#[derive(Default)]
struct Member {
    state: State,
    task: Option<Waker>,
}

#[derive(Clone, Copy, Default)]
enum State {
    /// It waits for something else than its turn.
    #[default]
    Idle,
    Waiting,
    /// It has a turn, and its task will run.
    Woken,
    /// Its task runs; whether it was woken again meanwhile.
    Runs {
        again: bool,
    },
}

impl Turns {
    /// For an address that has none yet.
    pub(super) fn of_one_address() -> Self {
        Self(Some(Arc::default()))
    }

    /// For those who never wait for others of their address: proxies, which speak for all the world.
    pub(super) fn unlimited() -> Self {
        Self(None)
    }

    /// Whether they are the same.
    #[cfg(test)]
    pub(super) fn are(&self, others: &Self) -> bool {
        matches!((&self.0, &others.0), (Some(these), Some(those)) if Arc::ptr_eq(these, those))
    }

    /// One more who takes turns.
    pub(super) fn join(&self) -> Turn {
        Turn(self.0.clone().map(|queue| {
            let member = lock(&queue).join();
            Arc::new(Signal { queue, member })
        }))
    }
}

impl Turn {
    /// Runs `work`, each step of it in a turn.
    pub(super) async fn take<F: Future>(&mut self, work: F) -> F::Output {
        let Some(signal) = &self.0 else {
            return work.await;
        };
        // New work has woken nobody yet.
        signal.wake_by_ref();
        let waker = Waker::from(signal.clone());
        let mut work = pin!(work);
        std::future::poll_fn(|cx| signal.poll(work.as_mut(), &waker, cx)).await
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(signal) = &self.0 {
            let next = lock(&signal.queue).leave(signal.member);
            next.inspect(Waker::wake_by_ref);
        }
    }
}

impl Signal {
    fn poll<F: Future>(
        &self,
        work: Pin<&mut F>,
        waker: &Waker,
        cx: &Context<'_>,
    ) -> Poll<F::Output> {
        if !lock(&self.queue).begins(self.member, cx.waker()) {
            return Poll::Pending;
        }
        let polled = work.poll(&mut Context::from_waker(waker));
        let next = lock(&self.queue).ends(self.member);
        next.inspect(Waker::wake_by_ref);
        polled
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let woken = lock(&self.queue).wake(self.member);
        woken.inspect(Waker::wake_by_ref);
    }
}

impl Queue {
    fn join(&mut self) -> u64 {
        self.joined += 1;
        self.members.insert(self.joined, Member::default());
        self.joined
    }

    /// A member can go on.
    fn wake(&mut self, id: u64) -> Option<Waker> {
        let member = self.members.get_mut(&id)?;
        match &mut member.state {
            State::Idle if self.at_work < *MAX_WOKEN => {
                self.at_work += 1;
                member.state = State::Woken;
                return member.task.clone();
            }
            State::Idle => {
                member.state = State::Waiting;
                self.waiting.push_back(id);
            }
            State::Runs { again } => *again = true,
            State::Waiting | State::Woken => {}
        }
        None
    }

    /// A member's task runs, and is to be woken by this next time. Whether it has a turn.
    fn begins(&mut self, id: u64, task: &Waker) -> bool {
        let Some(member) = self.members.get_mut(&id) else {
            return false;
        };
        match &mut member.task {
            Some(known) => known.clone_from(task),
            unknown => *unknown = Some(task.clone()),
        }
        let has_turn = matches!(member.state, State::Woken);
        if has_turn {
            member.state = State::Runs { again: false };
        }
        has_turn
    }

    /// A member's turn is over. One that can go on already waits behind the others.
    fn ends(&mut self, id: u64) -> Option<Waker> {
        let member = self.members.get_mut(&id)?;
        let again = matches!(member.state, State::Runs { again: true });
        member.state = if again { State::Waiting } else { State::Idle };
        if again {
            self.waiting.push_back(id);
        }
        self.next()
    }

    fn leave(&mut self, id: u64) -> Option<Waker> {
        match self.members.remove(&id)?.state {
            State::Woken | State::Runs { .. } => self.next(),
            State::Idle | State::Waiting => None,
        }
    }

    /// Passes a turn on.
    fn next(&mut self) -> Option<Waker> {
        while let Some(id) = self.waiting.pop_front() {
            if let Some(member) = self.members.get_mut(&id) {
                member.state = State::Woken;
                return member.task.clone();
            }
        }
        self.at_work -= 1;
        None
    }
}

/// Each step leaves a queue as it should be: good after a panic as before.
fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::pending;
    use std::rc::Rc;

    use futures_util::poll;
    use tokio::sync::oneshot;
    use tokio::task::LocalSet;

    use super::*;

    /// Goes to the end of the line. tokio's own `yield_now` waits until nobody else is in it.
    async fn end_of_a_step() {
        let mut is_over = false;
        std::future::poll_fn(|cx| {
            if std::mem::replace(&mut is_over, true) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    /// Steps of others that are done before this one has made so many.
    async fn steps_before(steps: usize, others: usize, turns: impl Fn() -> Turns) -> Vec<usize> {
        let done = Rc::new(Cell::new(vec![0; others]));
        let all = LocalSet::new();
        for number in 0..others {
            let (mut turn, done) = (turns().join(), done.clone());
            all.spawn_local(async move {
                let work = async {
                    loop {
                        let mut counts = done.take();
                        counts[number] += 1;
                        done.set(counts);
                        end_of_a_step().await;
                    }
                };
                turn.take(work).await
            });
        }
        // In line with them.
        let this = all.spawn_local(async move {
            for _ in 0..steps {
                end_of_a_step().await;
            }
            done.take()
        });
        all.run_until(this).await.expect("steps")
    }

    #[tokio::test]
    async fn many_connections_of_an_address_hold_others_up_like_a_few() {
        let one = Turns::of_one_address();
        let steps = steps_before(1000, 500, || one.clone()).await;
        let all: usize = steps.iter().sum();
        // At first each is looked at once.
        assert!(all <= 1001 * *MAX_WOKEN + 500, "{all} steps of one address");
        let (least, most) = (steps.iter().min(), steps.iter().max());
        assert!(least >= Some(&1), "one got no turn");
        assert!(
            most <= least.map(|it| it + 1).as_ref(),
            "{least:?} {most:?}"
        );
        let each = steps_before(1000, 500, Turns::of_one_address).await;
        assert!(each.iter().all(|steps| *steps >= 999), "{each:?}");
    }

    #[tokio::test]
    async fn who_waits_for_something_takes_no_turn() {
        let turns = Turns::of_one_address();
        let mut waiting = Vec::new();
        for _ in 0..10 * *MAX_WOKEN {
            let mut turn = turns.join();
            let mut waits = Box::pin(async move { turn.take(pending::<()>()).await });
            assert!(poll!(&mut waits).is_pending());
            waiting.push(waits);
        }
        assert_eq!(turns.join().take(async { 7 }).await, 7);
    }

    #[tokio::test]
    async fn who_leaves_passes_the_turn_on() {
        let turns = Turns::of_one_address();
        let (tell, told) = oneshot::channel::<()>();
        let mut next = turns.join();
        let mut next = std::pin::pin!(next.take(told));
        assert!(poll!(&mut next).is_pending());
        // Woken, and never run again.
        let woken: Vec<_> = (0..*MAX_WOKEN).map(|_| turns.join()).collect();
        woken
            .iter()
            .flat_map(|it| &it.0)
            .for_each(Wake::wake_by_ref);
        let waiting = turns.join();
        waiting.0.iter().for_each(Wake::wake_by_ref);
        tell.send(()).expect("a listener");
        assert!(poll!(&mut next).is_pending(), "all turns are taken");
        drop(waiting);
        drop(woken);
        assert!(poll!(&mut next).is_ready());
    }
}
