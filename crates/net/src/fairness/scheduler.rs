//! Fair scheduling of the connections of one client address.
//!
//! tokio runs tasks in the order in which they were woken. A client with five hundred connections that are always ready
//! would be in that run queue five hundred times, and all other clients would wait behind all of them. So the scheduler
//! of an address wakes only a few of its connections and streams at a time; the others wait in its own run queue. A
//! task that holds a resource which all clients share doesn't wait (`precedence`).

use std::collections::{HashMap, VecDeque};
use std::pin::{Pin, pin};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::available_parallelism;

use crate::fairness::precedence::TaskPrecedence;

/// Tasks of one address that are woken at a time, per processor: one that runs and one that follows.
const PER_PROCESSOR: usize = 2;

static MAX_ACTIVE: LazyLock<usize> =
    LazyLock::new(|| PER_PROCESSOR * available_parallelism().map_or(1, usize::from));

/// Schedules the tasks of one address. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Scheduler(Option<Arc<Mutex<Queue>>>);

/// A connection or stream that is scheduled. Dropping it frees its turn.
pub(crate) struct ScheduledTask(Option<Arc<TaskWaker>>);

/// Waker that wakes a task when it is its turn.
struct TaskWaker {
    queue: Arc<Mutex<Queue>>,
    id: u64,
    precedence: TaskPrecedence,
}

/// The tasks of one address.
/// Callers of methods that return a waker must wake it after they release the lock.
#[derive(Default)]
struct Queue {
    tasks: HashMap<u64, Task>,
    /// Number of tasks added so far, which is the id of the last one.
    added: u64,
    /// Tasks that are woken or running.
    active: usize,
    /// Run queue. It may contain ids of tasks that have been removed.
    ready: VecDeque<u64>,
}

#[derive(Default)]
struct Task {
    state: State,
    waker: Option<Waker>,
}

#[derive(Clone, Copy, Default)]
enum State {
    /// The task waits for input, output or time.
    #[default]
    Idle,
    /// The task is ready and waits for its turn.
    Ready,
    /// The task has its turn and is in tokio's run queue.
    Woken,
    /// The task is being polled. `again`: it was woken meanwhile.
    Running { again: bool },
}

impl Scheduler {
    /// A scheduler for an address that has none yet.
    pub(crate) fn of_one_address() -> Self {
        Self(Some(Arc::default()))
    }

    /// A scheduler that runs every task at once: for proxies, which carry many clients.
    pub(crate) fn unlimited() -> Self {
        Self(None)
    }

    /// Whether both schedule the same tasks.
    #[cfg(test)]
    pub(crate) fn is(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Some(this), Some(that)) if Arc::ptr_eq(this, that))
    }

    pub(crate) fn add(&self) -> ScheduledTask {
        ScheduledTask(self.0.clone().map(|queue| {
            let id = lock(&queue).add();
            Arc::new(TaskWaker {
                queue,
                id,
                precedence: TaskPrecedence::default(),
            })
        }))
    }
}

impl ScheduledTask {
    /// Runs `work`, and polls it only when it is this task's turn.
    pub(crate) async fn run<F: Future>(&mut self, work: F) -> F::Output {
        let Some(this) = &self.0 else {
            return work.await;
        };
        // A future registers its waker only when it is polled, so the first turn is requested here.
        this.wake_by_ref();
        let waker = Waker::from(this.clone());
        let mut work = pin!(work);
        std::future::poll_fn(|cx| this.poll(work.as_mut(), &waker, cx)).await
    }
}

impl Drop for ScheduledTask {
    fn drop(&mut self) {
        if let Some(this) = &self.0 {
            let next = lock(&this.queue).remove(this.id);
            next.inspect(Waker::wake_by_ref);
        }
    }
}

impl TaskWaker {
    fn poll<F: Future>(
        &self,
        work: Pin<&mut F>,
        waker: &Waker,
        cx: &Context<'_>,
    ) -> Poll<F::Output> {
        if !lock(&self.queue).begin(self.id, cx.waker()) {
            return Poll::Pending;
        }
        let polled = self
            .precedence
            .scope(|| work.poll(&mut Context::from_waker(waker)));
        let next = lock(&self.queue).end(self.id, self.precedence.is_raised());
        next.inspect(Waker::wake_by_ref);
        polled
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let woken = lock(&self.queue).wake(self.id, self.precedence.is_raised());
        woken.inspect(Waker::wake_by_ref);
    }
}

impl Queue {
    fn add(&mut self) -> u64 {
        self.added += 1;
        self.tasks.insert(self.added, Task::default());
        self.added
    }

    /// Marks a task as ready, and returns its waker if it can run now.
    fn wake(&mut self, id: u64, has_precedence: bool) -> Option<Waker> {
        let task = self.tasks.get_mut(&id)?;
        match &mut task.state {
            State::Idle if has_precedence || self.active < *MAX_ACTIVE => {
                self.active += 1;
                task.state = State::Woken;
                return task.waker.clone();
            }
            State::Idle => {
                task.state = State::Ready;
                self.ready.push_back(id);
            }
            State::Running { again } => *again = true,
            State::Ready | State::Woken => {}
        }
        None
    }

    /// Begins a poll by tokio and stores `waker`. Returns whether it is the task's turn.
    fn begin(&mut self, id: u64, waker: &Waker) -> bool {
        let Some(task) = self.tasks.get_mut(&id) else {
            return false;
        };
        match &mut task.waker {
            Some(known) => known.clone_from(waker),
            unknown => *unknown = Some(waker.clone()),
        }
        let has_turn = matches!(task.state, State::Woken);
        if has_turn {
            task.state = State::Running { again: false };
        }
        has_turn
    }

