//! JSON of bounded length.

use crate::shared::Fault;
use std::io::{self, Write};

/// Bytes with a bound, which is known before they are made.
#[derive(Debug)]
pub struct BoundedWriter {
    bytes: Vec<u8>,
    max: usize,
}

impl BoundedWriter {
    /// An empty one.
    pub fn new(max: usize) -> Self {
        Self { bytes: Vec::new(), max }
    }

    /// Adds a value; 422 when it does not fit.
    pub fn write_json<T: serde::Serialize>(&mut self, value: &T) -> Result<(), Fault> {
        let max = self.max;
        serde_json::to_writer(self, value).map_err(|error| {
            if error.is_io() { Fault::response_too_large(max) } else { Fault::internal(format!("serialise: {error}")) }
        })
    }

    /// Adds bytes; 422 when they do not fit.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.write_all(bytes).map_err(|_| Fault::response_too_large(self.max))
    }

    /// The bytes so far.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl Write for BoundedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.max - self.bytes.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::BoundedWriter;

    #[test]
    fn what_fits_is_written_and_the_next_byte_is_refused() {
        let mut writer = BoundedWriter::new(8);
        writer.write_json(&["ab"]).unwrap();
        assert_eq!(writer.write_json(&"a").unwrap_err().code.name(), "responseTooLarge");
        let mut writer = BoundedWriter::new(8);
        writer.write_json(&["abcd"]).unwrap();
        assert_eq!(writer.push(b",").unwrap_err().code.name(), "responseTooLarge");
        assert_eq!(writer.into_bytes(), br#"["abcd"]"#);
    }

    #[test]
    fn the_bytes_so_far_can_be_seen() {
        let mut writer = BoundedWriter::new(8);
        writer.push(b"ab").unwrap();
        writer.push(b"c").unwrap();
        assert_eq!(writer.as_slice(), b"abc");
    }
}
