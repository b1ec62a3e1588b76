//! The published version of a story: the draft with the differences of the published copy, and never more
//! than was public at the source.

use super::{IdMaps, Published, StoryFindings, Version, version};
use crate::{
    content::{
        field::Field,
        import::{record, translated},
    },
    shared::{Fault, FieldCode},
};
use jiff::civil::Date;
use serde_json::{Value, value::RawValue};

/// The published version; `None` if the story is unpublished or the version could not be read.
pub(super) fn published(
    from: &record::Story,
    draft: &Version,
    maps: &IdMaps,
    findings: &mut StoryFindings<'_>,
) -> Result<Option<Published>, Fault> {
    if !from.published || from.is_folder {
        return Ok(None);
    }
    let copy = from.published_copy.as_ref();
    if copy.is_some_and(|copy| copy.is_missing) {
        findings.warn(
            "publishedCopyMissing",
            "its published copy could not be had: only the draft is imported. What is published here stays",
        );
        return Ok(None);
    }
    let shown = public_content(from, findings)?;
    let mut base = Base::of(from);
    if let Some(copy) = copy {
        base.apply_copy(copy);
    }
    base.content = shown.as_deref().or(base.content);
    let differs = if copy.is_some() || shown.is_some() { Some(version(from, base, maps, findings)?) } else { None };
    Ok(Some(Published { at: from.published_at, differs: differs.filter(|differ| differ.edition.differs_from(&draft.edition)) }))
}

/// The draft's content without unpublished translations. `None` if nothing has to be removed, or if the
/// content of the published copy is known.
fn public_content(from: &record::Story, findings: &mut StoryFindings<'_>) -> Result<Option<Box<RawValue>>, Fault> {
    let read = |text: &RawValue| serde_json::from_str::<Value>(text.get());
    let Some(draft) = from.content.as_deref().filter(|_| from.translations().are_individual()) else { return Ok(None) };
    let unreadable = |error: serde_json::Error| Fault::invalid("content", FieldCode::Invalid, error.to_string());
    let draft = read(draft).map_err(unreadable)?;
    let hidden = from.translations().differing_languages(&draft);
    let copy_languages = match from.published_copy.as_ref().and_then(|published_copy| published_copy.content.as_deref()) {
        Some(content) => Some(translated::languages(&read(content).map_err(unreadable)?)),
        None => None,
    };
    for suffix in hidden.iter().filter(|h| copy_languages.as_ref().is_none_or(|copy_languages| !copy_languages.contains(*h))) {
        let message = format!(
            "its translation in {suffix} is not published at the source, or not as it is now: what is published here is without it"
        );
        findings.warn("translationUnpublished", message);
    }
    if hidden.is_empty() || copy_languages.is_some() {
        return Ok(None);
    }
    let shown = serde_json::value::to_raw_value(&translated::without_languages(&draft, &hidden));
    shown.map(Some).map_err(|error| Fault::internal(error.to_string()))
}

/// The attributes that an edition is built from.
pub(super) struct Base<'a> {
    pub(super) name: &'a str,
    pub(super) tags: &'a [String],
    pub(super) content: Option<&'a RawValue>,
    pub(super) path: Option<&'a str>,
    pub(super) sort_by_date: Option<Date>,
    pub(super) meta_data: Option<&'a RawValue>,
}

impl<'a> Base<'a> {
    /// Those of the draft.
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

    /// Replaces the attributes in which the published copy differs.
    fn apply_copy(&mut self, copy: &'a record::PublishedCopy) {
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