    /// Ends a poll. A task that was woken meanwhile goes to the end of the queue.
    /// With precedence it runs again at once.
    fn end(&mut self, id: u64, has_precedence: bool) -> Option<Waker> {
        let task = self.tasks.get_mut(&id)?;
        match task.state {
            State::Running { again: true } if has_precedence => {
                task.state = State::Woken;
                return task.waker.clone();
            }
            State::Running { again: true } => {
                task.state = State::Ready;
                self.ready.push_back(id);
            }
            _ => task.state = State::Idle,
        }
        self.next()
    }

    fn remove(&mut self, id: u64) -> Option<Waker> {
        match self.tasks.remove(&id)?.state {
            State::Woken | State::Running { .. } => self.next(),
            State::Idle | State::Ready => None,
        }
    }

    /// Passes a free turn to the next task, unless tasks with precedence exceed the limit.
    fn next(&mut self) -> Option<Waker> {
        while self.active <= *MAX_ACTIVE
            && let Some(id) = self.ready.pop_front()
        {
            if let Some(task) = self.tasks.get_mut(&id) {
                task.state = State::Woken;
                return task.waker.clone();
            }
        }
        self.active -= 1;
        None
    }
}

/// Locks the queue. Every method leaves it consistent, so a panic elsewhere does no harm.
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

    /// Number of steps that each of the others makes while this task makes `steps`.
    async fn steps_before(
        steps: usize,
        others: usize,
        scheduler: impl Fn() -> Scheduler,
    ) -> Vec<usize> {
        let done = Rc::new(Cell::new(vec![0; others]));
        let all = LocalSet::new();
        for number in 0..others {
            let (mut task, done) = (scheduler().add(), done.clone());
            all.spawn_local(async move {
                let work = async {
                    loop {
                        let mut counts = done.take();
                        counts[number] += 1;
                        done.set(counts);
                        end_of_a_step().await;
                    }
                };
                task.run(work).await
            });
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
        let one = Scheduler::of_one_address();
        let steps = steps_before(1000, 500, || one.clone()).await;
        let all: usize = steps.iter().sum();
        // Each task is polled once before the scheduler delays it.
        assert!(
            all <= 1001 * *MAX_ACTIVE + 500,
            "{all} steps of one address"
        );
        let (least, most) = (steps.iter().min(), steps.iter().max());
        assert!(least >= Some(&1), "a task never ran");
        assert!(
            most <= least.map(|it| it + 1).as_ref(),
            "{least:?} {most:?}"
        );
        let each = steps_before(1000, 500, Scheduler::of_one_address).await;
        assert!(each.iter().all(|steps| *steps >= 999), "{each:?}");
    }

    #[tokio::test]
    async fn a_task_that_waits_for_input_takes_no_turn() {
        let scheduler = Scheduler::of_one_address();
        let mut waiting = Vec::new();
        for _ in 0..10 * *MAX_ACTIVE {
            let mut task = scheduler.add();
            let mut waits = Box::pin(async move { task.run(pending::<()>()).await });
            assert!(poll!(&mut waits).is_pending());
            waiting.push(waits);
        }
        assert_eq!(scheduler.add().run(async { 7 }).await, 7);
    }

    #[tokio::test]
    async fn a_task_that_has_what_all_share_waits_for_no_turn() {
        let scheduler = Scheduler::of_one_address();
        let (tell, told) = oneshot::channel::<()>();
        let mut sharing = scheduler.add();
        let sharing = async move {
            let work = async {
                let _precedence = Precedence::raise();
                told.await
            };
            sharing.run(work).await
        };
        let mut sharing = std::pin::pin!(sharing);
        assert!(poll!(&mut sharing).is_pending());
        // Woken, and never polled.
        let others: Vec<_> = (0..2 * *MAX_ACTIVE).map(|_| scheduler.add()).collect();
        let others = others.iter().flat_map(|it| &it.0);
        others.for_each(Wake::wake_by_ref);
        tell.send(()).expect("a listener");
        assert!(poll!(&mut sharing).is_ready());
    }

    #[tokio::test]
    async fn turns_beyond_the_bound_are_not_handed_on() {
        let mut queue = Queue::default();
        let ids: Vec<_> = (0..*MAX_ACTIVE + 3).map(|_| queue.add()).collect();
        let (first, rest) = ids.split_at(*MAX_ACTIVE + 1);
        for id in first {
            queue.wake(*id, true);
        }
        for id in rest {
            queue.wake(*id, false);
        }
        assert_eq!(queue.active, *MAX_ACTIVE + 1);
        for id in first {
            queue.remove(*id);
        }
        let woken = rest
            .iter()
            .filter(|id| matches!(queue.tasks[id].state, State::Woken));
        assert_eq!((woken.count(), queue.active), (2, 2));
    }

    #[tokio::test]
    async fn a_dropped_task_frees_its_turn() {
        let scheduler = Scheduler::of_one_address();
        let (tell, told) = oneshot::channel::<()>();
        let mut next = scheduler.add();
        let mut next = std::pin::pin!(next.run(told));
        assert!(poll!(&mut next).is_pending());
        // Woken, and never polled again.
        let woken: Vec<_> = (0..*MAX_ACTIVE).map(|_| scheduler.add()).collect();
        woken
            .iter()
            .flat_map(|it| &it.0)
            .for_each(Wake::wake_by_ref);
        let waiting = scheduler.add();
        waiting.0.iter().for_each(Wake::wake_by_ref);
        tell.send(()).expect("a listener");
        assert!(poll!(&mut next).is_pending(), "all turns are taken");
        drop(waiting);
        drop(woken);
        assert!(poll!(&mut next).is_ready());
    }
}
