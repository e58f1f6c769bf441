//! One tab of this browser at a time: the Web Locks interface.

use std::cell::RefCell;
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::js::{get, object};

/// How to come by a lock that another tab may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Only if it is free.
    IfFree,
    /// When it is free.
    Wait,
    /// At once.
    Steal,
}

/// A lock that this tab holds until it drops this, is closed, or crashes.
pub struct TabLock(Option<Function>);

impl TabLock {
    /// `None`: another tab has it. A browser, or a page, without locks: better two tabs than none. `on_stolen` is called
    /// when another tab takes it away.
    pub async fn claim(
        name: &str,
        claim: Claim,
        on_stolen: impl FnOnce() + 'static,
    ) -> Option<Self> {
        let locks = get(&web_sys::window()?.navigator(), "locks");
        let Ok(request) = get(&locks, "request").dyn_into::<Function>() else {
            return Some(Self(None));
        };
        let (tell, told) = oneshot::channel();
        let tell = Rc::new(RefCell::new(Some(tell)));
        let telling = tell.clone();
        let granted = Closure::<dyn Fn(JsValue) -> JsValue>::new(move |lock: JsValue| {
            let mut release = None;
            // It is held for as long as this is not settled.
            let held = Promise::new(&mut |resolve, _| release = Some(resolve));
            let is_mine = lock.is_truthy();
            if let Some(tell) = telling.take() {
                let _ = tell.send(is_mine.then_some(Self(release)));
            }
            if is_mine {
                held.into()
            } else {
                JsValue::UNDEFINED
            }
        });
        let options = object([
            ("ifAvailable", (claim == Claim::IfFree).into()),
            ("steal", (claim == Claim::Steal).into()),
        ]);
        let arguments = Array::of3(&name.into(), &options, granted.as_ref());
        let asking = request.apply(&locks, &arguments).ok()?;
        spawn_local(async move {
            let _granted = granted;
            if JsFuture::from(asking.unchecked_into::<Promise>())
                .await
                .is_ok()
            {
                return;
            }
            match tell.take() {
                // Where a site may keep nothing, it is refused: as if there were no locks.
                Some(tell) => drop(tell.send(Some(Self(None)))),
                None => on_stolen(),
            }
        });
        told.await.ok().flatten()
    }
}

impl Drop for TabLock {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            // Fails for no promise.
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}
