//! The URLs of assets in all forms that content uses.
//!
//! ```text
//! https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png          in content
//! //a.storyblok.com/f/…                                                older content
//! https://s3.amazonaws.com/a.storyblok.com/f/…                         in lists of assets
//! //img2.storyblok.com/600x0/f/66717/273x256/1af4758e5f/icon.png       the image service, older form
//! https://a.storyblok.com/f/…/icon.png/m/600x0/filters:quality(80)     the image service
//! ```
//! All of them identify the file by the path from `/f/` on. The parameters of the image service are dropped:
//! the original is shown instead.

use std::collections::{HashMap, HashSet};

/// Domains that assets are served from.
const DOMAINS: [&str; 2] = [".storyblok.com", ".storyblokchina.cn"];
/// The S3 host that lists of assets put before the host name.
const ORIGIN: &str = "s3.amazonaws.com/";
/// The first DNS labels of the image service's older hosts.
const SCALERS: [&str; 3] = ["img", "img2", "img-us"];

/// The URLs of imported assets, old and new.
#[derive(Debug, Default)]
pub struct Urls {
    by_path: HashMap<String, String>,
    /// The paths that hold characters at which a URL in a text would end, as they are written, with the new
    /// URLs.
    raw_paths: Vec<(String, String)>,
    /// Further hosts from which this source serves assets.
    hosts: HashSet<String>,
    ours: HashSet<String>,
}

impl Urls {
    /// Adds an asset: its URL at the source, and its URL here.
    pub fn insert(&mut self, old: &str, new: &str) {
        if let Some(host) = host_of(old).filter(|h| !is_vendors(h)) {
            self.hosts.insert(host.to_owned());
        }
        if let Some(path) = self.path_of(old) {
            if end(path) < path.len() {
                let raw = (path.to_owned(), new.to_owned());
                self.raw_paths.retain(|(other, _)| *other != raw.0);
                self.raw_paths.push(raw);
            }
            self.by_path.insert(decoded(path), new.to_owned());
            self.ours.insert(new.to_owned());
        }
    }

    /// The number of URLs.
    pub fn len(&self) -> usize {
        self.by_path.len()
    }

    /// Whether it has no URLs.
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// Whether a URL is the new URL of an imported asset.
    pub fn is_ours(&self, url: &str) -> bool {
        self.ours.contains(url)
    }

    /// The text with the URLs of imported assets replaced; `None` if it contains none.
    pub fn rewrite(&self, text: &str) -> Option<String> {
        self.rewrite_counted(text).map(|(text, _)| text)
    }

    /// The same with the number of replaced URLs.
    pub fn rewrite_counted(&self, text: &str) -> Option<(String, u64)> {
        if self.by_path.is_empty() || !text.contains("/f/") {
            return None;
        }
        let (mut rewritten, mut count) = (String::new(), 0);
        let mut rest = text;
        while let Some(at) = self.next(rest) {
            let (before, from) = rest.split_at(at);
            rewritten.push_str(before);
            if let Some((length, new)) = self.find_raw(from) {
                rewritten.push_str(new);
                count += 1;
                rest = from.get(length..).unwrap_or_default();
                continue;
            }
            let (url, after) = from.split_at(end(from));
            match self.path_of(url).and_then(|path| self.find(path)) {
                Some(new) => {
                    rewritten.push_str(new);
                    count += 1;
                }
                None => rewritten.push_str(url),
            }
            rest = after;
        }
        rewritten.push_str(rest);
        (rewritten != text).then_some((rewritten, count))
    }

    /// The URL at the start of a text if it is written with characters at which it would end otherwise: its
    /// length, and the new URL. The longest such URL counts, with the parameters of the image service behind
    /// it.
    fn find_raw(&self, text: &str) -> Option<(usize, &String)> {
        if self.raw_paths.is_empty() {
            return None;
        }
        let path = self.path_of(text)?;
        let found = self.raw_paths.iter().filter(|(raw, _)| path.starts_with(raw.as_str())).max_by_key(|(raw, _)| raw.len());
        let (raw, new) = found?;
        let behind = path.get(raw.len()..)?;
        let parameters = if behind.starts_with("/m/") || behind.starts_with('?') { end(behind) } else { 0 };
        Some((text.len() - path.len() + raw.len() + parameters, new))
    }

    fn find(&self, path: &str) -> Option<&String> {
        let bare = path.split(['?', '#']).next().unwrap_or(path);
        let decoded = decoded(bare);
        self.of_file(&decoded).or_else(|| {
            let (file, _) = decoded.split_once("/m/").or_else(|| decoded.strip_suffix("/m").map(|s| (s, "")))?;
            self.of_file(file)
        })
    }

