//! The locales that accounts can choose for mails and messages.

/// The number of language ranges of a header that are considered.
const MAX_RANGES: usize = 20;

/// The supported locales and the default one (`APP_SUPPORTED_LOCALES`, `APP_DEFAULT_LOCALE`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locales {
    supported: Vec<String>,
    default: String,
}

impl Locales {
    /// Checks the configured locales. The error is a sentence for the operator.
    pub fn new(supported: Vec<String>, default: String) -> Result<Self, String> {
        if let Some(invalid) = supported.iter().find(|tag| !is_tag(tag)) {
            return Err(format!("{invalid:?} is no language tag such as en or pt-BR"));
        }
        if !supported.contains(&default) {
            return Err(format!("{default:?} is not among the supported locales {}", supported.join(", ")));
        }
        Ok(Self { supported, default })
    }

    /// Every supported locale.
    pub fn supported(&self) -> &[String] {
        &self.supported
    }

    /// The best match for an `Accept-Language` header (lookup of RFC 4647, section 3.4). Each range, most
    /// preferred first, matches its own tag, else the tag without its last subtags, else any tag of the same
    /// language. The default locale is the answer when nothing matches.
    pub fn negotiate(&self, accept_language: &str) -> &str {
        let mut ranges: Vec<(u16, &str)> = accept_language.split(',').take(MAX_RANGES).filter_map(parse_range).collect();
        // The sort is stable: ranges of equal quality keep their order.
        ranges.sort_by_key(|(quality, _)| std::cmp::Reverse(*quality));
        ranges.into_iter().find_map(|(_, range)| self.lookup(range)).unwrap_or(&self.default)
    }

    /// The supported locale that matches a language range best.
    fn lookup(&self, range: &str) -> Option<&str> {
        if range == "*" {
            return Some(&self.default);
        }
        let language = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let by_prefix = prefixes(range).find_map(|prefix| self.find(prefix));
        let by_language = || self.supported.iter().find(|tag| language(tag) == language(range)).map(String::as_str);
        by_prefix.or_else(by_language)
    }

    /// The wanted locale in its configured spelling, or the default when none is wanted. One that is not
    /// supported falls back to what is left without its last subtags, such as `de-AT` to `de` (lookup of RFC
    /// 4647, section 3.4); `None` when nothing of it is supported.
    pub fn choose(&self, wanted: Option<&str>) -> Option<&str> {
        match wanted {
            None => Some(&self.default),
            Some(wanted) if is_range(wanted) => prefixes(wanted).find_map(|prefix| self.find(prefix)),
            Some(_) => None,
        }
    }

    fn find(&self, wanted: &str) -> Option<&str> {
        self.supported.iter().find(|tag| tag.eq_ignore_ascii_case(wanted)).map(String::as_str)
    }
}

/// A tag, and what is left of it without its last subtag, its last two, and so on.
pub(in crate::identity) fn prefixes(tag: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(tag), |prefix| prefix.rsplit_once('-').map(|(shorter, _)| shorter))
}

/// Whether a text has the form of a language range (RFC 4647, section 2.1) without wildcards.
fn is_range(text: &str) -> bool {
    text.split('-').all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// A language range of an `Accept-Language` header and its quality in thousandths; `None` for quality 0 and
/// for what cannot be parsed.
fn parse_range(part: &str) -> Option<(u16, &str)> {
    let mut pieces = part.split(';').map(str::trim);
    let range = pieces.next().filter(|piece| !piece.is_empty())?;
    let quality: f32 = match pieces.next() {
        None => 1.0,
        Some(weight) => weight.strip_prefix("q=")?.parse().ok().filter(|weight| (0.0..=1.0).contains(weight))?,
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

/// A language tag of the form `en`, `pt-BR` or `zh-Hant-TW`.
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
    fn a_wanted_locale_falls_back_to_its_language_and_none_is_the_default() {
        let locales = Locales::new(vec!["en".into(), "de".into(), "de-CH".into()], "en".into()).unwrap();
        for (wanted, chosen) in [
            ("de", "de"),
            ("de-AT", "de"),
            ("DE-at", "de"),
            ("de-Latn-AT", "de"),
            ("de-CH", "de-CH"),
            ("de-ch-1996", "de-CH"),
            ("en-US", "en"),
        ] {
            assert_eq!(locales.choose(Some(wanted)), Some(chosen), "{wanted}");
        }
        for unsupported in ["", "fr", "d", "den-AT", "de-", "-de", "de_AT", "de-*", "*", "de-../x", "de-123456789", "de AT"] {
            assert_eq!(locales.choose(Some(unsupported)), None, "{unsupported}");
        }
        let locales = Locales::new(vec!["en".into(), "pt-BR".into()], "en".into()).unwrap();
        assert_eq!(locales.choose(None), Some("en"));
        assert_eq!(locales.choose(Some("PT-br")), Some("pt-BR"));
        assert_eq!(locales.choose(Some("pt")), None, "another country was not chosen");
    }

    #[test]
    fn the_most_preferred_supported_language_is_chosen() {
        let locales = Locales::new(vec!["en".into(), "de".into(), "pt-BR".into()], "en".into()).unwrap();
        for (header, chosen) in [
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
            assert_eq!(locales.negotiate(header), chosen, "{header}");
        }
        let late = format!("{}de", "fr,".repeat(20));
        assert_eq!(locales.negotiate(&late), "en");
    }

    #[test]
    fn a_default_must_be_supported_and_tags_must_be_tags() {
        assert!(Locales::new(vec!["en".into()], "de".into()).unwrap_err().contains("\"de\""));
        for invalid in ["", "e", "EN", "en_US", "en-", "../x"] {
            assert!(Locales::new(vec![invalid.into()], invalid.into()).is_err(), "{invalid}");
        }
    }

    #[test]
    fn every_supported_locale_is_listed() {
        let locales = Locales::new(vec!["en".into(), "de-AT".into()], "en".into()).unwrap();
        assert_eq!(locales.supported(), ["en", "de-AT"]);
    }
}
