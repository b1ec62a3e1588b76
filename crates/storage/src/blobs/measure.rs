//! What is learned of an object while its bytes pass.

use bytes::BytesMut;
use domain::content::asset::{FileName, ObjectKey, Stored, media};
use sha2::{Digest, Sha256};

/// How many first bytes are kept to find the size of an image; a JPEG may have a preview and a colour profile before it.
const HEAD: usize = 256 << 10;

/// Counts, hashes, and keeps the first bytes.
#[derive(Default)]
pub(super) struct Measure {
    bytes: u64,
    hash: Sha256,
    head: BytesMut,
}

impl Measure {
    /// The next piece.
    pub(super) fn take(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        self.hash.update(piece);
        let room = HEAD.saturating_sub(self.head.len());
        self.head.extend_from_slice(piece.get(..room).unwrap_or(piece));
    }

    /// How many bytes passed.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// All that was learned.
    pub(super) fn finish(self, key: ObjectKey, name: &FileName) -> Stored {
        let content_type = media::content_type(&self.head, name);
        let size = match content_type {
            "image/svg+xml" => media::svg_size(&self.head),
            it if it.starts_with("image/") => pixels(&self.head),
            _ => None,
        };
        Stored { key, bytes: self.bytes, sha256: self.hash.finalize().into(), content_type, size }
    }
}

/// What the header of an image says; nothing is decoded, so a picture of a billion pixels costs nothing.
fn pixels(head: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(head).ok()?;
    let whole = |value: usize| u32::try_from(value).ok().filter(|value| *value > 0 && *value <= i32::MAX.unsigned_abs());
    Some((whole(size.width)?, whole(size.height)?))
}

#[cfg(test)]
mod tests {
    use super::Measure;
    use domain::{
        content::asset::{FileName, ObjectKey},
        shared::SpaceId,
    };
    use uuid::Uuid;

    const GIF: &[u8] =
        b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\0\0\0\0\0,\0\0\0\0\x03\0\x02\0\0\x02\x03\x84\x6f\x05\0;";

    #[test]
    fn pieces_of_any_size_measure_the_same() {
        let key = ObjectKey { space: SpaceId(1), id: Uuid::nil() };
        for size in [1, 3, 7, GIF.len()] {
            let mut measure = Measure::default();
            GIF.chunks(size).for_each(|piece| measure.take(piece));
            let stored = measure.finish(key, &FileName::of("a.png"));
            assert_eq!((stored.bytes, stored.content_type, stored.size), (GIF.len() as u64, "image/gif", Some((3, 2))));
        }
    }

    #[test]
    fn a_broken_image_has_no_size() {
        let key = ObjectKey { space: SpaceId(1), id: Uuid::nil() };
        for head in [
            &b"\x89PNG\r\n\x1a\n"[..],
            b"\xff\xd8\xff",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff",
            b"GIF89a",
        ] {
            let mut measure = Measure::default();
            measure.take(head);
            assert_eq!(measure.finish(key, &FileName::of("a")).size, None);
        }
    }
}
