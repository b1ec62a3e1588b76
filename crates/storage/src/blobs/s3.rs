//! Objects in a store that speaks S3, through the `MinIO` client.
//!
//! Every call has a time limit, because the client has none. What fails for the moment is tried again, three times in all; an object that was sent
//! is asked for before it counts, so a store that says 200 and keeps nothing is found out. The store checks each part against a hash of its own.

use super::{Error, Listing, Pieces, Result, spool::Spooled};
use crate::error::chain;
use bytes::{Bytes, BytesMut};
use domain::content::asset::{ObjectKey, Stored};
use futures_util::{Stream, StreamExt, stream};
use minio::s3::{
    MinioClient, MinioClientBuilder,
    builders::ObjectContent,
    creds::StaticProvider,
    error::{Error as S3Error, NetworkError, S3ServerError},
    http::BaseUrl,
    minio_error_response::MinioErrorCode,
    types::{Region, S3Api, ToStream},
};
// Named so that it is linked with TLS; the client inside of minio has none of its own then.
use reqwest012 as _;
use secrecy::{ExposeSecret, SecretString};
use std::{
    future::Future,
    io,
    ops::Range,
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    fs::File,
    io::AsyncReadExt,
    sync::Semaphore,
    time::{sleep, timeout},
};

/// What S3 wants at least of a part; each object that is being sent has one of them in memory.
const PART: u64 = 5 << 20;
/// How many objects are sent at the same time; others wait.
const AT_ONCE: usize = 8;
/// How often a call is made.
const TRIES: u32 = 3;
/// Before the second try; before the third it is four times as long.
const PAUSE: Duration = Duration::from_millis(250);
/// How many keys a page has.
const PAGE: u16 = 1000;
/// How much is read of a spooled file at a time.
const PIECE: usize = 64 << 10;

/// How a store is reached.
#[derive(Clone)]
pub struct Settings {
    /// Its URL.
    pub endpoint: String,
    /// The bucket, which has to be there.
    pub bucket: String,
    /// The region that requests are signed for.
    pub region: String,
    /// Who we are to it.
    pub access_key: SecretString,
    /// What proves it.
    pub secret_key: SecretString,
    /// How long a call may take to be answered. Sending an object has a second more for each MiB.
    pub patience: Duration,
}

/// The store.
pub(super) struct S3 {
    client: MinioClient,
    bucket: String,
    patience: Duration,
    sending: Semaphore,
}

impl S3 {
    /// A client; it connects when it is used.
    pub(super) fn new(settings: Settings) -> Result<Self> {
        let wrong = |what: &dyn std::fmt::Display| Error::Away(format!("S3 settings: {what}"));
        // One provider for the whole process; it may be there already.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let mut url: BaseUrl = settings.endpoint.parse().map_err(|error| wrong(&error))?;
        url.region = Region::new(&settings.region).map_err(|error| wrong(&error))?;
        let provider = StaticProvider::new(settings.access_key.expose_secret(), settings.secret_key.expose_secret(), None);
        let client = MinioClientBuilder::new(url)
            .provider(Some(provider))
            .skip_region_lookup(true)
            .build()
            .map_err(|error| wrong(&error))?;
        Ok(Self { client, bucket: settings.bucket, patience: settings.patience, sending: Semaphore::new(AT_ONCE) })
    }

    /// Sends a file that was received.
    pub(super) async fn put(&self, mut spooled: Spooled, stored: &Stored) -> Result<()> {
        spooled.complete().await?;
        let path = spooled.path().to_owned();
        let _permit = self.sending.acquire().await.map_err(|error| Error::Away(error.to_string()))?;
        let limit = self.patience + Duration::from_secs(stored.bytes >> 20);
        self.tried("put", limit, || async {
            let pieces = file(File::open(&path).await.map_err(disk)?);
            let content = ObjectContent::new_from_stream(pieces, Some(stored.bytes));
            let name = stored.key.to_string();
            let put = self.client.put_object_content(self.bucket.as_str(), name.as_str(), content)?;
            put.part_size(PART).content_type(stored.content_type.to_owned()).build().send().await?;
            Ok(())
        })
        .await?;
        let kept = self.size(stored.key).await?;
        if kept == stored.bytes {
            Ok(())
        } else {
            Err(Error::Away(format!("the object store has {kept} bytes of {} that were sent", stored.bytes)))
        }
    }

    async fn size(&self, key: ObjectKey) -> Result<u64> {
        let name = key.to_string();
        self.tried("stat", self.patience, || async {
            let found = self.client.stat_object(self.bucket.as_str(), name.as_str())?.build().send().await?;
            Ok(found.size()?)
        })
        .await
    }

