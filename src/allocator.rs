//! How memory goes back to the system: one setting of glibc's allocator, made before the first thread starts.
//!
//! Responses are buffers of up to some megabytes. glibc gives blocks above a threshold pages of their own, which go back to the system the moment
//! they are freed. But it raises that threshold, up to 32 MB, each time that such a block is freed: from then on large buffers come out of the
//! arenas of the threads, and one small block that lives on behind them keeps all of it. After a flood of responses the server stayed at its peak.
//! A threshold that is set once stays. docs/performance.md, "Memory after a flood", compares it with other allocators.

/// Blocks of at least so many bytes have pages of their own.
#[cfg(target_env = "gnu")]
const OWN_PAGES_FROM: libc::c_int = 256 * 1024;

/// Sets the threshold. With another libc it does nothing.
pub(crate) fn give_back_large_blocks() {
    #[cfg(target_env = "gnu")]
    #[expect(unsafe_code, reason = "a setting of libc")]
    // SAFETY: `mallopt` takes two numbers and keeps them. It is called before any other thread is there.
    let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_PAGES_FROM) } == 1;
    #[cfg(target_env = "gnu")]
    debug_assert!(is_set, "glibc knows the setting");
}
