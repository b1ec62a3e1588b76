//! Changing the profile of an account.

use crate::{
    identity::{FieldErrors, Locales},
    shared::{Code, Fault},
};

/// The fields of a `PATCH` request. The outer `None` stands for an absent field, which stays as it is, and
/// the inner one for `null`.
#[derive(Debug, Default)]
pub struct ProfileRequest {
    /// The new first name. It cannot be removed.
    pub first_name: Option<Option<String>>,
    /// The new last name; `null` or an empty text removes it.
    pub last_name: Option<Option<String>>,
    /// The new display name; `null` or an empty text removes it.
    pub display_name: Option<Option<String>>,
    /// The new locale, which must be supported.
    pub locale: Option<Option<String>>,
}

/// A validated change. `None` leaves a field as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileChange {
    /// The new first name.
    pub first_name: Option<String>,
    /// The new last name; the inner `None` removes it.
    pub last_name: Option<Option<String>>,
    /// The new display name; the inner `None` removes it.
    pub display_name: Option<Option<String>>,
    /// The new locale in its configured spelling.
    pub locale: Option<String>,
}

impl ProfileRequest {
    /// Checks every field. The error is 400 `unsupportedLocale` when only the locale is invalid, and
    /// `validation` otherwise.
    pub fn validate(self, locales: &Locales) -> Result<ProfileChange, Fault> {
        let mut errors = FieldErrors::default();
        let first_name = self.first_name.and_then(|sent| errors.name("firstName", sent.as_deref()));
        let last_name = self.last_name.map(|sent| errors.optional_name("lastName", sent.as_deref()));
        let display_name = self.display_name.map(|sent| errors.optional_name("displayName", sent.as_deref()));
        let names_are_valid = errors.is_empty();
        // An absent locale would choose the default one, so `null` is checked as an empty text, which no
        // locale has.
        let locale =
            self.locale.and_then(|sent| errors.locale(Some(sent.as_deref().unwrap_or_default()), locales)).map(str::to_owned);
        match (errors.is_empty(), names_are_valid) {
            (true, _) => Ok(ProfileChange { first_name, last_name, display_name, locale }),
            (false, true) => Err(errors.into_fault(Code::UnsupportedLocale)),
            (false, false) => Err(errors.into_fault(Code::Validation)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ProfileChange, ProfileRequest};
    use crate::identity::Locales;

    #[expect(clippy::unnecessary_wraps, reason = "the type of a field that was sent")]
    fn sent(text: &str) -> Option<Option<String>> {
        Some(Some(text.to_owned()))
    }

    fn validate(request: ProfileRequest) -> Result<ProfileChange, &'static str> {
        let locales = Locales::new(vec!["en".into(), "pt-BR".into()], "en".into()).unwrap();
        request.validate(&locales).map_err(|fault| fault.code.name())
    }

    #[test]
    fn absent_fields_stay_and_empty_ones_are_removed() {
        assert_eq!(validate(ProfileRequest::default()), Ok(ProfileChange::default()));
        let request =
            ProfileRequest { first_name: sent(" Ann "), last_name: Some(None), display_name: sent(" "), locale: sent("PT-br") };
        let change = ProfileChange {
            first_name: Some("Ann".into()),
            last_name: Some(None),
            display_name: Some(None),
            locale: Some("pt-BR".into()),
        };
        assert_eq!(validate(request), Ok(change));
    }

    #[test]
    fn each_error_has_its_code() {
        assert_eq!(validate(ProfileRequest { first_name: Some(None), ..ProfileRequest::default() }), Err("validation"));
        assert_eq!(validate(ProfileRequest { last_name: sent("a\u{202e}b"), ..ProfileRequest::default() }), Err("validation"));
        assert_eq!(validate(ProfileRequest { locale: sent("xx"), ..ProfileRequest::default() }), Err("unsupportedLocale"));
        assert_eq!(validate(ProfileRequest { locale: Some(None), ..ProfileRequest::default() }), Err("unsupportedLocale"));
        let both = ProfileRequest { first_name: sent(""), locale: sent("xx"), ..ProfileRequest::default() };
        assert_eq!(validate(both), Err("validation"));
    }
}
