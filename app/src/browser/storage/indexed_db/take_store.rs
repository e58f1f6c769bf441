//! Stores takes and their pieces so that they survive a crash of the browser.

use std::ops::Range;

use futures_util::future::join;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{IdbKeyRange, IdbObjectStore};

use super::connection::{Connection, PIECES, StoreError, TAKES, await_result};
use super::record::{PieceRecord, TakeRecord};
use crate::browser::blob::Piece;

/// The takes that this browser stores.
#[derive(Clone)]
pub struct TakeStore(Connection);

/// The browser can't tell whether a take is stored.
#[derive(Debug)]
pub struct ReadError;

impl TakeStore {
    /// `None`: this browser stores nothing, as some do in private windows.
    pub async fn open() -> Option<Self> {
        Connection::open().await.map(Self)
    }

    /// Reads the take of a request.
    pub async fn take(&self, request: &str) -> Result<Option<TakeRecord>, ReadError> {
        let key = JsValue::from_str(request);
        let record = self.0.read(TAKES, &|takes| takes.get(&key)).await;
        Ok(TakeRecord::from_object(&record.ok_or(ReadError)?))
    }

    /// Stores a new take in place of the request's previous one, or updates the one that is stored.
    ///
    /// An update changes nothing where another take is stored: another tab may have begun one while this tab was
    /// frozen.
    pub async fn put_take(
        &self,
        request: &str,
        take: &TakeRecord,
        is_new: bool,
    ) -> Result<(), StoreError> {
        let only_over = (!is_new).then_some(take.name.as_str());
        self.0
            .put(TAKES, &request.into(), &take.to_object(), only_over)
            .await
    }

    /// Stores a piece of a take; after `Ok` it survives a crash of the browser.
    pub async fn put_piece(
        &self,
        take: &str,
        number: u32,
        piece: &Piece,
        end_ms: u32,
    ) -> Result<(), StoreError> {
        // Before the transaction, which commits by itself while it waits. Bytes, because WebKit loses blobs.
        let bytes = piece.read().await.ok_or(StoreError::Unreadable)?;
        let key = PieceRecord::key(take, number, end_ms, &piece.media_type());
        self.0.put(PIECES, &key, &bytes, None).await
    }

    /// Lists the pieces of a take, in order. `None`: the browser can't tell, which isn't the same as none.
    pub async fn pieces(&self, take: &str) -> Option<Vec<PieceRecord>> {
        let keys = self.piece_keys(Some(&PieceRecord::keys_of(take)?)).await?;
        Some(keys.iter().filter_map(PieceRecord::from_key).collect())
    }

    /// Reads the bytes of a piece. `None`: the browser has lost them.
    pub async fn read_piece(&self, piece: &PieceRecord) -> Option<Piece> {
        let bytes = self
            .0
            .read(PIECES, &|pieces| pieces.get(&piece.key))
            .await?;
        let bytes: ArrayBuffer = bytes.dyn_into().ok()?;
        Piece::from_bytes(&Uint8Array::new(&bytes), &piece.media_type()?)
    }

    /// Deletes some pieces of a take.
    pub async fn delete_pieces(&self, take: &str, numbers: Range<u32>) {
        let from = Array::of2(&take.into(), &numbers.start.into());
        let to = Array::of2(&take.into(), &numbers.end.into());
        let range = IdbKeyRange::bound(&from, &to);
        self.0.delete(PIECES, range.ok().map(JsValue::from)).await;
    }

    /// Deletes a take of a request with its pieces.
    /// Another take that is stored for the request by now stays.
    pub async fn delete_take(&self, request: &str, take: &str) {
        if let Ok(Some(stored)) = self.take(request).await
            && stored.name == take
        {
            self.0.delete(TAKES, Some(request.into())).await;
        }
        self.0.delete(PIECES, PieceRecord::keys_of(take)).await;
    }

    /// Deletes the takes whose link has closed, and pieces that belong to no take.
    pub async fn delete_expired(&self, now: f64) {
        // Pieces are listed first: a take that another page begins meanwhile is then listed if its pieces are.
        let Some(keys) = self.piece_keys(None).await else {
            return;
        };
        let Some(takes) = self.takes().await else {
            return;
        };
        for (request, take) in takes.iter().filter(|(_, it)| it.expires_at <= now) {
            self.delete_take(request, &take.name).await;
        }
        // The keys come sorted. A sorted set would add four kilobytes to the WASM.
        let names = keys.iter().filter_map(|key| PieceRecord::take_of(&key));
        let mut names: Vec<String> = names.collect();
        names.dedup();
        for name in names {
            if !takes.iter().any(|(_, take)| take.name == name) {
                self.0.delete(PIECES, PieceRecord::keys_of(&name)).await;
            }
        }
    }

    async fn takes(&self) -> Option<Vec<(String, TakeRecord)>> {
        let takes = self.0.read_store(TAKES)?;
        let requests = takes.get_all_keys().ok()?;
        let records = takes.get_all().ok()?;
        // One transaction reads both lists, so they match.
        let (requests, records) = join(await_result(&requests), await_result(&records)).await;
        let requests: Array = requests?.dyn_into().ok()?;
        let records: Array = records?.dyn_into().ok()?;
        let pairs = requests.iter().zip(records.iter());
        let takes = pairs.filter_map(|(request, record)| {
            Some((request.as_string()?, TakeRecord::from_object(&record)?))
        });
        Some(takes.collect())
    }

    /// The keys of all pieces, or of those within a range.
    async fn piece_keys(&self, range: Option<&JsValue>) -> Option<Array> {
        let request = |pieces: &IdbObjectStore| match range {
            Some(range) => pieces.get_all_keys_with_key(range),
            None => pieces.get_all_keys(),
        };
        self.0.read(PIECES, &request).await?.dyn_into().ok()
    }
}
