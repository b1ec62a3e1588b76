//! Assets: files and their attributes, in Storyblok's names.
//!
//! ```text
//! bytes -> storage::blobs.put(key) -> Stored      the object is durable, and no row names it
//!       -> a command with the Stored -> Asset     a row names it now, under a public path: /f/{space}/{w}x{h}/{hash}/{name}
//! replaced or removed: the row names the object no more, and the janitor removes it later
//! ```

mod change;
mod key;
mod kind;
pub mod media;
pub(in crate::content) mod meta_field;
mod name;

pub use change::{AssetChange, AssetMeta, MAX_META, MAX_TEXT};
pub use key::ObjectKey;
pub use kind::FileKind;
pub use meta_field::MetaField;
pub use name::FileName;

use super::internal_tag::NamedTag;
use crate::shared::{AssetId, SpaceId};
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters of a file name that a path shows unescaped.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// A durable object, as a command needs it to write its row. The row must be written within
/// [`ObjectKey::UNCLAIMED_FOR`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The key of the object.
    pub key: ObjectKey,
    /// How many bytes it has; never 0.
    pub bytes: u64,
    /// The hash of all its bytes.
    pub sha256: [u8; 32],
    /// The type that its first bytes show; the name decides only where they show nothing.
    pub content_type: &'static str,
    /// Pixels, width and height, when it is an image.
    pub size: Option<(u32, u32)>,
}

/// The file of an asset as its row knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The key of the object.
    pub key: ObjectKey,
    /// Its name in URLs.
    pub name: FileName,
    /// How many bytes it has.
    pub bytes: u64,
    /// The hash of all its bytes.
    pub sha256: [u8; 32],
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

    /// The path that the file is served under. Stories contain it with the origin of this server before it.
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
    pub space: SpaceId,
    pub file: File,
    pub meta: AssetMeta,
    /// Those of its tags that exist, by name.
    pub internal_tags: Vec<NamedTag>,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
    /// The time at which it was moved to the trash.
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