    /// The new URL of a file. The size in pixels does not tell files apart, and of former files it is not
    /// known any more.
    fn of_file(&self, path: &str) -> Option<&String> {
        self.by_path.get(path).or_else(|| self.by_path.get(&without_size(path)?))
    }

    /// The offset of the next URL of an asset host.
    fn next(&self, text: &str) -> Option<usize> {
        let mut from = 0;
        loop {
            let at = from + text.get(from..)?.find("//")?;
            if host_of(text.get(at..)?).is_some_and(|host| is_vendors(host) || self.hosts.contains(host)) {
                let before = text.get(..at)?;
                let scheme = ["https:", "http:"].into_iter().find(|value| before.ends_with(value)).map_or(0, str::len);
                return Some(at - scheme);
            }
            from = at + 2;
        }
    }

    /// The path that identifies the file in the URL of an asset: from `f/` on.
    fn path_of<'a>(&self, url: &'a str) -> Option<&'a str> {
        let host = host_of(url)?;
        if !is_vendors(host) && !self.hosts.contains(host) {
            return None;
        }
        let (_, rest) = url.split_once("//")?;
        let (_, path) = rest.strip_prefix(ORIGIN).unwrap_or(rest).split_once('/')?;
        if path.starts_with("f/") {
            return Some(path);
        }
        let first = host.split('.').next().unwrap_or_default();
        let at = path.find("/f/").filter(|_| SCALERS.contains(&first))?;
        path.get(at + 1..)
    }
}

/// The host of a URL, after `//`; of an S3 URL, the host that follows the S3 host.
fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("//")?;
    let rest = rest.strip_prefix(ORIGIN).unwrap_or(rest);
    let end = rest.find(['/', ' ', '"', '\'', '<', '>', '(', ')', '?', '#'])?;
    rest.get(..end).filter(|_| rest.get(end..).is_some_and(|rest| rest.starts_with('/')))
}

fn is_vendors(host: &str) -> bool {
    DOMAINS.iter().any(|value| host.ends_with(value))
}

/// The end of the URL at the start of a text: at the first character that cannot be part of it, or that
/// closes a bracket around it.
fn end(text: &str) -> usize {
    let mut open = 0_i32;
    let closes = |c: char| match c {
        '(' => {
            open += 1;
            false
        }
        ')' => {
            open -= 1;
            open < 0
        }
        _ => c.is_whitespace() || c.is_control() || "\"'<>\\^`{|}[],;".contains(c),
    };
    let length = text.find(closes).unwrap_or(text.len());
    // Punctuation at the end belongs to the sentence.
    text.get(..length).map_or(length, |url| url.trim_end_matches(['.', ':', '!', '*', '_']).len())
}

/// `f/7/abc/icon.png` of `f/7/273x256/abc/icon.png`.
fn without_size(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    let (width, height) = parts.get(2)?.split_once('x')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(width) || !is_number(height) {
        return None;
    }
    parts.remove(2);
    Some(parts.join("/"))
}

