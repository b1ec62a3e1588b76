//! A disk that can be filled: a file system in memory with a bound, which only the process sees that runs on
//! it.

use nix::unistd::Uid;
use std::{
    fs::{self, File},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

/// The size of a disk: room for a new cluster of PostgreSQL, twice.
const SIZE: &str = "192m";

/// A disk for one process. It is mounted in a mount namespace of that process, and gone with it.
pub struct SmallDisk {
    mount_point: PathBuf,
}

impl SmallDisk {
    /// A disk that the process will see at a path.
    pub fn at(mount_point: &Path) -> Self {
        Self { mount_point: mount_point.to_owned() }
    }

    /// The path that the process sees.
    pub fn path(&self) -> &Path {
        &self.mount_point
    }

    /// What runs a program on the disk. Root makes the namespace as it is; another user becomes root in a
    /// namespace of its own, for the mount, and then itself again.
    pub fn wrapper(&self) -> Vec<String> {
        let mount = format!("mount -t tmpfs -o size={SIZE},mode=755 small-disk \"$0\"");
        let user = Uid::effective();
        let (namespaces, run) = if user.is_root() {
            ("--mount", "exec \"$@\"".to_owned())
        } else {
            ("--user --map-root-user --mount", format!("exec unshare --user --map-user={user} \"$@\""))
        };
        let mut words: Vec<String> = ["unshare"].into_iter().chain(namespaces.split(' ')).map(str::to_owned).collect();
        words.extend(["sh".to_owned(), "-c".to_owned(), format!("{mount} && {run}"), self.mount_point.display().to_string()]);
        words
    }

    /// The path at which this process finds a file on the disk of another process.
    pub fn seen_from_here(&self, process: u32, below: &str) -> PathBuf {
        let inside = self.mount_point.strip_prefix("/").unwrap();
        Path::new(&format!("/proc/{process}/root")).join(inside).join(below)
    }

    /// Fills it to the last byte.
    pub fn fill(&self, process: u32) {
        let mut file = File::create(self.seen_from_here(process, "ballast")).unwrap();
        for size in [1 << 20, 4096, 1] {
            let piece = vec![7; size];
            loop {
                match file.write_all(&piece) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    /// Makes the room free again.
    pub fn free(&self, process: u32) {
        fs::remove_file(self.seen_from_here(process, "ballast")).unwrap();
    }
}
