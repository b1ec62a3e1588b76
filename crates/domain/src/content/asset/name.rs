//! Names of files, made safe for a path, a header and a shell.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The most characters of a name.
const MAX: usize = 120;
/// The most characters of an extension, which is kept when a name is cut.
const MAX_EXTENSION: usize = 12;

/// The name of a file: letters, digits, `.`, `-` and `_`; no path, no leading dot, never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(String);

impl FileName {
    /// The safe form of a name. A path before it, up to the last slash or backslash, is removed; a run of
    /// unsafe characters becomes one dash. Accents that come as characters of their own, as macOS writes
    /// them, become one with their letter (Unicode NFC).
    pub fn of(raw: &str) -> Self {
        let last = raw.rsplit(['/', '\\']).next().unwrap_or_default();
        let mut name = String::new();
        for letter in last.nfc() {
            // A mark that makes no one character with its letter stays behind it.
            let is_mark =
                is_combining_mark(letter) && name.ends_with(|before: char| before.is_alphanumeric() || is_combining_mark(before));
            let letter = if letter.is_alphanumeric() || is_mark || letter == '.' || letter == '_' { letter } else { '-' };
            let doubles = (letter == '-' || letter == '.') && name.ends_with(letter);
            if !doubles {
                name.push(letter);
            }
        }
        let name = name.trim_start_matches(['.', '-']).trim_end_matches(['.', '-']);
        if name.is_empty() {
            return Self("file".to_owned());
        }
        Self(cut(name))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part behind the last dot, in lower case.
    pub fn extension(&self) -> Option<String> {
        self.0.rsplit_once('.').map(|(_, r)| r.to_ascii_lowercase())
    }
}

fn cut(name: &str) -> String {
    if name.chars().count() <= MAX {
        return name.to_owned();
    }
    match name.rsplit_once('.').filter(|(_, extension)| extension.chars().count() <= MAX_EXTENSION) {
        Some((stem, extension)) => {
            let stem: String = stem.chars().take(MAX - 1 - extension.chars().count()).collect();
            format!("{}.{extension}", stem.trim_end_matches(['.', '-']))
        }
        None => name.chars().take(MAX).collect::<String>().trim_end_matches(['.', '-']).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::FileName;
    use proptest::prelude::*;
    use unicode_normalization::char::is_combining_mark;

    #[test]
    fn odd_names_become_safe_ones() {
        for (raw, name) in [
            ("Photo 1.JPG", "Photo-1.JPG"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\boot.ini", "boot.ini"),
            ("a.png\0.html", "a.png-.html"),
            ("a\r\nSet-Cookie: x.png", "a-Set-Cookie-x.png"),
            ("\u{202e}gnp.exe", "gnp.exe"),
            ("über größe.svg", "über-größe.svg"),
            ("u\u{308}ber gro\u{308}ße.svg", "über-größe.svg"),
            ("q\u{308}.svg", "q\u{308}.svg"),
            ("\u{308}a.svg", "a.svg"),
            ("\u{c00}\u{1da00}", "\u{c00}\u{1da00}"),
            (".htaccess", "htaccess"),
            ("...", "file"),
            ("", "file"),
            ("a//", "file"),
            ("a\"b';<c>.gif", "a-b-c-.gif"),
            ("a%2e%2e%2fb", "a-2e-2e-2fb"),
        ] {
            assert_eq!(FileName::of(raw).as_str(), name, "{raw:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_extension() {
        let name = FileName::of(&format!("{}.webp", "x".repeat(300)));
        assert_eq!((name.as_str().len(), name.extension().as_deref()), (120, Some("webp")));
        assert_eq!(FileName::of(&format!("a.{}", "x".repeat(300))).as_str().len(), 120);
    }

    proptest! {
        #[test]
        fn a_name_is_safe_whatever_it_was(raw in ".{0,200}") {
            let name = FileName::of(&raw);
            let text = name.as_str();
            prop_assert!(!text.is_empty() && text.chars().count() <= 120 && !text.starts_with('.') && !text.contains(".."));
            let is_safe = |c: char| c.is_alphanumeric() || is_combining_mark(c) || ".-_".contains(c);
            prop_assert!(text.chars().all(is_safe) && text.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
            prop_assert_eq!(FileName::of(text), name.clone(), "it is a fixed point");
        }
    }
}
