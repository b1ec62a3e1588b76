//! The languages that pages and messages exist in.

/// A language of pages and messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// English, which is also the fallback.
    #[default]
    English,
    German,
}

impl Language {
    /// The language of a locale: `de-AT` is answered in German. English for a locale in another language.
    pub fn of(locale: &str) -> Self {
        Self::exactly(locale).unwrap_or_default()
    }

    /// The same; `None` for a locale in another language.
    pub fn exactly(locale: &str) -> Option<Self> {
        let primary = locale.split('-').next().unwrap_or_default();
        [Self::English, Self::German].into_iter().find(|language| primary.eq_ignore_ascii_case(language.tag()))
    }

    /// Its language tag (RFC 5646).
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Its name in itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_language_of_a_locale_is_its_primary_part() {
        for (locale, language) in
            [("de-AT", Some(Language::German)), ("DE", Some(Language::German)), ("en-US", Some(Language::English))]
        {
            assert_eq!(Language::exactly(locale), language, "{locale}");
        }
        for other in ["fr", "den", "", "-de"] {
            assert_eq!((Language::exactly(other), Language::of(other)), (None, Language::English), "{other}");
        }
    }

    #[test]
    fn a_language_has_its_own_name_and_other_locales_are_answered_in_english() {
        assert_eq!((Language::English.name(), Language::German.name()), ("English", "Deutsch"));
        assert_eq!(
            (Language::of("de-CH"), Language::of("en"), Language::of("fr")),
            (Language::German, Language::English, Language::English)
        );
    }
}
