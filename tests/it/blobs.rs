//! The store of objects, on its own.

use crate::support::{Scratch, clock, entropy, scratch};
use bytes::Bytes;
use domain::{
    content::asset::{FileName, ObjectKey},
    shared::{Clock, Fault, SpaceId},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::path::Path;
use storage::blobs::{Blobs, Error, Settings};

const LIMIT: u64 = 1 << 20;

async fn on_disk(directory: &Path) -> Blobs {
    Blobs::open(Settings { directory: directory.to_owned(), s3: None, max_bytes: LIMIT }).await.unwrap()
}

fn key(space: i64, seed: u64) -> ObjectKey {
    ObjectKey::new(SpaceId(space), clock().now(), entropy(seed).as_ref())
}

fn pieces(bytes: &[u8]) -> impl futures_util::Stream<Item = Result<Bytes, Fault>> + Send + use<> {
    let all: Vec<_> = bytes.chunks(1000).map(|it| Ok(Bytes::copy_from_slice(it))).collect();
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
    let bytes: Vec<u8> = (0..200_000_u32).map(|it| u8::try_from(it % 251).unwrap()).collect();
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

#[tokio::test]
async fn what_is_refused_leaves_nothing() {
    let scratch = scratch();
    let blobs = on_disk(scratch.path()).await;
    let name = FileName::of("a");
    let just_right = vec![1; usize::try_from(LIMIT).unwrap()];
    assert!(blobs.put(key(1, 1), &name, pieces(&just_right)).await.is_ok());
    blobs.remove(key(1, 1)).await.unwrap();

    let too_large = [just_right, vec![1]].concat();
    assert!(matches!(blobs.put(key(1, 2), &name, pieces(&too_large)).await, Err(Error::TooLarge { limit: LIMIT })));
    assert!(matches!(blobs.put(key(1, 3), &name, pieces(b"")).await, Err(Error::Empty)));
    let broken = pieces(b"begin").chain(stream::iter([Err(Fault::bad_request("bodyBroken", "gone"))]));
    assert!(matches!(blobs.put(key(1, 4), &name, broken).await, Err(Error::Sender(_))));
    let endless = pieces(b"begin").chain(stream::pending());
    let dropped = tokio::time::timeout(std::time::Duration::from_millis(20), blobs.put(key(1, 5), &name, endless)).await;
    assert!(dropped.is_err(), "its caller left");
    assert_eq!(files(scratch.path()), [""; 0]);
}

#[tokio::test]
async fn a_start_removes_what_a_killed_process_was_receiving() {
    let scratch = scratch();
    let incoming = scratch.path().join("incoming");
    std::fs::create_dir_all(&incoming).unwrap();
    std::fs::write(incoming.join("half"), "half").unwrap();
    on_disk(scratch.path()).await;
    assert_eq!(files(scratch.path()), [""; 0]);
}
