//! The Web Locks API: a lock that one tab of this browser holds.

use std::cell::RefCell;
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::{Array, Function, Promise};
use leptos::task::spawn_local;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::js::{get_field, object};

/// How to request a lock that another tab may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockMode {
    /// Fail if another tab holds it (`ifAvailable`).
    IfAvailable,
    /// Wait until it is free.
    Wait,
    /// Take it from the tab that holds it (`steal`).
    Steal,
}

/// A lock that this tab holds until it drops this, is closed, or crashes.
pub struct TabLock(Option<Function>);

impl TabLock {
    /// Requests a lock. `None`: another tab holds it. `on_stolen` is called when another tab steals it.
    ///
    /// Where the browser, or the page, has no locks, every tab gets one: two tabs are better than none.
    pub async fn acquire(
        name: &str,
        mode: LockMode,
        on_stolen: impl FnOnce() + 'static,
    ) -> Option<Self> {
        let locks = get_field(&web_sys::window()?.navigator(), "locks");
        let Ok(request) = get_field(&locks, "request").dyn_into::<Function>() else {
            return Some(Self(None));
        };
        let (sender, receiver) = oneshot::channel();
        let sender = Rc::new(RefCell::new(Some(sender)));
        let granted_sender = sender.clone();
        let on_granted = Closure::<dyn Fn(JsValue) -> JsValue>::new(move |lock: JsValue| {
            let mut release = None;
            // The browser holds the lock until this promise is settled.
            let held = Promise::new(&mut |resolve, _| release = Some(resolve));
            let is_granted = lock.is_truthy();
            if let Some(sender) = granted_sender.take() {
                let _ = sender.send(is_granted.then_some(Self(release)));
            }
            if is_granted {
                held.into()
            } else {
                JsValue::UNDEFINED
            }
        });
        let options = object(&[
            ("ifAvailable", (mode == LockMode::IfAvailable).into()),
            ("steal", (mode == LockMode::Steal).into()),
        ]);
        let arguments = Array::of3(&name.into(), &options, on_granted.as_ref());
        let promise = request.apply(&locks, &arguments).ok()?;
        spawn_local(async move {
            let _on_granted = on_granted;
            if JsFuture::from(promise.unchecked_into::<Promise>())
                .await
                .is_ok()
            {
                return;
            }
            match sender.take() {
                // The request is rejected where a site may not store anything: as if there were no locks.
                Some(sender) => drop(sender.send(Some(Self(None)))),
                None => on_stolen(),
            }
        });
        receiver.await.ok().flatten()
    }
}

impl Drop for TabLock {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            // A promise's resolve function doesn't throw.
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}
