//! The store of objects, on its own.

use bytes::Bytes;
use domain::{
    content::asset::{FileName, ObjectKey},
    shared::{Code, Fault, SpaceId},
};
use futures_util::{StreamExt, TryStreamExt, poll, stream};
use std::{
    pin::pin,
    sync::atomic::{AtomicBool, Ordering},
};
use storage::{
    IsThere,
    blobs::{BlobSettings, Blobs, Error, S3Settings},
};
use support::{Bucket, clock, entropy, prelude::*};

const LIMIT: u64 = 1 << 20;

async fn on_disk(directory: &Path) -> Blobs {
    on_disk_while(directory, Arc::new(|| true)).await
}

async fn on_disk_while(directory: &Path, is_there: IsThere) -> Blobs {
    Blobs::open(BlobSettings { directory: directory.to_owned(), s3: None, max_bytes: LIMIT, is_there }).await.unwrap()
}

fn key(space: i64, seed: u64) -> ObjectKey {
    ObjectKey::new(SpaceId(space), clock().now(), entropy(seed).as_ref())
}

fn pieces(bytes: &[u8]) -> impl futures_util::Stream<Item = Result<Bytes, Fault>> + Send + use<> {
    let all: Vec<_> = bytes.chunks(1000).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
    stream::iter(all)
}

async fn read(blobs: &Blobs, key: ObjectKey, range: std::ops::Range<u64>) -> Vec<u8> {
    let pieces: Vec<Bytes> = blobs.get(key, range).await.unwrap().try_collect().await.unwrap();
    pieces.concat()
}

/// Every file below a directory.
fn files(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.file_name().into_string().unwrap());
        }
    }
    found
}

#[tokio::test]
async fn an_object_comes_back_whole_and_in_part() {
    let scratch: Scratch = scratch();
    let blobs = on_disk(scratch.path()).await;
    let bytes: Vec<u8> = (0..200_000_u32).map(|value| u8::try_from(value % 251).unwrap()).collect();
    let (one, name) = (key(7, 1), FileName::of("a.bin"));
    let stored = blobs.put(one, &name, pieces(&bytes)).await.unwrap();
    assert_eq!((stored.key, stored.bytes, stored.content_type), (one, 200_000, "application/octet-stream"));
    assert_eq!(read(&blobs, one, 0..200_000).await, bytes);
    assert_eq!(read(&blobs, one, 70_000..140_001).await, bytes[70_000..140_001]);

    let other = key(8, 2);
    blobs.put(other, &name, pieces(b"x")).await.unwrap();
    let first = blobs.list(None).await.unwrap();
    assert_eq!(first.keys, [one]);
    let second = blobs.list(first.next.as_deref()).await.unwrap();
    assert_eq!((second.keys.as_slice(), second.next), (&[other][..], None));

    blobs.remove(one).await.unwrap();
    blobs.remove(one).await.unwrap();
    assert!(matches!(blobs.get(one, 0..1).await, Err(Error::Missing(missing)) if missing == one));
    assert_eq!(files(scratch.path()), [other.hash().to_string()]);
}

/// The directory of another server may be in its place, with objects that this one knows nothing of.
#[tokio::test]
async fn nothing_is_stored_or_removed_while_the_directory_is_not_in_its_place() {
    let scratch: Scratch = scratch();
    let is_there = Arc::new(AtomicBool::new(true));
    let asked = Arc::clone(&is_there);
    let blobs = on_disk_while(scratch.path(), Arc::new(move || asked.load(Ordering::Relaxed))).await;
    let (one, other, name) = (key(7, 1), key(7, 2), FileName::of("a.bin"));
    blobs.put(one, &name, pieces(b"x")).await.unwrap();
    is_there.store(false, Ordering::Relaxed);
    assert!(matches!(blobs.put(other, &name, pieces(b"y")).await, Err(Error::Unavailable(_))));
    assert!(matches!(blobs.put_bytes(other, &name, &Bytes::from_static(b"y")).await, Err(Error::Unavailable(_))));
    assert!(matches!(blobs.remove(one).await, Err(Error::Unavailable(_))));
    assert_eq!(files(scratch.path()), [one.hash().to_string()]);

    // It goes while an object is received.
    is_there.store(true, Ordering::Relaxed);
    let goes = Arc::clone(&is_there);
    let last = stream::once(async move {
        goes.store(false, Ordering::Relaxed);
        Ok(Bytes::from_static(b"y"))
    });
    assert!(matches!(blobs.put(other, &name, last).await, Err(Error::Unavailable(_))));
    assert_eq!(files(scratch.path()), [one.hash().to_string()]);
    is_there.store(true, Ordering::Relaxed);
    blobs.remove(one).await.unwrap();
    assert_eq!(files(scratch.path()), [""; 0]);
}

