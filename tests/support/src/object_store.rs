//! An object store: a real server that speaks S3, started by the first test that asks for a bucket.

use crate::{Scratch, scratch, tools};
use std::{
    path::PathBuf,
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
    sync::OnceCell,
};

/// A bucket of one test.
pub struct Bucket {
    pub name: String,
    /// The endpoint of its store.
    pub endpoint: String,
    folder: PathBuf,
}

struct ObjectStore {
    endpoint: String,
    folder: PathBuf,
}

impl Bucket {
    /// Creates an empty bucket.
    pub async fn new() -> Self {
        static STORE: OnceCell<ObjectStore> = OnceCell::const_new();
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let store = STORE.get_or_init(start).await;
        let name = format!("bucket-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = store.folder.join(&name);
        std::fs::create_dir(&folder).unwrap();
        Self { name, endpoint: store.endpoint.clone(), folder }
    }

    /// The `APP_` variables for it.
    pub fn variables(&self) -> [(&'static str, &str); 4] {
        [
            ("APP_S3_ENDPOINT", &self.endpoint),
            ("APP_S3_BUCKET", &self.name),
            ("APP_S3_ACCESS_KEY", "S3RVER"),
            ("APP_S3_SECRET_KEY", "S3RVER"),
        ]
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// It ends with this process: a shell waits for the end of its input, stops the server and removes its
/// directory.
async fn start() -> ObjectStore {
    let program = tools::repository("tests/node_modules/s3rver/bin/s3rver.js");
    assert!(program.exists(), "the S3 server of the tests is missing: run scripts/setup.sh test");
    let folder: Scratch = scratch();
    let path = folder.path().to_owned();
    std::mem::forget(folder);
    let script = r#"node "$1" -d "$2" -a 127.0.0.1 -p 0 & cat > /dev/null; kill $!; rm -rf "$2""#;
    let mut shell = Command::new("sh")
        .args(["-c", script, "store"])
        .args([&program, &path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
    let address = loop {
        let line = lines.next_line().await.unwrap().expect("the object store starts");
        if let Some((_, address)) = line.split_once("listening on ") {
            break address.trim().to_owned();
        }
    };
    // Neither end of the two pipes may be closed before this process ends.
    std::mem::forget((shell.stdin.take(), lines, shell));
    ObjectStore { endpoint: format!("http://{address}"), folder: path }
}
