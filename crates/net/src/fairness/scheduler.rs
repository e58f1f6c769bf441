//! Fair scheduling of the connections of one client address.
//!
//! tokio runs tasks in the order in which they were woken. A client with five hundred connections that are always ready
//! would be in that run queue five hundred times, and all other clients would wait behind all of them. So few tasks of
//! an address are in the run queue at a time; the others wait for a permit of a [`Semaphore`], which is first come,
//! first served. By hand, because tokio knows no groups of tasks.
//!
//! A task that holds a resource which all clients share doesn't wait (`precedence`).

use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Poll, ready};
use std::thread::available_parallelism;

use tokio::sync::Semaphore;
use tokio_util::sync::PollSemaphore;

use crate::fairness::precedence::TaskPrecedence;

/// Tasks of one address that are in the run queue at a time, per processor: one that runs and one that follows.
const PER_PROCESSOR: usize = 2;

static TURNS: LazyLock<usize> =
    LazyLock::new(|| PER_PROCESSOR * available_parallelism().map_or(1, usize::from));

/// Schedules the tasks of one address.
pub(crate) struct Scheduler {
    turns: Arc<Semaphore>,
    /// Each task has a clone, so that they can be counted.
    tasks: Arc<()>,
}

impl Default for Scheduler {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(*TURNS)),
            tasks: Arc::default(),
        }
    }
}

