//! Values that the page shows, and what is called after they have changed.
//!
//! The page is rendered as a whole, so there is no graph of dependencies. Leptos's signals and effects, which have one,
//! would add kilobytes to the WASM.

use std::cell::{Cell, RefCell};

use leptos::task::spawn_local;

/// A value. Copies share it, for the lifetime of the page.
pub struct Observed<T: 'static> {
    value: &'static RefCell<T>,
    observers: &'static Observers,
}

impl<T> Clone for Observed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Observed<T> {}

impl<T> Observed<T> {
    /// A value with these observers, which it may share with others.
    pub fn new(value: T, observers: &'static Observers) -> Self {
        Self {
            value: Box::leak(Box::new(RefCell::new(value))),
            observers,
        }
    }

    /// Reads it.
    pub fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.value.borrow())
    }

    /// A copy of it.
    pub fn get(self) -> T
    where
        T: Clone,
    {
        self.value.borrow().clone()
    }

    /// Changes it. It isn't borrowed meanwhile, so the change may read it.
    pub fn update(self, change: impl FnOnce(&mut T))
    where
        T: Clone,
    {
        let mut value = self.get();
        change(&mut value);
        self.set(value);
    }

    /// Replaces it.
    pub fn set(self, value: T) {
        self.value.replace(value);
        self.observers.notify();
    }
}

/// Callbacks, called once after all changes that a task of the browser makes.
#[derive(Default)]
pub struct Observers {
    callbacks: RefCell<Vec<Box<dyn Fn()>>>,
    is_scheduled: Cell<bool>,
}

impl Observers {
    /// None yet, for the lifetime of the page.
    pub fn leak() -> &'static Self {
        Box::leak(Box::default())
    }

    /// Adds a callback, which is also called soon.
    pub fn add(&'static self, callback: impl Fn() + 'static) {
        self.callbacks.borrow_mut().push(Box::new(callback));
        self.notify();
    }

    fn notify(&'static self) {
        if self.is_scheduled.replace(true) {
            return;
        }
        spawn_local(async {
            self.is_scheduled.set(false);
            self.callbacks.borrow().iter().for_each(|it| it());
        });
    }
}
