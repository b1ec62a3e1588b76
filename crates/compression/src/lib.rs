//! Bodies of responses, compressed.
//!
//! Compressors are generic, and so compiled in the crate that calls them. This crate calls them, so they are
//! compiled once, and with optimisation whatever the level of `routes` is.

use flate2::{Compression, write::GzEncoder};
use std::io::{self, Read, Write};

/// The level at which more time makes JSON hardly smaller.
const QUALITY: u32 = 5;
/// The binary logarithm of how far back a repetition is found.
const WINDOW: u32 = 20;
/// The bytes of each step.
const STEP: usize = 16 << 10;
/// The level at which more time makes JSON hardly smaller.
const LEVEL: Compression = Compression::new(6);

/// A body in Brotli (RFC 7932), about as small as it gets in a few milliseconds for 100 KB.
pub fn brotli(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), STEP, QUALITY, WINDOW);
    writer.write_all(body)?;
    writer.flush()?;
    Ok(writer.into_inner())
}

/// A body in gzip (RFC 1952), about as small as it gets in a few milliseconds for 100 KB.
pub fn gzip(body: &[u8]) -> io::Result<Vec<u8>> {
    gzip_at(body, LEVEL)
}

/// What gzip holds.
pub fn gunzip(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(packed).read_to_end(&mut plain)?;
    Ok(plain)
}

/// A file in gzip, as small as it gets: for those that are compressed once and sent often.
pub fn smallest_gzip(file: &[u8]) -> io::Result<Vec<u8>> {
    gzip_at(file, Compression::best())
}

fn gzip_at(body: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut writer = GzEncoder::new(Vec::new(), level);
    writer.write_all(body)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::{brotli, gzip, smallest_gzip};
    use std::io::{Read, Result};

    #[test]
    fn what_is_compressed_is_smaller_and_comes_out_the_same() {
        let body = "{\"name\":\"Lectern\"}".repeat(1_000).into_bytes();
        let read = |mut plain: Box<dyn Read + '_>| -> Result<Vec<u8>> {
            let mut all = Vec::new();
            plain.read_to_end(&mut all).map(|_| all)
        };
        let small = brotli(&body).unwrap();
        assert!(small.len() * 20 < body.len());
        assert_eq!(read(Box::new(brotli::Decompressor::new(&*small, 4096))).unwrap(), body);
        for small in [gzip(&body).unwrap(), smallest_gzip(&body).unwrap()] {
            assert!(small.len() * 20 < body.len());
            assert_eq!(read(Box::new(flate2::read::GzDecoder::new(&*small))).unwrap(), body);
        }
    }
}
