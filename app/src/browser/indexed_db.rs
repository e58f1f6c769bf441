//! What this browser keeps of a take until it is sent: IndexedDB, with the promise that what was stored
//! survives a crash. Only web-sys: the crates that wrap it weigh two to four times as much.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use futures_channel::mpsc::unbounded;
use futures_util::StreamExt;
use futures_util::future::join;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    IdbDatabase, IdbKeyRange, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction,
};

use super::Piece;
use super::js::{call, get, object};
use super::listener::Listener;

const NAME: &str = "vidence";

/// One record for each request: the take at hand.
const TAKES: &str = "takes";

/// The bytes of takes; what is to be known of a piece without reading it stands in its key.
const PIECES: &str = "pieces";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = IdbDatabase)]
    #[derive(Clone)]
    type Database;

    /// With options, which web-sys counts as unstable.
    #[wasm_bindgen(method, catch, js_name = transaction)]
    fn begin(
        this: &Database,
        store: &str,
        mode: &str,
        options: &JsValue,
    ) -> Result<IdbTransaction, JsValue>;
}

/// Longer than any disk takes for half a second of video, or for a part of a file. A browser that has lost its store may
/// never answer.
const PATIENCE: Duration = Duration::from_secs(8);

/// The takes that this browser keeps.
#[derive(Clone)]
pub struct Store(Rc<RefCell<Database>>);

/// Why something wasn't stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unstored {
    /// There is no room left.
    Full,
    /// The browser has closed the store, or says nothing better: a new connection may help.
    Lost,
    /// There is nothing to read: the file was changed, or the browser is out of memory.
    Unreadable,
    /// The browser doesn't.
    Failed,
}

/// The browser can't tell whether there is something.
#[derive(Debug)]
pub struct Unread;

/// A take that is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Names it here; new for each recording, so that pieces of two never mix.
    pub name: String,
    /// Where the server has it, once it does.
    pub url: String,
    /// Pieces at its beginning that are kept no longer, and how many bytes they had.
    pub released: (u32, u64),
    /// Whether the recording came to its end.
    pub ended: bool,
    /// Whether it came to that without Stop.
    pub interrupted: bool,
    /// Whether it is a file that was chosen.
    pub is_file: bool,
    /// When the link closes, in milliseconds since 1970: from then on it is kept no longer.
    pub expires_at: f64,
}

/// A piece that is kept.
#[derive(Clone, Debug)]
pub struct KeptPiece {
    key: JsValue,
    /// From 0.
    pub number: u32,
    /// How far into the take it ends.
    pub until_ms: u32,
}

impl Store {
    /// `None`: this browser keeps nothing, as some do in private windows.
    pub async fn open() -> Option<Self> {
        let factory = web_sys::window()?.indexed_db().ok()??;
        let opening = factory.open_with_u32(NAME, 1).ok()?;
        let making = opening.clone();
        let _upgrading = Listener::new(&opening, "upgradeneeded", move |_| create(&making));
        let opened = result(&opening).await?;
        Some(Self(Rc::new(RefCell::new(opened.unchecked_into()))))
    }

    /// WebKit closes what belongs to a page in the background. `false`: it doesn't come back.
    async fn reopen(&self) -> bool {
        let Some(new) = Self::open().await else {
            return false;
        };
        self.0.swap(&new.0);
        true
    }

    /// What is kept for a request.
    pub async fn take(&self, request: &str) -> Result<Option<Kept>, Unread> {
        let record = self.find(TAKES, &|takes| takes.get(&request.into())).await;
        Ok(kept(&record.ok_or(Unread)?))
    }

    /// Keeps this for a request: a new take, instead of what was there; or what is now known of one that is kept. Another
    /// tab may have gone on to the next one while this one was frozen: then nothing is changed.
    pub async fn keep(&self, request: &str, take: &Kept, is_new: bool) -> Result<(), Unstored> {
        let record = object([
            ("name", take.name.as_str().into()),
            ("url", take.url.as_str().into()),
            ("releasedPieces", take.released.0.into()),
            ("released", whole(take.released.1).into()),
            ("ended", take.ended.into()),
            ("interrupted", take.interrupted.into()),
            ("isFile", take.is_file.into()),
            ("expiresAt", take.expires_at.into()),
        ]);
        let over = (!is_new).then_some(take.name.as_str());
        self.put(TAKES, &request.into(), &record, over).await
    }

    /// Stores a piece of a take. `Ok`: it survives whatever happens to the browser.
    pub async fn add(
        &self,
        take: &str,
        number: u32,
        piece: &Piece,
        until_ms: u32,
    ) -> Result<(), Unstored> {
        // Before the transaction: one that is left waiting commits by itself. And bytes, not blobs, which
        // WebKit loses.
        let bytes = piece.bytes().await.ok_or(Unstored::Unreadable)?;
        let media_type = piece.media_type();
        let key = Array::of4(
            &take.into(),
            &number.into(),
            &until_ms.into(),
            &media_type.into(),
        );
        self.put(PIECES, &key, &bytes, None).await
    }