/// Pieces of so many bytes, each after so long.
fn dripping(bytes: usize, each: Duration) -> impl futures_util::Stream<Item = Result<Bytes, Fault>> + Send {
    stream::repeat_with(move || Bytes::from(vec![1; bytes])).then(move |piece| async move {
        tokio::time::sleep(each).await;
        Ok(piece)
    })
}

#[tokio::test(start_paused = true)]
async fn a_client_that_sends_almost_nothing_does_not_hold_a_permit() {
    let scratch = scratch();
    let blobs = on_disk(scratch.path()).await;
    let began = tokio::time::Instant::now();
    for (number, (bytes, each)) in [(1, 11), (1, 5), (1_000, 1)].into_iter().enumerate() {
        let pieces = dripping(bytes, Duration::from_secs(each));
        let ended = blobs.put(key(1, u64::try_from(number).unwrap()), &FileName::of("a"), pieces).await;
        assert!(matches!(ended, Err(Error::Sender(_))), "{ended:?}");
    }
    assert!(began.elapsed() < Duration::from_secs(32));
    let slow = dripping(20_000, Duration::from_secs(1)).take(30);
    assert_eq!(blobs.put(key(1, 9), &FileName::of("a"), slow).await.unwrap().bytes, 600_000);
}

#[tokio::test]
async fn a_refused_upload_leaves_nothing() {
    let scratch = scratch();
    let blobs = on_disk(scratch.path()).await;
    let name = FileName::of("a");
    let just_right = vec![1; usize::try_from(LIMIT).unwrap()];
    assert!(blobs.put(key(1, 1), &name, pieces(&just_right)).await.is_ok());
    blobs.remove(key(1, 1)).await.unwrap();

    let too_large = [just_right, vec![1]].concat();
    assert!(matches!(blobs.put(key(1, 2), &name, pieces(&too_large)).await, Err(Error::TooLarge { limit: LIMIT })));
    assert!(matches!(blobs.put(key(1, 3), &name, pieces(b"")).await, Err(Error::Empty)));
    let broken = pieces(b"begin").chain(stream::iter([Err(Fault::new(Code::BodyBroken, "gone"))]));
    assert!(matches!(blobs.put(key(1, 4), &name, broken).await, Err(Error::Sender(_))));
    let (begun, begins) = tokio::sync::oneshot::channel();
    let rest = stream::once(async move {
        begun.send(()).unwrap();
        std::future::pending().await
    });
    tokio::select! {
        _ = blobs.put(key(1, 5), &name, pieces(b"begin").chain(rest)) => panic!("it has no end"),
        begun = begins => begun.unwrap(),
    }
    assert_eq!(files(scratch.path()), [""; 0], "its caller left");
}

#[test]
fn an_upload_whose_caller_leaves_while_its_file_is_made_leaves_nothing() {
    let scratch = scratch();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let blobs = on_disk(scratch.path()).await;
        let name = FileName::of("a");
        for number in 0..50 {
            let mut put = pin!(blobs.put(key(1, number), &name, pieces(b"begin").chain(stream::pending())));
            assert!(poll!(&mut put).is_pending());
        }
    });
    // Waits for what has begun.
    drop(runtime);
    assert_eq!(files(scratch.path()), [""; 0]);
}

#[tokio::test]
async fn a_start_removes_the_uploads_of_a_killed_process() {
    let scratch = scratch();
    let incoming = scratch.path().join("incoming");
    std::fs::create_dir_all(&incoming).unwrap();
    std::fs::write(incoming.join("half"), "half").unwrap();
    on_disk(scratch.path()).await;
    assert_eq!(files(scratch.path()), [""; 0]);
}

/// A store that answers each request as a test says, by its method.
async fn faulty(answer: impl Fn(&str, usize) -> Option<String> + Send + Sync + 'static) -> (String, tokio::task::JoinSet<()>) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let mut serving = tokio::task::JoinSet::new();
    serving.spawn(async move {
        for number in 0.. {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut seen = Vec::new();
            let wanted = loop {
                stream.read_buf(&mut seen).await.unwrap();
                let text = String::from_utf8_lossy(&seen);
                if let Some((head, _)) = text.split_once("\r\n\r\n") {
                    let length = head.to_lowercase().split("content-length: ").nth(1).and_then(|n| n.lines().next()?.parse().ok());
                    break head.len() + 4 + length.unwrap_or(0_usize);
                }
            };
            while seen.len() < wanted {
                stream.read_buf(&mut seen).await.unwrap();
            }
            let method = String::from_utf8_lossy(&seen).split(' ').next().unwrap().to_owned();
            match answer(&method, number) {
                Some(answer) => stream.write_all(answer.as_bytes()).await.unwrap(),
                None => std::future::pending::<()>().await,
            }
        }
    });
    (endpoint, serving)
}

