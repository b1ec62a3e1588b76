//! Kinds of files, by the extensions of their names: what a field takes (`filetypes`), and what lists are
//! filtered by.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// A kind of files, named as in lists of assets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum FileKind {
    Image,
    Video,
    Audio,
    /// Documents of any sort.
    Text,
    /// What has another extension, or none.
    Other,
}

impl FileKind {
    /// The kind of a file by its name.
    pub fn of(name: &str) -> Self {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default();
        Self::VARIANTS.iter().copied().find(|kind| kind.extensions().contains(&extension.as_str())).unwrap_or(Self::Other)
    }

    /// Its extensions, in lower case; none of [`Self::Other`].
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Image => &[
                "apng", "avif", "bmp", "gif", "heic", "heif", "ico", "jfif", "jpe", "jpeg", "jpg", "png", "svg", "tif", "tiff",
                "webp",
            ],
            Self::Video => &["3gp", "avi", "flv", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "webm", "wmv"],
            Self::Audio => &["aac", "aif", "aiff", "flac", "m4a", "mid", "midi", "mp3", "oga", "ogg", "opus", "wav", "wma"],
            Self::Text => &[
                "csv", "doc", "docx", "htm", "html", "ics", "json", "key", "md", "odp", "ods", "odt", "pages", "pdf", "ppt",
                "pptx", "rtf", "txt", "vcf", "xls", "xlsx", "xml", "zip",
            ],
            Self::Other => &[],
        }
    }

    /// Its word in the `filetypes` of a field; those have none for [`Self::Other`].
    pub fn in_schemas(self) -> Option<&'static str> {
        match self {
            Self::Image => Some("images"),
            Self::Video => Some("videos"),
            Self::Audio => Some("audios"),
            Self::Text => Some("texts"),
            Self::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FileKind;

    #[test]
    fn a_kind_is_read_from_the_extension() {
        for (name, kind) in [
            ("a.JPG", FileKind::Image),
            ("a.b.mp4", FileKind::Video),
            ("x.mp3", FileKind::Audio),
            ("y.pdf", FileKind::Text),
            ("z.woff2", FileKind::Other),
            ("jpg", FileKind::Other),
            ("", FileKind::Other),
        ] {
            assert_eq!(FileKind::of(name), kind, "{name}");
        }
    }
}