    /// Reads a range.
    pub(super) async fn get(&self, key: ObjectKey, range: Range<u64>) -> Result<Pieces> {
        let (name, length) = (key.to_string(), range.end.saturating_sub(range.start));
        let got = self.tried("get", self.patience, || async {
            let get = self.client.get_object(self.bucket.as_str(), name.as_str())?;
            let answer = get.offset(Some(range.start)).length(Some(length)).build().send().await?;
            answer.into_boxed_stream()
        });
        let (pieces, announced) = match got.await {
            Err(Error::Away(what)) if what.contains("NoSuchKey") => return Err(Error::Missing(key)),
            got => got?,
        };
        if announced != length {
            return Err(Error::Away(format!("the object store has {announced} bytes where {length} belong")));
        }
        Ok(Box::pin(Shared(Mutex::new(Box::pin(limited(pieces, length, self.patience))))))
    }

    /// Removes an object.
    pub(super) async fn remove(&self, key: ObjectKey) -> Result<()> {
        let name = key.to_string();
        self.tried("remove", self.patience, || async {
            self.client.delete_object(self.bucket.as_str(), name.as_str())?.build().send().await?;
            Ok(())
        })
        .await
    }

    /// A page of keys, in the order of their text.
    pub(super) async fn list(&self, from: Option<&str>) -> Result<Listing> {
        let names = self
            .tried("list", self.patience, || async {
                let list = self.client.list_objects(self.bucket.as_str())?;
                let list = list.prefix("f/".to_owned()).recursive(true).max_keys(PAGE).start_after(from.map(str::to_owned)).build();
                let page = list.to_stream().await.next().await.transpose()?;
                Ok(page.map_or_else(Vec::new, |page| page.contents.into_iter().map(|entry| entry.name).collect::<Vec<_>>()))
            })
            .await?;
        let keys = names.iter().filter_map(|name| name.parse().ok()).collect();
        Ok(Listing { keys, next: names.into_iter().last() })
    }

    /// Calls until it is answered, or too often.
    async fn tried<T, F>(&self, call: &'static str, limit: Duration, make: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = std::result::Result<T, S3Error>>,
    {
        let mut pause = PAUSE;
        for tried in 1.. {
            let (what, again) = match timeout(limit, make()).await {
                Ok(Ok(done)) => return Ok(done),
                Ok(Err(error)) => (chain(&error), is_passing(&error)),
                // What took that long will hardly be quicker now, and somebody waits.
                Err(_) => (format!("no answer within {} s", limit.as_secs_f32()), false),
            };
            tracing::debug!(call, tried, what, "the object store failed");
            if !again || tried >= TRIES {
                return Err(Error::Away(format!("{call}: {what}")));
            }
            sleep(pause).await;
            pause *= 4;
        }
        Err(Error::Away(call.to_owned()))
    }
}

/// Whether another try may well succeed: the store is busy, or the connection broke.
fn is_passing(error: &S3Error) -> bool {
    let is_passing = |status: u16| status == 429 || status >= 500;
    match error {
        S3Error::Network(NetworkError::ReqwestError(_)) => true,
        S3Error::S3Server(S3ServerError::InvalidServerResponse { http_status_code, .. }) => is_passing(*http_status_code),
        S3Error::Network(NetworkError::ServerError(status)) | S3Error::S3Server(S3ServerError::HttpError(status, _)) => {
            is_passing(*status)
        }
        S3Error::S3Server(S3ServerError::S3Error(answer)) => match answer.code() {
            MinioErrorCode::OtherError(code) => {
                ["SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout"].iter().any(|value| code.contains(value))
            }
            _ => false,
        },
        S3Error::Validation(_) | S3Error::DriveIo(_) => false,
    }
}

fn disk(error: io::Error) -> S3Error {
    S3Error::DriveIo(error.into())
}

/// The pieces of a file.
fn file(file: File) -> impl Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold(file, |mut file| async move {
        let mut piece = BytesMut::with_capacity(PIECE);
        let read = file.read_buf(&mut piece).await?;
        Ok((read > 0).then(|| (piece.freeze(), file)))
    })
}

/// Pieces that come in time, and as many bytes as were announced.
fn limited<S>(pieces: S, length: u64, patience: Duration) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    S: Stream<Item = io::Result<Bytes>> + Send + Unpin,
{
    stream::try_unfold((pieces, length), move |(mut pieces, left)| async move {
        let next = timeout(patience, pieces.next()).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        match next.transpose()? {
            Some(piece) => {
                let left = left.checked_sub(piece.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
                Ok(Some((piece, (pieces, left))))
            }
            None if left > 0 => Err(io::ErrorKind::UnexpectedEof.into()),
            None => Ok(None),
        }
    })
}

/// A stream that one thread at a time uses, for who asks that many could.
struct Shared<S>(Mutex<Pin<Box<S>>>);

impl<S: Stream> Stream for Shared<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().poll_next(cx)
    }
}
