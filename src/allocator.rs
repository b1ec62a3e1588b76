//! How memory goes back to the system: one setting of glibc's allocator, made before the first thread starts.
//!
//! Responses are buffers of up to some megabytes. glibc gives blocks above a threshold pages of their own,
//! which go back to the system the moment they are freed. But it raises that threshold, up to 32 MB, each
//! time that such a block is freed: from then on large buffers come out of the arenas of the threads, and one
//! small block that lives on behind them keeps all of it. After a flood of responses the server stayed at its
//! peak. A threshold that is set once stays. What smaller blocks leave in the arenas is given back after a
//! flood of responses, by a thread of its own. docs/performance.md, "Memory after a flood", compares it with
//! other allocators.

use std::{
    io,
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

/// The bytes from which on a block has pages of its own.
#[cfg(target_env = "gnu")]
const OWN_PAGES_FROM: libc::c_int = 256 * 1024;

/// Sets the threshold. With another libc it does nothing.
pub(crate) fn give_back_large_blocks() {
    #[cfg(target_env = "gnu")]
    #[expect(unsafe_code, reason = "a setting of libc")]
    // SAFETY: `mallopt` takes two numbers and keeps them. It is called before any other thread is there.
    let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_PAGES_FROM) } == 1;
    #[cfg(target_env = "gnu")]
    assert!(is_set, "glibc knows the setting");
}

/// How long the thread rests after it has given memory back, which takes some milliseconds of every arena.
const REST: Duration = Duration::from_secs(10);

/// Starts the thread that gives unused memory of the arenas back to the system. It does so each time that the
/// returned sender is sent something, and ends with it.
pub(crate) fn start_trimming() -> io::Result<SyncSender<()>> {
    // One that waits is enough: it gives back what all before it have freed.
    let (sender, wanted) = sync_channel(1);
    thread::Builder::new().name("memory".to_owned()).spawn(move || trim_when_wanted(&wanted))?;
    Ok(sender)
}

fn trim_when_wanted(wanted: &Receiver<()>) {
    let mut rests_until = Instant::now();
    while wanted.recv().is_ok() {
        // What is wanted meanwhile is done by the same call.
        let has_rested = loop {
            match wanted.recv_timeout(rests_until.saturating_duration_since(Instant::now())) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => break true,
                Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        if has_rested {
            trim();
            rests_until = Instant::now() + REST;
        }
    }
}

fn trim() {
    #[cfg(target_env = "gnu")]
    #[expect(unsafe_code, reason = "a function of libc")]
    // SAFETY: `malloc_trim` takes a number, locks each arena itself, and touches free blocks only.
    unsafe {
        libc::malloc_trim(0);
    }
}
