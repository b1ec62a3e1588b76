//! What everybody sees of a story: the draft, or what a copy of it has instead; and no more than everybody saw at the source.

use super::{Maps, Notes, Published, Version, version};
use crate::{
    content::{
        field::Field,
        import::{record, translated},
    },
    shared::Fault,
};
use jiff::civil::Date;
use serde_json::{Value, value::RawValue};

/// The published copy, as far as it may be shown.
pub(super) fn published(from: &record::Story, draft: &Version, maps: &Maps, notes: &mut Notes) -> Result<Option<Published>, Fault> {
    if !from.published || from.is_folder {
        return Ok(None);
    }
    let copy = from.published_copy.as_ref();
    if copy.is_some_and(|copy| copy.is_missing) {
        notes.warn(
            "publishedCopyMissing",
            "its published copy could not be had: only the draft is imported. What is published here stays",
        );
        return Ok(None);
    }
    let shown = shown(from, notes)?;
    let mut base = Base::of(from);
    if let Some(copy) = copy {
        base.change(copy);
    }
    base.content = shown.as_deref().or(base.content);
    let differs = if copy.is_some() || shown.is_some() { Some(version(from, base, maps, notes)?) } else { None };
    Ok(Some(Published { at: from.published_at, differs: differs.filter(|differ| differ.edition.differs_from(&draft.edition)) }))
}

/// The draft without the translations of which readers see none, or another one. Nothing where it may be shown as it is, or where what readers see is known.
fn shown(from: &record::Story, notes: &mut Notes) -> Result<Option<Box<RawValue>>, Fault> {
    let read = |text: &RawValue| serde_json::from_str::<Value>(text.get());
    let Some(draft) = from.content.as_deref().filter(|_| from.translations().are_single()) else { return Ok(None) };
    let unreadable = |error: serde_json::Error| Fault::invalid("content", "invalid", error.to_string());
    let draft = read(draft).map_err(unreadable)?;
    let hidden = from.translations().not_as_drafted(&draft);
    let seen = match from.published_copy.as_ref().and_then(|published_copy| published_copy.content.as_deref()) {
        Some(content) => Some(translated::languages(&read(content).map_err(unreadable)?)),
        None => None,
    };
    for suffix in hidden.iter().filter(|h| seen.as_ref().is_none_or(|seen| !seen.contains(*h))) {
        let message = format!(
            "its translation in {suffix} is not published at the source, or not as it is now: what is published here is without it"
        );
        notes.warn("translationUnpublished", message);
    }
    if hidden.is_empty() || seen.is_some() {
        return Ok(None);
    }
    let shown = serde_json::value::to_raw_value(&translated::without(&draft, &hidden));
    shown.map(Some).map_err(|error| Fault::internal(error.to_string()))
}

/// What an edition is made from.
pub(super) struct Base<'a> {
    pub(super) name: &'a str,
    pub(super) tags: &'a [String],
    pub(super) content: Option<&'a RawValue>,
    pub(super) path: Option<&'a str>,
    pub(super) sort_by_date: Option<Date>,
    pub(super) meta_data: Option<&'a RawValue>,
}

impl<'a> Base<'a> {
    /// The draft's.
    pub(super) fn of(from: &'a record::Story) -> Self {
        Self {
            name: &from.name,
            tags: &from.tag_list,
            content: from.content.as_deref(),
            path: from.path.as_deref(),
            sort_by_date: from.sort_by_date,
            meta_data: from.meta_data.as_deref(),
        }
    }

    /// Puts what a published copy has instead in its place.
    fn change(&mut self, copy: &'a record::PublishedCopy) {
        self.name = copy.name.as_deref().unwrap_or(self.name);
        self.tags = copy.tag_list.as_deref().unwrap_or(self.tags);
        self.content = copy.content.as_deref().or(self.content);
        if let Field::Given(path) = &copy.path {
            self.path = path.as_deref();
        }
        if let Field::Given(date) = &copy.sort_by_date {
            self.sort_by_date = *date;
        }
        if let Field::Given(data) = &copy.meta_data {
            self.meta_data = data.as_deref();
        }
    }
}