    /// The pieces of a take, in order. `None`: the browser can't tell, which isn't the same as none.
    pub async fn pieces(&self, take: &str) -> Option<Vec<KeptPiece>> {
        let keys = self.keys(Some(&all_of(take)?)).await?;
        let piece = |key: JsValue| {
            let parts = key.dyn_ref::<Array>()?;
            // They were `u32`s when they were stored.
            let number = |at| u32::try_from(to_whole(parts.get(at).as_f64()?)).ok();
            let (number, until_ms) = (number(1)?, number(2)?);
            Some(KeptPiece {
                key,
                number,
                until_ms,
            })
        };
        Some(keys.iter().filter_map(piece).collect())
    }

    /// A piece's bytes. `None`: the browser has lost them.
    pub async fn read(&self, piece: &KeptPiece) -> Option<Piece> {
        let bytes = self.find(PIECES, &|pieces| pieces.get(&piece.key)).await?;
        let media_type = piece.key.dyn_ref::<Array>()?.get(3).as_string()?;
        let bytes: ArrayBuffer = bytes.dyn_into().ok()?;
        Piece::of_bytes(&Uint8Array::new(&bytes), &media_type)
    }

    /// Removes some pieces of a take.
    pub async fn release(&self, take: &str, numbers: Range<u32>) {
        let from = Array::of2(&take.into(), &numbers.start.into());
        let to = Array::of2(&take.into(), &numbers.end.into());
        let range = IdbKeyRange::bound(&from, &to);
        self.remove(PIECES, range.ok().map(JsValue::from)).await;
    }

    /// Forgets a take of a request, but not one that has come in its place.
    pub async fn forget(&self, request: &str, take: &str) {
        if let Ok(Some(kept)) = self.take(request).await
            && kept.name == take
        {
            self.remove(TAKES, Some(request.into())).await;
        }
        self.remove(PIECES, all_of(take)).await;
    }

    /// Forgets all whose link has closed, and pieces that belong to nothing.
    pub async fn tidy(&self, now: f64) {
        // Pieces are listed first: a take that begins meanwhile, in another page, is known before they are.
        let Some(keys) = self.keys(None).await else {
            return;
        };
        let Some(takes) = self.takes().await else {
            return;
        };
        for (request, take) in takes.iter().filter(|(_, it)| it.expires_at <= now) {
            self.forget(request, &take.name).await;
        }
        let name = |key: JsValue| key.dyn_ref::<Array>()?.get(0).as_string();
        // In the order of their keys. A sorted set would weigh four kilobytes.
        let mut names: Vec<String> = keys.iter().filter_map(name).collect();
        names.dedup();
        for name in names {
            if !takes.iter().any(|(_, take)| take.name == name) {
                self.remove(PIECES, all_of(&name)).await;
            }
        }
    }

    async fn takes(&self) -> Option<Vec<(String, Kept)>> {
        let takes = self.reading(TAKES)?;
        let requests = takes.get_all_keys().ok()?;
        let records = takes.get_all().ok()?;
        // Asked for in one transaction, so the two lists belong together.
        let (requests, records) = join(result(&requests), result(&records)).await;
        let requests: Array = requests?.dyn_into().ok()?;
        let records: Array = records?.dyn_into().ok()?;
        let both = requests.iter().zip(records.iter());
        let takes =
            both.filter_map(|(request, record)| Some((request.as_string()?, kept(&record)?)));
        Some(takes.collect())
    }

    /// Of pieces; all, or those within a range.
    async fn keys(&self, range: Option<&JsValue>) -> Option<Array> {
        let ask = |pieces: &IdbObjectStore| match range {
            Some(range) => pieces.get_all_keys_with_key(range),
            None => pieces.get_all_keys(),
        };
        self.find(PIECES, &ask).await?.dyn_into().ok()
    }

    /// What this asks a store for. `None`: the browser can't tell, not even by a connection that is new.
    async fn find(
        &self,
        store: &str,
        ask: &dyn Fn(&IdbObjectStore) -> Result<IdbRequest, JsValue>,
    ) -> Option<JsValue> {
        let mut is_new = false;
        loop {
            let asked = self.reading(store).and_then(|store| ask(&store).ok());
            let found = match asked {
                Some(asked) => result(&asked).await,
                None => None,
            };
            if found.is_some() || is_new || !self.reopen().await {
                return found;
            }
            is_new = true;
        }
    }

    fn reading(&self, store: &str) -> Option<IdbObjectStore> {
        let reading = self.0.borrow().transaction_with_str(store).ok()?;
        reading.object_store(store).ok()
    }

    /// A transaction that is over when its changes are on the disk, as far as the browser can tell.
    fn writing(&self, store: &str) -> Option<(IdbTransaction, IdbObjectStore)> {
        let strict = object([("durability", "strict".into())]);
        let writing = self.0.borrow().begin(store, "readwrite", &strict).ok()?;
        let store = writing.object_store(store).ok()?;
        Some((writing, store))
    }

