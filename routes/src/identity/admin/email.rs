//! `/api/admin/email…`: whether mails can be sent, how they look, a test, and those that are not sent yet.

pub(super) mod preview;
pub(super) mod queue;
pub(super) mod status;
pub(super) mod test;

pub(crate) use test::send_test;

use crate::identity::Identity;
use domain::{
    identity::mail::Template,
    shared::{Code, Fault, FieldCode},
};
use strum::VariantNames;

/// A template by its name; 400 `validation` for an unknown one.
pub(crate) fn template(name: Option<&str>) -> Result<Template, Fault> {
    let unknown =
        |_| Fault::invalid("template", FieldCode::Unsupported, format!("must be one of {}", Template::VARIANTS.join(", ")));
    name.unwrap_or_default().parse().map_err(unknown)
}

/// The locale of a mail: a supported one in its configured spelling, or the default one; 400
/// `unsupportedLocale` for another.
pub(crate) fn locale<'a>(identity: &'a Identity, sent: Option<&str>) -> Result<&'a str, Fault> {
    let locales = &identity.ctx.settings.locales;
    let unsupported = || {
        let all = locales.supported().join(", ");
        let detail = domain::shared::Detail::new("locale", FieldCode::Unsupported, format!("must be one of {all}")).bounded(all);
        Fault::fields(Code::UnsupportedLocale, vec![detail])
    };
    locales.choose(sent).ok_or_else(unsupported)
}
