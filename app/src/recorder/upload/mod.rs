//! Uploads a take while it is recorded, and retries as long as the network or the server fails.
//!
//! `outbox` and `part_size` decide what to send next, `client` sends it, `response` says what came back, and `retry`
//! waits after failures. `status` is what the page shows of it; `throughput` is measured for the next recording.

pub mod client;
pub mod outbox;
pub mod page_state;
mod part_size;
mod response;
pub mod retry;
pub mod status;
pub mod throughput;

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use crate::recorder::observed::Observed;
use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;

use self::client::{Client, ClientError, TakeUrl, UploadProgress};
use self::outbox::Outbox;
use self::retry::RetryLoop;
use self::status::{TimedPiece, UploadMessage, UploadStart, UploadStatus};
use self::throughput::Throughput;
use super::state::Ending;
use crate::browser;
use crate::browser::blob::Piece;

/// Before a lost take is uploaded again. Where all takes fail, that would go on without a pause.
const RESTART_DELAY: Duration = Duration::from_secs(10);

/// Uploads a take until it is complete.
/// A channel that is closed without [`UploadMessage::End`] abandons it.
///
/// If the server loses the take, or has another one in its place, it is uploaded again. Returns the throughput in bits
/// per second, if it could be measured.
pub async fn upload_take(
    client: &Client,
    is_file: bool,
    start: UploadStart,
    mut messages: UnboundedReceiver<UploadMessage>,
    status: Observed<UploadStatus>,
) -> Result<Option<f64>, Ending> {
    let mut upload = Upload {
        client,
        is_file,
        outbox: Outbox::starting_at(start.released),
        status,
    };
    let mut take = start.take;
    loop {
        // Boxed, like other large futures here: inlined where they are awaited they would add to the WASM.
        match Box::pin(upload.run(take.take(), &mut messages)).await {
            // Either the request was deleted or only the take.
            Err(Ending::Withdrawn) => {
                ensure_open(client, status).await?;
                if !upload.outbox.restart() {
                    return Err(Ending::Refused);
                }
                status.update(|it| it.take = None);
                upload.show_progress();
                browser::sleep(RESTART_DELAY).await;
            }
            done => return done,
        }
    }
}

/// Asks for the request until there is an answer. An error: its link accepts no video any more.
pub async fn ensure_open(client: &Client, status: Observed<UploadStatus>) -> Result<(), Ending> {
    let mut retries = RetryLoop::new(status);
    let state = retries.run(async || client.page_state(None).await).await?;
    if state.is_submitted() {
        return Err(Ending::AlreadySubmitted);
    }
    retries.reset();
    Ok(())
}

/// The upload of one take.
struct Upload<'c> {
    client: &'c Client,
    is_file: bool,
    outbox: Outbox<Piece>,
    status: Observed<UploadStatus>,
}

type Messages = UnboundedReceiver<UploadMessage>;

