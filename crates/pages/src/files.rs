//! The files that pages load: style sheet, script and icon. They are part of the binary, and their names hold
//! a hash of their content, so that browsers keep them for good.

use rust_embed::Embed;
use std::{borrow::Cow, fmt::Write, sync::LazyLock};

/// Where the server serves them.
pub const PREFIX: &str = "/assets/pages/";

#[derive(Embed)]
#[folder = "files"]
struct Embedded;

/// A file.
pub struct File {
    /// `pages.0123456789abcdef.css`
    pub name: String,
    pub content_type: &'static str,
    /// What is in it.
    pub content: Cow<'static, [u8]>,
    /// The name in the repository.
    source: String,
}

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| Embedded::iter().filter_map(|source| read(&source)).collect());

/// Every file.
pub fn all() -> &'static [File] {
    &FILES
}

/// The URL of a file, by its name in the repository.
pub(crate) fn url(source: &str) -> String {
    let name = FILES.iter().find(|file| file.source == source).map_or(source, |file| &file.name);
    format!("{PREFIX}{name}")
}

fn read(source: &str) -> Option<File> {
    let file = Embedded::get(source)?;
    let (stem, extension) = source.rsplit_once('.')?;
    let content_type = match extension {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    let mut hash = String::new();
    for byte in file.metadata.sha256_hash().iter().take(8) {
        // Writing into a text never fails.
        let _ = write!(hash, "{byte:02x}");
    }
    Some(File { name: format!("{stem}.{hash}.{extension}"), content_type, content: file.data, source: source.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{FILES, all, url};

    #[test]
    fn each_file_is_embedded_and_named_by_its_content() {
        assert_eq!(all().len(), 8);
        for source in ["pages.css", "console.css", "api.css", "docs.css", "pages.js", "console.js", "api.js", "icon.svg"] {
            let url = url(source);
            let (stem, extension) = source.rsplit_once('.').unwrap();
            let hash = url.strip_prefix(&format!("/assets/pages/{stem}.")).unwrap().strip_suffix(&format!(".{extension}")).unwrap();
            assert_eq!(hash.len(), 16, "{url}");
        }
        assert!(FILES.iter().all(|file| !file.content.is_empty()));
    }
}