impl Scheduler {
    /// Runs `work`, and polls it only when it is this task's turn.
    pub(crate) async fn run<F: Future>(&self, mut work: Pin<&mut F>) -> F::Output {
        let _counted = self.tasks.clone();
        let precedence = TaskPrecedence::default();
        let mut turns = PollSemaphore::new(self.turns.clone());
        let (mut turn, mut is_queued) = (None, false);
        std::future::poll_fn(|cx| {
            if turn.is_none() && self.is_busy() && !precedence.is_raised() {
                let free = turns.poll_acquire(cx);
                let has_waited = std::mem::replace(&mut is_queued, free.is_pending());
                turn = ready!(free);
                // A turn lasts from the end of the run queue to its head. Who has waited for the turn was woken by it
                // and has come that way.
                if !has_waited {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
            } else if std::mem::take(&mut is_queued) {
                // Leaves the queue, which may have assigned a permit to this task: it would sleep with it.
                turns = PollSemaphore::new(self.turns.clone());
            }
            let polled = precedence.scope(|| work.as_mut().poll(cx));
            turn = None;
            polled
        })
        .await
    }

    /// Whether there are more tasks than turns, so that one could delay others.
    fn is_busy(&self) -> bool {
        Arc::strong_count(&self.tasks) > 1 + *TURNS
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::pending;
    use std::pin::pin;
    use std::rc::Rc;

    use futures_util::future::join_all;
    use tokio::sync::{Notify, oneshot};
    use tokio::task::{JoinHandle, LocalSet, yield_now};

    use super::*;
    use crate::fairness::precedence::Precedence;

    /// Yields once: wakes itself and goes to the end of the run queue.
    /// tokio's own `yield_now` returns only when that queue is empty.
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

    fn spawn<F>(all: &LocalSet, scheduler: &Arc<Scheduler>, work: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: 'static> + 'static,
    {
        let scheduler = scheduler.clone();
        all.spawn_local(async move { scheduler.run(pin!(work)).await })
    }

    /// Number of steps that each of the others makes while this task makes `steps`.
    async fn steps_before(
        steps: usize,
        others: usize,
        scheduler: impl Fn() -> Arc<Scheduler>,
    ) -> Vec<usize> {
        let done = Rc::new(Cell::new(vec![0; others]));
        let all = LocalSet::new();
        for number in 0..others {
            let done = done.clone();
            let work = async move {
                loop {
                    let mut counts = done.take();
                    counts[number] += 1;
                    done.set(counts);
                    end_of_a_step().await;
                }
            };
            spawn(&all, &scheduler(), work);
        }
        // This task is in the same run queue as the others.
        let this = all.spawn_local(async move {
            for _ in 0..steps {
                end_of_a_step().await;
            }
            done.take()
        });
        all.run_until(this).await.expect("steps")
    }

    #[tokio::test]
    async fn many_tasks_of_an_address_delay_others_like_a_few() {
        let one = Arc::new(Scheduler::default());
        let steps = steps_before(1000, 500, || one.clone()).await;
        let all: usize = steps.iter().sum();
        assert!(all <= 1001 * *TURNS + 500, "{all} steps of one address");
        let (least, most) = (steps.iter().min(), steps.iter().max());
        assert!(least >= Some(&1), "a task never ran");
        assert!(
            most <= least.map(|it| it + 1).as_ref(),
            "{least:?} {most:?}"
        );
        let each = steps_before(1000, 500, Arc::default).await;
        assert!(each.iter().all(|steps| *steps >= 999), "{each:?}");
    }

    #[tokio::test]
    async fn a_task_that_waits_for_input_takes_no_turn() {
        let (all, scheduler) = (LocalSet::new(), Arc::new(Scheduler::default()));
        for _ in 0..10 * *TURNS {
            spawn(&all, &scheduler, pending::<()>());
        }
        let last = spawn(&all, &scheduler, async { 7 });
        assert_eq!(all.run_until(last).await.expect("a result"), 7);
    }

    #[tokio::test]
    async fn a_task_with_precedence_waits_for_no_turn() {
        let (all, scheduler) = (LocalSet::new(), Arc::new(Scheduler::default()));
        let (tell, told) = oneshot::channel::<()>();
        let holding = spawn(&all, &scheduler, async {
            let _precedence = Precedence::raise();
            told.await
        });
        for _ in 0..2 * *TURNS {
            spawn(&all, &scheduler, pending::<()>());
        }
        let all_turns = u32::try_from(*TURNS).expect("few");
        let _all_turns = all.run_until(scheduler.turns.acquire_many(all_turns)).await;
        tell.send(()).expect("a listener");
        let told = all.run_until(holding).await.expect("no panic");
        told.expect("a message");
    }

    #[tokio::test]
    async fn a_queued_task_returns_a_turn_that_it_no_longer_needs() {
        let (all, scheduler) = (LocalSet::new(), Arc::new(Scheduler::default()));
        let spawn_some = || -> Vec<_> {
            let tasks = (0..*TURNS).map(|_| spawn(&all, &scheduler, pending::<()>()));
            tasks.collect()
        };
        let all_turns = u32::try_from(*TURNS).expect("few");
        let all_turns = scheduler.turns.acquire_many(all_turns).await;
        let (first, _queued) = (spawn_some(), spawn_some());
        all.run_until(yield_now()).await;
        // Those that are left are few enough to run without turns.
        first.iter().for_each(JoinHandle::abort);
        all.run_until(join_all(first)).await;
        drop(all_turns);
        all.run_until(yield_now()).await;
        assert_eq!(scheduler.turns.available_permits(), *TURNS);
    }

    #[tokio::test]
    async fn a_dropped_task_frees_its_turn() {
        let (all, scheduler) = (LocalSet::new(), Arc::new(Scheduler::default()));
        let go = Rc::new(Notify::new());
        let waiting: Vec<_> = (0..10 * *TURNS)
            .map(|_| {
                let go = go.clone();
                spawn(&all, &scheduler, async move { go.notified().await })
            })
            .collect();
        all.run_until(yield_now()).await;
        // Some have a turn and some wait for one, and none is polled again.
        go.notify_waiters();
        waiting.iter().for_each(JoinHandle::abort);
        all.run_until(join_all(waiting)).await;
        assert_eq!(scheduler.turns.available_permits(), *TURNS);
        assert_eq!(Arc::strong_count(&scheduler.tasks), 1);
    }
}