impl Upload<'_> {
    async fn run(
        &mut self,
        take: Option<TakeUrl>,
        messages: &mut Messages,
    ) -> Result<Option<f64>, Ending> {
        let mut retries = RetryLoop::new(self.status);
        let take = match take {
            Some(take) => {
                self.continue_take(&take, messages, &mut retries).await?;
                take
            }
            None => match self.create_take(messages, &mut retries).await? {
                Some(take) => take,
                None => return Ok(None),
            },
        };
        retries.reset();
        self.status.update(|it| it.take = Some(take.clone()));
        self.send_parts(&take, messages, &mut retries).await
    }

    /// Continues a take that the server has.
    /// Its stored pieces come all at once, and only with all of them the server's offset can be compared.
    async fn continue_take(
        &mut self,
        take: &TakeUrl,
        messages: &mut Messages,
        retries: &mut RetryLoop,
    ) -> Result<(), Ending> {
        while let Some(message) = messages.next().await {
            if matches!(message, UploadMessage::End) {
                break;
            }
            self.apply(message);
        }
        self.outbox.end();
        let progress = query_progress(self.client, take, retries).await?;
        self.outbox.extend_to(progress.offset);
        self.acknowledge(progress)
    }

    /// Creates the take as soon as there is a piece, which alone tells what the browser really records.
    /// `None`: there is none.
    async fn create_take(
        &mut self,
        messages: &mut Messages,
        retries: &mut RetryLoop,
    ) -> Result<Option<TakeUrl>, Ending> {
        let media_type = loop {
            if let Some(first) = self.outbox.first_piece() {
                break first.media_type();
            }
            match messages.next().await {
                Some(UploadMessage::End) | None => return Ok(None),
                Some(message) => self.apply(message),
            }
        };
        let (client, is_file) = (self.client, self.is_file);
        let creation = retries.run(async || client.create_take(&media_type, is_file).await);
        self.receive_during(messages, creation).await.map(Some)
    }

    async fn send_parts(
        &mut self,
        take: &TakeUrl,
        messages: &mut Messages,
        retries: &mut RetryLoop,
    ) -> Result<Option<f64>, Ending> {
        let client = self.client;
        let mut throughput = Throughput::default();
        while !self.outbox.is_complete() {
            while let Ok(message) = messages.try_recv() {
                self.apply(message);
            }
            self.show_progress();
            let delay_ms = self.outbox.batch_delay_ms(browser::performance_now());
            let part = self.outbox.next_part().filter(|_| delay_ms == 0);
            let Some(part) = part else {
                match next_within(messages, delay_ms).await {
                    Some(Some(message)) => self.apply(message),
                    Some(None) => return Ok(None),
                    None => {}
                }
                continue;
            };
            let (is_full, began) = (self.outbox.is_full(&part), browser::performance_now());
            let appending = client.append(take, &part);
            let progress = match self.receive_during(messages, appending).await {
                Ok(progress) if progress.complete || progress.offset > part.offset => {
                    if is_full {
                        let bytes = progress.offset.saturating_sub(part.offset);
                        let took_ms = browser::performance_now() - began;
                        self.outbox.adapt_part_size(bytes, took_ms);
                        throughput.add(bytes, took_ms);
                    }
                    progress
                }
                failed => {
                    // An answer without a new offset is no success: with a server that commits nothing the backoff grows.
                    let error = failed.err().unwrap_or(ClientError::Retry(None));
                    // A file that was moved can't be sent, and the browser reports only that the request failed.
                    if self.is_file
                        && let Some((piece, _)) = part.slices.first()
                        && piece.read().await.is_none()
                    {
                        return Err(Ending::Unreadable);
                    }
                    self.outbox.halve_part_size();
                    let recovery = async {
                        retries.wait_after(error).await?;
                        query_progress(client, take, retries).await
                    };
                    self.receive_during(messages, recovery).await?
                }
            };
            if progress.complete || progress.offset > self.outbox.committed() {
                retries.reset();
            }
            self.acknowledge(progress)?;
        }
        Ok(throughput.bits_per_second())
    }

    /// Awaits the network, and receives pieces meanwhile, so that the page shows how much is recorded.
    fn receive_during<T>(
        &mut self,
        messages: &mut Messages,
        work: impl Future<Output = T>,
    ) -> impl Future<Output = T> {
        let mut work = Box::pin(work);
        poll_fn(move |context| {
            loop {
                if let Poll::Ready(done) = work.as_mut().poll(context) {
                    return Poll::Ready(done);
                }
                let Poll::Ready(Some(message)) = messages.poll_next_unpin(context) else {
                    return Poll::Pending;
                };
                self.apply(message);
                self.show_progress();
            }
        })
    }

    fn apply(&mut self, message: UploadMessage) {
        match message {
            UploadMessage::Piece(TimedPiece { piece, end_ms }, stored_at) => {
                let length = piece.length();
                self.outbox.push(piece, length, end_ms, stored_at);
            }
            UploadMessage::Flush => self.outbox.flush(browser::performance_now()),
            UploadMessage::End => self.outbox.end(),
        }
    }

    fn acknowledge(&mut self, progress: UploadProgress) -> Result<(), Ending> {
        if !self.outbox.acknowledge(progress.offset, progress.complete) {
            // The server has another take there.
            return Err(Ending::Withdrawn);
        }
        self.show_progress();
        Ok(())
    }

    fn show_progress(&self) {
        let outbox = &self.outbox;
        self.status.update(|it| {
            it.recorded = outbox.recorded();
            it.recorded_ms = outbox.recorded_ms();
            it.committed = outbox.committed();
            it.committed_ms = outbox.committed_ms();
            it.complete = outbox.is_complete();
        });
    }
}

/// Asks how much of a take is committed, until there is an answer.
async fn query_progress(
    client: &Client,
    take: &TakeUrl,
    retries: &mut RetryLoop,
) -> Result<UploadProgress, Ending> {
    retries
        .run(async || client.upload_progress(take).await)
        .await
}

/// The next message, if it comes within this time; 0: whenever it comes.
async fn next_within(messages: &mut Messages, wait_ms: u32) -> Option<Option<UploadMessage>> {
    if wait_ms == 0 {
        return Some(messages.next().await);
    }
    browser::timeout(Duration::from_millis(wait_ms.into()), messages.next()).await
}