/// Percent-decoded, so that both spellings of a name are equal; unchanged if the result is not UTF-8.
fn decoded(path: &str) -> String {
    if !path.contains('%') {
        return path.to_owned();
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digits =
            tail.get(..2).and_then(|tail| std::str::from_utf8(tail).ok()).and_then(|tail| u8::from_str_radix(tail, 16).ok());
        if let Some(byte) = digits.filter(|_| *first == b'%') {
            bytes.push(byte);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Urls;
    use proptest::prelude::*;

    const NEW: &str = "https://cms.example.com/f/7/273x256/abc/icon.png";

    fn urls() -> Urls {
        let mut urls = Urls::default();
        urls.insert("https://s3.amazonaws.com/a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png", NEW);
        urls.insert("https://s3.amazonaws.com/a.storyblok.com/f/66717/x/b%C3%A4r(1).pdf", "https://cms.example.com/f/7/x/baer.pdf");
        urls
    }

    #[test]
    fn every_spelling_of_a_known_url_is_exchanged() {
        for old in [
            "https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png",
            "http://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png",
            "//a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png",
            "https://s3.amazonaws.com/a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png",
            "https://a-us.storyblok.com/f/66717/273x256/1af4758e5f/icon.png",
            "https://a.storyblokchina.cn/f/66717/273x256/1af4758e5f/icon.png",
            "https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png/m/600x0",
            "https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png/m/600x0/filters:quality(80):focal(1x1:2x2)",
            "https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png/m",
            "https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png?cv=1",
            "//img2.storyblok.com/600x0/f/66717/273x256/1af4758e5f/icon.png",
        ] {
            assert_eq!(urls().rewrite(old).as_deref(), Some(NEW), "{old}");
        }
        let pdf = Some("https://cms.example.com/f/7/x/baer.pdf".to_owned());
        assert_eq!(urls().rewrite("https://a.storyblok.com/f/66717/x/bär(1).pdf"), pdf);
        assert_eq!(urls().rewrite("https://a.storyblok.com/f/66717/x/b%c3%a4r(1).pdf"), pdf);
    }

    #[test]
    fn urls_with_raw_characters_are_exchanged_whole() {
        let mut urls = urls();
        let other = "https://cms.example.com/f/7/x/other.png";
        urls.insert("https://s3.amazonaws.com/a.storyblok.com/f/66717/x/ab/my file, [new].png", NEW);
        urls.insert("https://s3.amazonaws.com/a.storyblok.com/f/66717/x/ab/my", other);
        for old in [
            "https://a.storyblok.com/f/66717/x/ab/my file, [new].png",
            "//a.storyblok.com/f/66717/x/ab/my file, [new].png",
            "https://a.storyblok.com/f/66717/x/ab/my%20file%2C%20%5Bnew%5D.png",
            "https://a.storyblok.com/f/66717/x/ab/my file, [new].png/m/600x0",
        ] {
            assert_eq!(urls.rewrite(old).as_deref(), Some(NEW), "{old}");
        }
        let text = "see https://a.storyblok.com/f/66717/x/ab/my file, [new].png or https://a.storyblok.com/f/66717/x/ab/my friend";
        assert_eq!(urls.rewrite_counted(text), Some((format!("see {NEW} or {other} friend"), 2)));
    }

    #[test]
    fn urls_are_found_inside_of_texts() {
        let old = "//a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png";
        for (before, after) in [("![x](", ") and"), ("<img src=\"https:", "\">"), ("see https:", "."), ("a ", "\nb"), ("(", ", x)")]
        {
            let kept = before.strip_suffix("https:").unwrap_or(before);
            assert_eq!(urls().rewrite(&format!("{before}{old}{after}")), Some(format!("{kept}{NEW}{after}")));
        }
        let twice = format!("{old} {old}");
        assert_eq!(urls().rewrite(&twice), Some(format!("{NEW} {NEW}")));
    }

    #[test]
    fn other_urls_stay() {
        for text in [
            "",
            "icon.png",
            "https://example.com/f/66717/273x256/1af4758e5f/icon.png",
            "https://a.storyblok.com/f/1/unknown.png",
            "https://a.storyblok.com.example.com/f/66717/273x256/1af4758e5f/icon.png",
            "https://app.storyblok.com/x/f/66717/273x256/1af4758e5f/icon.png",
            "https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png.bak",
            "https://a.storyblok.com/",
            "//",
            NEW,
        ] {
            assert_eq!(urls().rewrite(text), None, "{text}");
        }
    }

    #[test]
    fn a_former_url_is_known_without_its_size() {
        let mut urls = urls();
        urls.insert("https://cms.example.org/f/7/abc/old.png", NEW);
        for size in ["", "/20x10", "/273x256"] {
            let old = format!("https://cms.example.org/f/7{size}/abc/old.png");
            assert_eq!(urls.rewrite(&old).as_deref(), Some(NEW), "{old}");
            assert_eq!(urls.rewrite(&format!("{old}/m/600x0")).as_deref(), Some(NEW), "{old}");
        }
        assert_eq!(urls.rewrite("https://cms.example.org/f/7/wide/abc/old.png"), None);
    }

    #[test]
    fn a_source_may_serve_its_assets_from_a_host_of_its_own() {
        let mut urls = urls();
        assert_eq!(urls.rewrite("http://127.0.0.1:9/f/1/a.png"), None);
        urls.insert("http://127.0.0.1:9/f/1/a.png", NEW);
        assert_eq!(urls.rewrite("x http://127.0.0.1:9/f/1/a.png y"), Some(format!("x {NEW} y")));
        assert_eq!(urls.rewrite("http://127.0.0.1:99/f/1/a.png"), None);
    }

    proptest! {
        #[test]
        fn rewriting_twice_changes_nothing_and_foreign_text_survives(
            words in prop::collection::vec(prop_oneof![
                Just("https://a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png".to_owned()),
                Just("//a.storyblok.com/f/66717/273x256/1af4758e5f/icon.png/m/1x1".to_owned()),
                Just("https://example.com//a.storyblok.com/f/1.png".to_owned()),
                "[ -~äß€]{0,12}",
                "//[a-z.]{0,9}/f/",
            ], 0..8),
        ) {
            let text = words.join(" ");
            let once = urls().rewrite(&text).unwrap_or_else(|| text.clone());
            prop_assert_eq!(urls().rewrite(&once), None);
            if !text.contains("/f/66717/") {
                prop_assert_eq!(once, text);
            }
        }
    }
}
