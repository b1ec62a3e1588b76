//! How much of a source is held in memory: a bound in bytes that everything shares which is read for one
//! import.

use super::Error;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The bound of an import, and what is held of it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ImportMemory(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: usize,
    used: AtomicUsize,
}

impl ImportMemory {
    /// A bound in bytes.
    pub fn new(limit: usize) -> Self {
        Self(Arc::new(Shared { limit, used: AtomicUsize::new(0) }))
    }

    /// Counts bytes that are about to be held. [`Error::OverMemory`] if they are over the bound.
    pub fn hold(&self, bytes: usize) -> Result<Held, Error> {
        let mut held = self.nothing();
        held.grow(bytes)?;
        Ok(held)
    }

    /// Nothing yet.
    pub fn nothing(&self) -> Held {
        Held { memory: self.clone(), bytes: 0 }
    }

    /// How many bytes are held.
    pub fn used(&self) -> usize {
        self.0.used.load(Relaxed)
    }
}

/// Bytes that are counted until this is dropped.
#[derive(Debug)]
pub struct Held {
    memory: ImportMemory,
    bytes: usize,
}

impl Held {
    /// Counts more bytes. [`Error::OverMemory`] if they are over the bound; then nothing changes.
    pub fn grow(&mut self, bytes: usize) -> Result<(), Error> {
        let Shared { limit, used } = &*self.memory.0;
        let sum = |used: usize| used.checked_add(bytes).filter(|sum| sum <= limit);
        used.fetch_update(Relaxed, Relaxed, sum).map_err(|_| Error::OverMemory)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Nothing yet, of the same import.
    #[must_use]
    pub fn another(&self) -> Self {
        self.memory.nothing()
    }

    /// Counts fewer bytes: some of them are not held any more.
    pub fn release(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.memory.0.used.fetch_sub(bytes, Relaxed);
    }

    /// Counts this many bytes from now on.
    pub fn resize(&mut self, bytes: usize) -> Result<(), Error> {
        if let Some(more) = bytes.checked_sub(self.bytes) {
            return self.grow(more);
        }
        self.release(self.bytes - bytes);
        Ok(())
    }

    /// Takes over what another one of the same import counts.
    pub fn join(&mut self, mut other: Self) {
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, ImportMemory};

    #[test]
    fn what_is_held_never_passes_the_bound_and_comes_back() {
        let memory = ImportMemory::new(100);
        let mut one = memory.hold(60).unwrap();
        assert_eq!(memory.hold(41).err(), Some(Error::OverMemory));
        assert_eq!(one.grow(usize::MAX), Err(Error::OverMemory));
        let two = memory.hold(40).unwrap();
        one.join(two);
        assert_eq!(memory.used(), 100);
        one.resize(30).unwrap();
        one.release(10);
        assert_eq!(memory.used(), 20);
        assert_eq!(one.resize(101), Err(Error::OverMemory));
        drop(one);
        assert_eq!(memory.used(), 0);
    }
}
