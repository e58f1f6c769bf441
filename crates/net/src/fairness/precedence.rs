//! Precedence of tasks that hold a resource which all clients share.
//!
//! The scheduler of a client address runs few of its tasks at a time (`scheduler`). A task that holds a database
//! connection or a turn at the disk, or is about to, must not wait for the other tasks of its address as well, because
//! clients of all addresses wait for that resource.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

tokio::task_local! {
    static TASK: TaskPrecedence;
}

/// Number of shared resources that a task holds or waits for. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct TaskPrecedence(Arc<AtomicUsize>);

/// Gives the current task precedence until it is dropped.
/// Does nothing for a task without a scheduler.
#[must_use = "it ends when this is dropped"]
pub struct Precedence(Option<TaskPrecedence>);

impl TaskPrecedence {
    /// Polls the task, which can raise its own precedence meanwhile.
    pub(crate) fn scope<T>(&self, poll: impl FnOnce() -> T) -> T {
        TASK.sync_scope(self.clone(), poll)
    }

    pub(crate) fn is_raised(&self) -> bool {
        // Relaxed is enough: the task raises its precedence itself, before what it waits for can wake it.
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