    /// `over`: only if what is there is a take of this name.
    async fn put(
        &self,
        store: &str,
        key: &JsValue,
        value: &JsValue,
        over: Option<&str>,
    ) -> Result<(), Unstored> {
        let mut is_new = false;
        loop {
            let put = self.try_to_put(store, key, value, over).await;
            if put != Err(Unstored::Lost) || is_new || !self.reopen().await {
                return put;
            }
            is_new = true;
        }
    }

    async fn try_to_put(
        &self,
        store: &str,
        key: &JsValue,
        value: &JsValue,
        over: Option<&str>,
    ) -> Result<(), Unstored> {
        let (writing, store) = self.writing(store).ok_or(Unstored::Lost)?;
        if over.is_some() {
            // The transaction goes on with what is asked of it while this answer is being told.
            let there = store.get(key).map_err(|error| unstored(&error))?;
            let there = result(&there).await.ok_or(Unstored::Lost)?;
            if get(&there, "name").as_string().as_deref() != over {
                return Err(Unstored::Failed);
            }
        }
        store
            .put_with_key(value, key)
            .map_err(|error| unstored(&error))?;
        match first(&writing, ["complete", "abort"]).await {
            Some("complete") => Ok(()),
            Some(_) => Err(unstored(&writing.error().into())),
            None => Err(Unstored::Failed),
        }
    }

    async fn remove(&self, store: &str, what: Option<JsValue>) {
        let Some((writing, store)) = self.writing(store) else {
            return;
        };
        // Best effort: what stays is removed when its link has closed.
        if what.is_some_and(|what| store.delete(&what).is_ok()) {
            first(&writing, ["complete", "abort"]).await;
        }
    }
}

/// Asks the browser not to clear this away when room gets short.
pub async fn persist() {
    if let Some(window) = web_sys::window() {
        let storage = get(&window.navigator(), "storage");
        call(&storage, "persist", &Array::new()).await;
    }
}

/// Bytes that are left for this site. `None`: the browser doesn't say.
pub async fn room() -> Option<f64> {
    let storage = get(&web_sys::window()?.navigator(), "storage");
    let told = call(&storage, "estimate", &Array::new()).await?;
    Some(get(&told, "quota").as_f64()? - get(&told, "usage").as_f64()?)
}

fn create(opening: &IdbOpenDbRequest) {
    let Ok(database) = opening.result().map(JsValue::unchecked_into::<IdbDatabase>) else {
        return;
    };
    for store in [TAKES, PIECES] {
        // Fails for one that is there.
        let _ = database.create_object_store(store);
    }
}

fn kept(record: &JsValue) -> Option<Kept> {
    let number = |name| get(record, name).as_f64().map_or(0, to_whole);
    Some(Kept {
        name: get(record, "name").as_string()?,
        url: get(record, "url").as_string()?,
        released: (
            u32::try_from(number("releasedPieces")).unwrap_or(u32::MAX),
            number("released"),
        ),
        ended: get(record, "ended").is_truthy(),
        interrupted: get(record, "interrupted").is_truthy(),
        is_file: get(record, "isFile").is_truthy(),
        expires_at: get(record, "expiresAt").as_f64()?,
    })
}

/// Exact up to 2⁵³ bytes.
#[expect(clippy::cast_precision_loss, reason = "see above")]
fn whole(bytes: u64) -> f64 {
    bytes as f64
}

/// It was a `u64` when it was stored.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "see above"
)]
fn to_whole(bytes: f64) -> u64 {
    bytes as u64
}

/// The keys of a take's pieces: an array sorts behind every number.
fn all_of(take: &str) -> Option<JsValue> {
    let from = Array::of1(&take.into());
    let to = Array::of2(&take.into(), &Array::new());
    IdbKeyRange::bound(&from, &to).ok().map(JsValue::from)
}

fn unstored(error: &JsValue) -> Unstored {
    match get(error, "name").as_string().as_deref() {
        Some("QuotaExceededError") => Unstored::Full,
        _ => Unstored::Lost,
    }
}

/// What a request finds. `None`: it failed.
async fn result(request: &IdbRequest) -> Option<JsValue> {
    match first(request, ["success", "error"]).await {
        Some("success") => request.result().ok(),
        _ => None,
    }
}

/// Waits for one of these, and says which. `None`: for none of them any longer.
async fn first(target: &web_sys::EventTarget, names: [&'static str; 2]) -> Option<&'static str> {
    let (tell, mut told) = unbounded();
    let _listening = names.map(|name| {
        let tell = tell.clone();
        Listener::new(target, name, move |_| {
            // Nobody waits any more only when this is about to be removed.
            let _ = tell.unbounded_send(name);
        })
    });
    super::within(PATIENCE, told.next()).await.flatten()
}
