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
        if let Some(odd) = supported.iter().find(|it| !is_tag(it)) {
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

    /// The one that was asked for, in our spelling, or the default; `None` when it is not supported.
    pub fn choose(&self, wanted: Option<&str>) -> Option<&str> {
        match wanted {
            None => Some(&self.default),
            Some(wanted) => self.supported.iter().find(|it| it.eq_ignore_ascii_case(wanted)).map(String::as_str),
        }
    }
}

impl Default for Locales {
    fn default() -> Self {
        Self { supported: vec!["en".to_owned(), "de".to_owned()], default: "en".to_owned() }
    }
}

fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().is_some_and(|it| (2..=3).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_lowercase()));
    language && parts.all(|it| (2..=8).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_alphanumeric()))
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
    fn a_default_must_be_supported_and_tags_must_be_tags() {
        assert!(Locales::new(vec!["en".into()], "de".into()).unwrap_err().contains("\"de\""));
        for odd in ["", "e", "EN", "en_US", "en-", "../x"] {
            assert!(Locales::new(vec![odd.into()], odd.into()).is_err(), "{odd}");
        }
    }
}
