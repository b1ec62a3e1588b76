//! The languages that people are spoken to in.

/// `APP_SUPPORTED_LOCALES` and `APP_DEFAULT_LOCALE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locales {
    supported: Vec<String>,
    default: String,
}

impl Locales {
    /// Takes the supported ones and the one of those that is used when none is asked for. The error is a sentence for the operator.
    pub fn new(supported: Vec<String>, default: String) -> Result<Self, String> {
        if let Some(odd) = supported.iter().find(|s| !is_tag(s)) {
            return Err(format!("{odd:?} is no language tag such as en or pt-BR"));
        }
        if !supported.contains(&default) {
            return Err(format!("{default:?} is not among the supported locales {}", supported.join(", ")));
        }
        Ok(Self { supported, default })
    }

    /// All of them.
    pub fn supported(&self) -> &[String] {
        &self.supported
    }

    /// The one that suits an `Accept-Language` best (RFC 4647, section 3.4): of what it likes best the tag, or a tag with fewer parts, or one of the same
    /// language; the default where it likes nothing that is supported.
    pub fn negotiate(&self, accept_language: &str) -> &str {
        // A header is short; somebody's long one is read only so far.
        let mut liked: Vec<(u16, &str)> = accept_language.split(',').take(20).filter_map(liked).collect();
        // In their order where two are liked as much.
        liked.sort_by_key(|(quality, _)| std::cmp::Reverse(*quality));
        liked.into_iter().find_map(|(_, range)| self.like(range)).unwrap_or(&self.default)
    }

    fn like(&self, range: &str) -> Option<&str> {
        if range == "*" {
            return Some(&self.default);
        }
        let language = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let mut shorter = std::iter::successors(Some(range), |value| value.rsplit_once('-').map(|(shorter, _)| shorter));
        let exact = shorter.find_map(|shorter| self.choose(Some(shorter)));
        let akin = || self.supported.iter().find(|s| language(s) == language(range)).map(String::as_str);
        exact.or_else(akin)
    }

    /// The one that was asked for, in our spelling, or the default; `None` when it is not supported.
    pub fn choose(&self, wanted: Option<&str>) -> Option<&str> {
        match wanted {
            None => Some(&self.default),
            Some(wanted) => self.supported.iter().find(|s| s.eq_ignore_ascii_case(wanted)).map(String::as_str),
        }
    }
}

/// A language range and how much it is liked, in thousandths; `None` for what is not wanted at all, or cannot be read.
fn liked(part: &str) -> Option<(u16, &str)> {
    let mut pieces = part.split(';').map(str::trim);
    let range = pieces.next().filter(|piece| !piece.is_empty())?;
    let quality: f32 = match pieces.next() {
        None => 1.0,
        Some(weight) => weight.strip_prefix("q=")?.parse().ok().filter(|p| (0.0..=1.0).contains(p))?,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a thousand, and not below zero")]
    let quality = (quality * 1000.0) as u16;
    (quality > 0).then_some((quality, range))
}

impl Default for Locales {
    fn default() -> Self {
        Self { supported: vec!["en".to_owned(), "de".to_owned()], default: "en".to_owned() }
    }
}

fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language =
        parts.next().is_some_and(|part| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_lowercase()));
    language && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::Locales;

    #[test]
    fn an_unsupported_locale_is_refused_and_none_is_the_default() {
        let locales = Locales::new(vec!["en".into(), "pt-BR".into()], "en".into()).unwrap();
        assert_eq!(locales.choose(None), Some("en"));
        assert_eq!(locales.choose(Some("PT-br")), Some("pt-BR"));
        assert_eq!(locales.choose(Some("de")), None);
    }

    #[test]
    fn the_language_that_is_liked_best_is_spoken_where_it_is_supported() {
        let locales = Locales::new(vec!["en".into(), "de".into(), "pt-BR".into()], "en".into()).unwrap();
        for (header, spoken) in [
            ("de", "de"),
            ("DE-at", "de"),
            ("de-AT,de;q=0.9,en;q=0.8", "de"),
            ("en;q=0.8, de;q=0.9", "de"),
            ("fr, de;q=0.5, en;q=0.1", "de"),
            ("en, de", "en"),
            ("pt", "pt-BR"),
            ("pt-PT", "pt-BR"),
            ("fr", "en"),
            ("*, de", "en"),
            ("de;q=0, fr", "en"),
            ("de;q=2, de;q=x, de;level=1", "en"),
            ("", "en"),
            (",;,", "en"),
        ] {
            assert_eq!(locales.negotiate(header), spoken, "{header}");
        }
        let late = format!("{}de", "fr,".repeat(20));
        assert_eq!(locales.negotiate(&late), "en");
    }

    #[test]
    fn a_default_must_be_supported_and_tags_must_be_tags() {
        assert!(Locales::new(vec!["en".into()], "de".into()).unwrap_err().contains("\"de\""));
        for odd in ["", "e", "EN", "en_US", "en-", "../x"] {
            assert!(Locales::new(vec![odd.into()], odd.into()).is_err(), "{odd}");
        }
    }
}
