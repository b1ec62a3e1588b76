//! Assets: files, and what is told about them, in the names of the hosted service (facts, section 2.10).
//!
//! ```text
//! bytes -> storage::blobs.put(key) -> Stored      the object is durable, and nobody knows it
//!       -> a write with the Stored -> Asset       now a row points at it, under a public path: /f/{space}/{w}x{h}/{hash}/{name}
//! replaced or removed: the row lets go of the object, and the janitor takes it away later
//! ```

mod change;
mod key;
pub mod media;
mod name;

pub use change::{AssetChange, AssetMeta, MAX_META, MAX_TEXT};
pub use key::ObjectKey;
pub use name::FileName;

use crate::shared::{AssetId, SpaceId};
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What a path shows as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// An object that is durable: what a write needs to point a row at it. It has to be given a row within [`ObjectKey::UNCLAIMED_FOR`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Where it lies.
    pub key: ObjectKey,
    /// How many bytes it has; never 0.
    pub bytes: u64,
    /// Of all its bytes.
    pub sha256: [u8; 32],
    /// What its bytes say it is; a name is believed only where bytes say nothing.
    pub content_type: &'static str,
    /// Pixels, width and height, when it is an image.
    pub size: Option<(u32, u32)>,
}

/// The file of an asset as its row knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it lies.
    pub key: ObjectKey,
    /// Its name in URLs.
    pub name: FileName,
    /// How many bytes it has.
    pub bytes: u64,
    /// Of all its bytes.
    pub sha256: [u8; 32],
    /// What it is.
    pub content_type: String,
    /// Pixels, width and height, when it is an image.
    pub size: Option<(u32, u32)>,
}

impl File {
    /// A stored object under a name.
    pub fn new(stored: &Stored, name: FileName) -> Self {
        let Stored { key, bytes, sha256, content_type, size } = stored.clone();
        Self { key, name, bytes, sha256, content_type: content_type.to_owned(), size }
    }

    /// The hash of its bytes in lower case hexadecimal.
    pub fn hash_text(&self) -> String {
        hex(&self.sha256)
    }

    /// The path it is served under. Stories name it with the origin of this server before it.
    pub fn path(&self) -> String {
        path_of(self.key, &self.name, self.size)
    }
}

/// The path that a file is served under.
pub fn path_of(key: ObjectKey, name: &FileName, size: Option<(u32, u32)>) -> String {
    let (space, hash) = (key.space, key.hash());
    let name = utf8_percent_encode(name.as_str(), PLAIN);
    match size {
        Some((width, height)) => format!("/f/{space}/{width}x{height}/{hash}/{name}"),
        None => format!("/f/{space}/{hash}/{name}"),
    }
}

/// A hash in lower case hexadecimal.
pub fn hex(hash: &[u8; 32]) -> String {
    hash.iter().fold(String::with_capacity(64), |text, byte| text + &format!("{byte:02x}"))
}

/// An asset as it is stored.
#[derive(Debug, Clone)]
pub struct Asset {
    /// Its number; it stays when the file is replaced.
    pub id: AssetId,
    /// Its space.
    pub space: SpaceId,
    /// Its file.
    pub file: File,
    /// What is told about it.
    pub meta: AssetMeta,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When it was put into the trash.
    pub deleted_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::{File, FileName, ObjectKey};
    use crate::shared::SpaceId;
    use uuid::Uuid;

    #[test]
    fn a_path_has_the_pixels_of_an_image_and_a_name_that_any_url_can_hold() {
        let path = |size, name: &str| {
            let key = ObjectKey { space: SpaceId(7), id: Uuid::from_u128(0xab) };
            let name = FileName::of(name);
            File { key, name, bytes: 1, sha256: [0; 32], content_type: "image/png".into(), size }.path()
        };
        assert_eq!(path(Some((600, 400)), "a.png"), "/f/7/600x400/000000000000000000000000000000ab/a.png");
        assert_eq!(path(None, "ü b.pdf"), "/f/7/000000000000000000000000000000ab/%C3%BC-b.pdf");
    }
}
