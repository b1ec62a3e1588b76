//! The parameters of a list of the mails that are not sent yet.

use super::page::read_page;
use crate::{
    identity::FieldErrors,
    shared::{Code, Detail, Fault, FieldCode, PageRequest, Parameters},
};
use strum::{EnumString, IntoStaticStr, VariantNames};

/// Where a mail that is not sent is on its way. Its name is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum MailState {
    Waiting,
    /// Tried in vain, and to be tried again.
    Retrying,
    Dead,
}

/// A request for a page of mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuedMailQuery {
    /// `state`; all without it.
    pub state: Option<MailState>,
    /// `page` and `perPage`.
    pub page: PageRequest,
}

impl QueuedMailQuery {
    /// Reads the parameters. An empty one counts as left out. 400 `validation` names every invalid one.
    pub fn read(parameters: &Parameters) -> Result<Self, Fault> {
        let mut errors = FieldErrors::default();
        let state = errors.collect(read_state(parameters)).flatten();
        match read_page(parameters, &mut errors) {
            Some(page) if errors.is_empty() => Ok(Self { state, page }),
            _ => Err(errors.into_fault(Code::Validation)),
        }
    }
}

/// Reads the parameters of a list that has only pages, as [`QueuedMailQuery::read`] does.
pub fn read_plain_page(parameters: &Parameters) -> Result<PageRequest, Fault> {
    let mut errors = FieldErrors::default();
    match read_page(parameters, &mut errors) {
        Some(page) if errors.is_empty() => Ok(page),
        _ => Err(errors.into_fault(Code::Validation)),
    }
}

fn read_state(parameters: &Parameters) -> Result<Option<MailState>, Detail> {
    let Some(text) = parameters.text("state") else { return Ok(None) };
    let names = || MailState::VARIANTS.join(", ");
    text.parse()
        .map(Some)
        .map_err(|_| Detail::new("state", FieldCode::Unsupported, format!("must be one of {}", names())).bounded(names()))
}

#[cfg(test)]
mod tests {
    use super::{MailState, QueuedMailQuery, read_plain_page};
    use crate::shared::{Fault, Parameters};

    fn sent(pairs: &[(&str, &str)]) -> Parameters {
        Parameters::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn mails_are_asked_for_by_state_and_page() {
        for (name, state) in [("waiting", MailState::Waiting), ("retrying", MailState::Retrying), ("dead", MailState::Dead)] {
            let query = QueuedMailQuery::read(&sent(&[("state", name), ("page", "3")])).unwrap();
            assert_eq!((query.state, query.page.page, state.into_str()), (Some(state), 3, name));
        }
        assert_eq!(QueuedMailQuery::read(&sent(&[("state", "")])).unwrap().state, None);
    }

    #[test]
    fn every_invalid_parameter_is_named() {
        let fields = |fault: Fault| fault.details.iter().map(|detail| detail.field.clone()).collect::<Vec<_>>();
        assert_eq!(fields(QueuedMailQuery::read(&sent(&[("state", "lost"), ("page", "0")])).unwrap_err()), ["state", "page"]);
        assert_eq!(fields(QueuedMailQuery::read(&sent(&[("state", "lost")])).unwrap_err()), ["state"]);
        assert_eq!(read_plain_page(&sent(&[("page", "2")])).unwrap().page, 2);
        assert_eq!(fields(read_plain_page(&sent(&[("perPage", "x")])).unwrap_err()), ["perPage"]);
    }
}
