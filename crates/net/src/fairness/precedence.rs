//! Precedence of tasks that hold what all clients share.
//!
//! The scheduler of a client address lets few of its tasks run at a time (`scheduler`). A task that has a database
//! connection or a turn at the disk, or is about to, must not wait for the other tasks of its address as well: clients
//! of all addresses wait for what it has.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

tokio::task_local! {
    static TASK: TaskPrecedence;
}

/// How many such things a task has or waits for. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct TaskPrecedence(Arc<AtomicUsize>);

/// Gives the current task precedence until it is dropped. Does nothing for a task that no scheduler holds back.
#[must_use = "it ends when this is dropped"]
pub struct Precedence(Option<TaskPrecedence>);

impl TaskPrecedence {
    /// Polls the task.
    pub(crate) fn scope<T>(&self, poll: impl FnOnce() -> T) -> T {
        TASK.sync_scope(self.clone(), poll)
    }

    pub(crate) fn is_raised(&self) -> bool {
        // Raised by the task itself, before anything can wake it for what it waits for.
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Precedence {
    /// Raises the precedence of the current task.
    pub fn raise() -> Self {
        let task = TASK.try_with(TaskPrecedence::clone).ok();
        if let Some(task) = &task {
            task.0.fetch_add(1, Ordering::Relaxed);
        }
        Self(task)
    }
}

impl Drop for Precedence {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.0.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
