//! The types of files that a field takes, by the extensions of their names.

use serde_json::Value;

/// The types by the words of `filetypes`, each with its extensions.
const KINDS: [(&str, &[&str]); 4] = [
    (
        "images",
        &["apng", "avif", "bmp", "gif", "heic", "heif", "ico", "jfif", "jpe", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"],
    ),
    ("videos", &["3gp", "avi", "flv", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "webm", "wmv"]),
    ("audios", &["aac", "aif", "aiff", "flac", "m4a", "mid", "midi", "mp3", "oga", "ogg", "opus", "wav", "wma"]),
    (
        "texts",
        &[
            "csv", "doc", "docx", "htm", "html", "ics", "json", "key", "md", "odp", "ods", "odt", "pdf", "pages", "ppt", "pptx",
            "rtf", "txt", "vcf", "xls", "xlsx", "xml", "zip",
        ],
    ),
];

/// The types that a field takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FileKinds {
    /// None for all.
    allowed: Vec<String>,
}

impl FileKinds {
    pub(super) fn read(filetypes: Option<&Value>) -> Self {
        let listed = filetypes.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Self { allowed: listed.iter().filter_map(Value::as_str).filter(|word| !word.is_empty()).map(str::to_owned).collect() }
    }

    /// Whether a file may be here. One whose type its name does not tell may be anything.
    pub(super) fn allow(&self, filename: &str) -> bool {
        let path = filename.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let Some((_, extension)) = name.rsplit_once('.') else { return true };
        let extension = extension.to_ascii_lowercase();
        let kind = KINDS.iter().find(|(_, extensions)| extensions.contains(&extension.as_str()));
        self.allowed.is_empty() || kind.is_none_or(|(word, _)| self.allowed.iter().any(|allowed| allowed == word))
    }

    /// The types in words.
    pub(super) fn words(&self) -> String {
        self.allowed.join(", ")
    }
}
