//! One tab of this browser at a time: the Web Locks interface.

use std::cell::RefCell;

use std::future::pending;

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::object::{get, object};

/// Becomes the only tab that has this name, until the page is closed or crashes. `false`: another one is.
/// With `wait` it waits for that one to go.
pub async fn be_the_only_tab(name: &str, wait: bool) -> bool {
    let Some(window) = web_sys::window() else {
        return true;
    };
    let locks = get(&window.navigator(), "locks");
    let Ok(request) = get(&locks, "request").dyn_into::<Function>() else {
        // A browser, or a page, without locks: better two tabs than none.
        return true;
    };
    let (tell, told) = oneshot::channel();
    let tell = RefCell::new(Some(tell));
    let granted = Closure::<dyn Fn(JsValue) -> JsValue>::new(move |lock: JsValue| {
        let mine = lock.is_truthy();
        if let Some(tell) = tell.take() {
            let _ = tell.send(mine);
        }
        if mine {
            // It is held for as long as this is not settled: for ever.
            return Promise::new(&mut |_, _| {}).into();
        }
        JsValue::UNDEFINED
    });
    let options = object([("ifAvailable", (!wait).into())]);
    let arguments = Array::of3(&name.into(), &options, granted.as_ref());
    let Ok(asking) = request.apply(&locks, &arguments) else {
        return true;
    };
    // Where a site may keep nothing, it is refused: as if there were no locks.
    let refused = std::pin::pin!(async {
        if JsFuture::from(asking.unchecked_into::<Promise>())
            .await
            .is_ok()
        {
            pending::<()>().await;
        }
    });
    match select(told, refused).await {
        Either::Left((mine, _)) => mine.unwrap_or(true),
        Either::Right(_) => true,
    }
}
