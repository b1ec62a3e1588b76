//! What is found out about an object while its bytes pass by: length, hash, content type and size in pixels.

use bytes::BytesMut;
use domain::content::asset::{FileName, ObjectKey, Stored, media};
use sha2::{Digest, Sha256};

/// How many first bytes are kept to find the size of an image. A JPEG may have a preview and a colour profile
/// before it.
const HEAD: usize = 256 << 10;

/// The state of an inspection.
#[derive(Default)]
pub(super) struct Inspection {
    bytes: u64,
    hash: Sha256,
    head: BytesMut,
}

impl Inspection {
    /// Adds the next chunk.
    pub(super) fn update(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        self.hash.update(chunk);
        let room = HEAD.saturating_sub(self.head.len());
        self.head.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
    }

    /// How many bytes there were so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The result.
    pub(super) fn finish(self, key: ObjectKey, name: &FileName) -> Stored {
        let content_type = media::content_type(&self.head, name);
        let size = match content_type {
            "image/svg+xml" => media::svg_size(&self.head),
            image if image.starts_with("image/") => pixels(&self.head),
            _ => None,
        };
        Stored { key, bytes: self.bytes, sha256: self.hash.finalize().into(), content_type, size }
    }
}

/// The width and height in the header of an image. Nothing is decoded, so an image of a billion pixels costs
/// no more than a small one.
fn pixels(head: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(head).ok()?;
    let whole = |value: usize| u32::try_from(value).ok().filter(|value| *value > 0 && *value <= i32::MAX.unsigned_abs());
    Some((whole(size.width)?, whole(size.height)?))
}

#[cfg(test)]
mod tests {
    use super::Inspection;
    use domain::{
        content::asset::{FileName, ObjectKey},
        shared::SpaceId,
    };
    use uuid::Uuid;

    const GIF: &[u8] =
        b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\0\0\0\0\0,\0\0\0\0\x03\0\x02\0\0\x02\x03\x84\x6f\x05\0;";

    #[test]
    fn chunks_of_any_size_inspection_the_same() {
        let key = ObjectKey { space: SpaceId(1), id: Uuid::nil() };
        for size in [1, 3, 7, GIF.len()] {
            let mut inspection = Inspection::default();
            GIF.chunks(size).for_each(|chunk| inspection.update(chunk));
            let stored = inspection.finish(key, &FileName::of("a.png"));
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
            let mut inspection = Inspection::default();
            inspection.update(head);
            assert_eq!(inspection.finish(key, &FileName::of("a")).size, None);
        }
    }
}
