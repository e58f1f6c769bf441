//! A connection to the database, and transactions on it.
//! A connection that the browser has closed is reopened once.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use futures_channel::mpsc::unbounded;
use futures_util::StreamExt;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    EventTarget, IdbDatabase, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction,
};

use super::record::name_of;
use crate::browser::js::{get_field, object};
use crate::browser::listener::Listener;
use crate::browser::timeout;

const DATABASE: &str = "vidence";

/// The object store of take records, by request.
pub(super) const TAKES: &str = "takes";

/// The object store of the bytes of pieces.
pub(super) const PIECES: &str = "pieces";

/// Longer than any disk takes for half a second of video, or for a part of a file.
/// A browser that has lost its database may never answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = IdbDatabase)]
    #[derive(Clone)]
    type Database;

    /// With options, which web-sys has only as an unstable API.
    #[wasm_bindgen(method, catch, js_name = transaction)]
    fn transaction_with_options(
        this: &Database,
        store: &str,
        mode: &str,
        options: &JsValue,
    ) -> Result<IdbTransaction, JsValue>;
}

/// Why something wasn't stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// `QuotaExceededError`.
    QuotaExceeded,
    /// The browser has closed the connection, or gives no better reason: a new connection may help.
    ConnectionLost,
    /// The bytes to store can't be read: the file was changed, or the browser is out of memory.
    Unreadable,
    /// The browser refuses, or another take is stored there.
    Failed,
}

/// A connection to the database. Clones share it.
#[derive(Clone)]
pub(super) struct Connection(Rc<RefCell<Database>>);

impl Connection {
    /// `None`: this browser stores nothing, as some do in private windows.
    pub(super) async fn open() -> Option<Self> {
        let factory = web_sys::window()?.indexed_db().ok()??;
        let request = factory.open_with_u32(DATABASE, 1).ok()?;
        let upgraded = request.clone();
        let _listener = Listener::new(&request, "upgradeneeded", move |_| create_stores(&upgraded));
        let database = await_result(&request).await?;
        Some(Self(Rc::new(RefCell::new(database.unchecked_into()))))
    }

    /// Opens a new connection in place of this one: WebKit closes those of a page in the background.
    /// `false`: it can't be opened.
    async fn reopen(&self) -> bool {
        let Some(new) = Self::open().await else {
            return false;
        };
        self.0.swap(&new.0);
        true
    }

    /// Reads what `request` asks a store for. `None`: the browser can't tell, not even on a new connection.
    pub(super) async fn read(
        &self,
        store: &str,
        request: &dyn Fn(&IdbObjectStore) -> Result<IdbRequest, JsValue>,
    ) -> Option<JsValue> {
        let mut is_reopened = false;
        loop {
            let requested = self
                .read_store(store)
                .and_then(|store| request(&store).ok());
            let result = match requested {
                Some(requested) => await_result(&requested).await,
                None => None,
            };
            if result.is_some() || is_reopened || !self.reopen().await {
                return result;
            }
            is_reopened = true;
        }
    }

    /// A store in a transaction that reads.
    pub(super) fn read_store(&self, store: &str) -> Option<IdbObjectStore> {
        let transaction = self.0.borrow().transaction_with_str(store).ok()?;
        transaction.object_store(store).ok()
    }

    /// A transaction that is complete when its changes are on the disk, as far as the browser can tell.
    fn write_transaction(&self, store: &str) -> Option<(IdbTransaction, IdbObjectStore)> {
        let strict = object(&[("durability", "strict".into())]);
        let transaction = self
            .0
            .borrow()
            .transaction_with_options(store, "readwrite", &strict)
            .ok()?;
        let store = transaction.object_store(store).ok()?;
        Some((transaction, store))
    }

    /// Writes a value durably. `only_over`: only if a take of this name is stored there.
    pub(super) async fn put(
        &self,
        store: &str,
        key: &JsValue,
        value: &JsValue,
        only_over: Option<&str>,
    ) -> Result<(), StoreError> {
        let mut is_reopened = false;
        loop {
            let put = self.try_put(store, key, value, only_over).await;
            if put != Err(StoreError::ConnectionLost) || is_reopened || !self.reopen().await {
                return put;
            }
            is_reopened = true;
        }
    }

    async fn try_put(
        &self,
        store: &str,
        key: &JsValue,
        value: &JsValue,
        only_over: Option<&str>,
    ) -> Result<(), StoreError> {
        let (transaction, store) = self
            .write_transaction(store)
            .ok_or(StoreError::ConnectionLost)?;
        if only_over.is_some() {
            // The transaction stays open for requests that are made while the result of this one is delivered.
            let stored = store.get(key).map_err(|error| store_error(&error))?;
            let stored = await_result(&stored)
                .await
                .ok_or(StoreError::ConnectionLost)?;
            if name_of(&stored).as_deref() != only_over {
                return Err(StoreError::Failed);
            }
        }
        store
            .put_with_key(value, key)
            .map_err(|error| store_error(&error))?;
        match first_event(&transaction, ["complete", "abort"]).await {
            Some("complete") => Ok(()),
            Some(_) => Err(store_error(&transaction.error().into())),
            None => Err(StoreError::Failed),
        }
    }

    /// Deletes a key or a range of keys. Best effort: what stays is deleted when its link has closed.
    pub(super) async fn delete(&self, store: &str, keys: Option<JsValue>) {
        let Some((transaction, store)) = self.write_transaction(store) else {
            return;
        };
        if keys.is_some_and(|keys| store.delete(&keys).is_ok()) {
            first_event(&transaction, ["complete", "abort"]).await;
        }
    }
}

fn create_stores(request: &IdbOpenDbRequest) {
    let Ok(database) = request.result().map(JsValue::unchecked_into::<IdbDatabase>) else {
        return;
    };
    for store in [TAKES, PIECES] {
        // Fails only for a store that exists.
        let _ = database.create_object_store(store);
    }
}

fn store_error(error: &JsValue) -> StoreError {
    match get_field(error, "name").as_string().as_deref() {
        Some("QuotaExceededError") => StoreError::QuotaExceeded,
        _ => StoreError::ConnectionLost,
    }
}

/// Awaits the result of a request. `None`: it failed.
pub(super) async fn await_result(request: &IdbRequest) -> Option<JsValue> {
    match first_event(request, ["success", "error"]).await {
        Some("success") => request.result().ok(),
        _ => None,
    }
}

/// Waits for the first of two events. `None`: the time ran out.
async fn first_event(target: &EventTarget, names: [&'static str; 2]) -> Option<&'static str> {
    let (sender, mut receiver) = unbounded();
    let _listeners = names.map(|name| {
        let sender = sender.clone();
        Listener::new(target, name, move |_| {
            // The receiver is dropped only together with this listener.
            let _ = sender.unbounded_send(name);
        })
    });
    timeout(REQUEST_TIMEOUT, receiver.next()).await.flatten()
}