fn says(status: &str, length: usize) -> String {
    format!("HTTP/1.1 {status}\r\netag: \"x\"\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n")
}

async fn in_store(directory: &Path, endpoint: &str, timeout: Duration) -> Blobs {
    let s3 = S3Settings {
        endpoint: endpoint.to_owned(),
        bucket: "bucket".into(),
        region: "us-east-1".into(),
        access_key: "a".into(),
        secret_key: "s".into(),
        timeout,
    };
    Blobs::open(BlobSettings { directory: directory.to_owned(), s3: Some(s3), max_bytes: 20 << 20, is_there: Arc::new(|| true) })
        .await
        .unwrap()
}

#[tokio::test]
async fn a_store_that_is_busy_is_asked_again() {
    let scratch = scratch();
    let (endpoint, _serving) = faulty(|method, number| match (method, number) {
        ("PUT", 0) => Some(says("503 Slow Down", 0)),
        ("PUT", _) => Some(says("200 OK", 0)),
        _ => Some(says("200 OK", 5)),
    })
    .await;
    let blobs = in_store(scratch.path(), &endpoint, PATIENCE).await;
    blobs.put(key(1, 1), &FileName::of("a"), pieces(b"12345")).await.unwrap();
    assert_eq!(files(scratch.path()), [""; 0]);
}

#[tokio::test]
async fn a_store_that_fails_lies_or_is_silent_is_away_and_nothing_is_kept() {
    let refused = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (fails, _a) = faulty(|_, _| Some(says("500 Internal Server Error", 0))).await;
    let (keeps_nothing, _b) =
        faulty(|method, _| Some(if method == "PUT" { says("200 OK", 0) } else { says("404 Not Found", 0) })).await;
    let (keeps_half, _c) = faulty(|method, _| Some(says("200 OK", if method == "PUT" { 0 } else { 2 }))).await;
    let (silent, _d) = faulty(|_, _| None).await;
    let (denies, _e) = faulty(|_, _| Some(says("403 Forbidden", 0))).await;
    for endpoint in [format!("http://{refused}"), fails, keeps_nothing, keeps_half, silent, denies] {
        let scratch = scratch();
        let blobs = in_store(scratch.path(), &endpoint, Duration::from_millis(500)).await;
        let outcome = blobs.put(key(1, 1), &FileName::of("a"), pieces(b"12345")).await;
        assert!(matches!(outcome, Err(Error::Unavailable(_))), "{outcome:?}");
        assert!(blobs.get(key(1, 1), 0..3).await.is_err());
        assert_eq!((files(scratch.path()).len(), blobs.counts().failed), (0, 2));
    }
}

#[tokio::test]
async fn an_object_that_ends_too_soon_is_an_error_and_not_an_end() {
    let scratch = scratch();
    let (endpoint, _serving) = faulty(|_, _| Some(says("206 Partial Content", 5) + "12")).await;
    let blobs = in_store(scratch.path(), &endpoint, PATIENCE).await;
    let got: Result<Vec<Bytes>, _> = blobs.get(key(1, 1), 0..5).await.unwrap().try_collect().await;
    assert!(got.is_err(), "the connection is silent after two of five bytes");
}

#[tokio::test]
async fn a_large_object_goes_to_the_store_in_parts() {
    let (scratch, bucket) = (scratch(), Bucket::new().await);
    let s3 = S3Settings {
        endpoint: bucket.endpoint.clone(),
        bucket: bucket.name.clone(),
        region: "us-east-1".into(),
        access_key: "S3RVER".into(),
        secret_key: "S3RVER".into(),
        timeout: Duration::from_secs(20),
    };
    let blobs = Blobs::open(BlobSettings {
        directory: scratch.path().to_owned(),
        s3: Some(s3),
        max_bytes: 20 << 20,
        is_there: Arc::new(|| true),
    })
    .await
    .unwrap();
    let bytes: Vec<u8> = (0..12_000_000_u32).map(|value| u8::try_from(value % 249).unwrap()).collect();
    let one = key(5, 1);
    let stored = blobs.put(one, &FileName::of("a.bin"), pieces(&bytes)).await.unwrap();
    assert_eq!(stored.bytes, 12_000_000);
    assert!(read(&blobs, one, 0..12_000_000).await == bytes, "it comes back as it was");
    assert_eq!(read(&blobs, one, 5_000_000..5_300_000).await, bytes[5_000_000..5_300_000]);
    assert_eq!(blobs.list(None).await.unwrap().keys, [one]);
    blobs.remove(one).await.unwrap();
    assert_eq!(blobs.list(None).await.unwrap().keys, []);
    assert!(matches!(blobs.get(one, 0..1).await, Err(Error::Missing(_))));
}
