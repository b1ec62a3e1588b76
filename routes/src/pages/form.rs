//! A form as a browser sends it: `application/x-www-form-urlencoded`, read strictly, with the CSRF token in
//! the field `csrf_token`.

use super::{Pages, Visitor};
use crate::web::{ApiRequest, query};
use domain::shared::{Code, Fault, Parameters};
use http::header;
use secrecy::SecretString;

/// The most bytes of a form. The largest part of one is what an authenticator answers.
const MAX_BYTES: usize = 64 << 10;
/// The most fields of a form. That of the roles of a group has one for each.
const MAX_FIELDS: usize = 256;

/// The fields of a form whose CSRF token was right.
pub(crate) struct Form(Parameters);

impl Form {
    /// Reads a form. 415 for another content type, 413 when it is too large, 400 when it cannot be read or
    /// has a field twice, and then 403 `csrfInvalid` without the token of this visitor.
    pub(crate) async fn read(pages: &Pages, visitor: &Visitor, request: &mut ApiRequest) -> Result<Self, Fault> {
        let media_type = request.header(header::CONTENT_TYPE).unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            let message = "Send the form as application/x-www-form-urlencoded";
            return Err(Fault::new(Code::UnsupportedMediaType, message));
        }
        let bytes = request.bytes(MAX_BYTES).await?;
        let form = Self(parse(&bytes)?);
        pages.identity.sessions.csrf().check_form(request, &visitor.binding, form.given("csrf_token"))?;
        Ok(form)
    }

    /// Every field.
    pub(super) fn parameters(&self) -> &Parameters {
        &self.0
    }

    /// A field as it was sent; empty when it was not.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default()
    }

    /// A field, if it was sent.
    pub(super) fn given(&self, name: &str) -> Option<&str> {
        self.0.get(name)
    }

    /// A field, if something was typed into it.
    pub(super) fn owned(&self, name: &str) -> Option<String> {
        self.0.text(name).map(str::to_owned)
    }

    /// A password, if one was typed.
    pub(super) fn secret(&self, name: &str) -> Option<SecretString> {
        self.0.text(name).map(SecretString::from)
    }

    /// Whether a box was ticked.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.given(name) == Some("on")
    }
}

fn parse(bytes: &[u8]) -> Result<Parameters, Fault> {
    let broken = |message| Fault::new(Code::BadForm, message);
    let text = std::str::from_utf8(bytes).map_err(|_| broken("The form is not valid UTF-8"))?;
    if text.split('&').count() > MAX_FIELDS {
        return Err(broken("The form has too many fields"));
    }
    let fields = query::parse(text)?;
    let mut names: Vec<&str> = fields.pairs().map(|(name, _)| name).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(broken("The form has a field twice"));
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::{MAX_FIELDS, parse};

    #[test]
    fn a_form_is_read_strictly() {
        let form = parse(b"email=ann%40example.org&password=a+b%26c&remember=").unwrap();
        assert_eq!(
            (form.get("email"), form.get("password"), form.get("remember")),
            (Some("ann@example.org"), Some("a b&c"), Some(""))
        );
        for broken in [&b"a=1&a=2"[..], b"a=%ff", b"a=\xff", b"a=%00", &[b'&'; MAX_FIELDS]] {
            assert!(parse(broken).is_err(), "{broken:?}");
        }
        assert!(parse(b"").is_ok());
    }
}
