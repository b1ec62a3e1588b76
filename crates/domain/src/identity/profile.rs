//! What people may change about their own account.

use crate::{
    identity::{Locales, form::Form},
    shared::{Detail, Fault},
};

/// What was sent. An absent member is left as it is.
#[derive(Debug, Default)]
pub struct ProfileRequest {
    /// Cannot be taken away.
    pub first_name: Option<Option<String>>,
    /// `null` or an empty text takes it away.
    pub last_name: Option<Option<String>>,
    /// `null` or an empty text takes it away.
    pub display_name: Option<Option<String>>,
    /// A supported one.
    pub locale: Option<Option<String>>,
    /// Members that were sent and are not the owner's to change.
    pub foreign: Vec<&'static str>,
}

/// A change that may be made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileChange {
    /// The new first name.
    pub first_name: Option<String>,
    /// The new last name, or none any more.
    pub last_name: Option<Option<String>>,
    /// What the person wants to be called, or the plain name again.
    pub display_name: Option<Option<String>>,
    /// The new locale, in our spelling.
    pub locale: Option<String>,
}

impl ProfileRequest {
    /// Checks every field. 400 `notEditable` for what is not the owner's to change, `unsupportedLocale` when only the locale is at fault, else
    /// `validation`.
    pub fn accept(self, locales: &Locales) -> Result<ProfileChange, Fault> {
        if !self.foreign.is_empty() {
            let fixed = |field: &&'static str| Detail::new(*field, "notEditable", "cannot be changed here");
            return Err(Fault::fields("notEditable", self.foreign.iter().map(fixed).collect()));
        }
        let mut form = Form::default();
        let first_name = self.first_name.and_then(|sent| form.name("firstName", sent.as_deref()));
        let last_name = self.last_name.map(|sent| form.optional_name("lastName", sent.as_deref()));
        let display_name = self.display_name.map(|sent| form.optional_name("displayName", sent.as_deref()));
        let names_are_right = form.is_right();
        // `null` would be the default, which nobody asked for. An empty text is no locale.
        let locale =
            self.locale.and_then(|sent| form.locale(Some(sent.as_deref().unwrap_or_default()), locales)).map(str::to_owned);
        match (form.is_right(), names_are_right) {
            (true, _) => Ok(ProfileChange { first_name, last_name, display_name, locale }),
            (false, true) => Err(form.refused("unsupportedLocale")),
            (false, false) => Err(form.refused("validation")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ProfileChange, ProfileRequest};
    use crate::identity::Locales;

    #[expect(clippy::unnecessary_wraps, reason = "a member that was sent")]
    fn said(text: &str) -> Option<Option<String>> {
        Some(Some(text.to_owned()))
    }

    fn accept(request: ProfileRequest) -> Result<ProfileChange, &'static str> {
        let locales = Locales::new(vec!["en".into(), "pt-BR".into()], "en".into()).unwrap();
        request.accept(&locales).map_err(|fault| fault.code)
    }

    #[test]
    fn absent_members_stay_and_empty_ones_are_taken_away() {
        assert_eq!(accept(ProfileRequest::default()), Ok(ProfileChange::default()));
        let request = ProfileRequest {
            first_name: said(" Ann "),
            last_name: Some(None),
            display_name: said(" "),
            locale: said("PT-br"),
            foreign: Vec::new(),
        };
        let change = ProfileChange {
            first_name: Some("Ann".into()),
            last_name: Some(None),
            display_name: Some(None),
            locale: Some("pt-BR".into()),
        };
        assert_eq!(accept(request), Ok(change));
    }

    #[test]
    fn every_refusal_has_its_code() {
        assert_eq!(accept(ProfileRequest { first_name: Some(None), ..ProfileRequest::default() }), Err("validation"));
        assert_eq!(accept(ProfileRequest { last_name: said("a\u{202e}b"), ..ProfileRequest::default() }), Err("validation"));
        assert_eq!(accept(ProfileRequest { locale: said("xx"), ..ProfileRequest::default() }), Err("unsupportedLocale"));
        assert_eq!(accept(ProfileRequest { locale: Some(None), ..ProfileRequest::default() }), Err("unsupportedLocale"));
        let both = ProfileRequest { first_name: said(""), locale: said("xx"), ..ProfileRequest::default() };
        assert_eq!(accept(both), Err("validation"));
        assert_eq!(accept(ProfileRequest { foreign: vec!["email"], ..ProfileRequest::default() }), Err("notEditable"));
    }
}
