//! Whether the links of a content have the right paths already, asked without building a tree of it: most
//! have, and their text is then sent as it is.

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, collections::BTreeMap, fmt};
use uuid::Uuid;

/// Whether [`super::refresh`] would change nothing. `false` also for what is no JSON.
pub fn is_current(content: &str, paths: &BTreeMap<Uuid, &str>) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(content);
    Links { paths }.deserialize(&mut deserializer).is_ok() && deserializer.end().is_ok()
}

/// Walks through a value: its text, if it is one; an error at the first link with another path.
#[derive(Clone, Copy)]
struct Links<'a> {
    paths: &'a BTreeMap<Uuid, &'a str>,
}

/// The text of a value.
type Text<'de> = Option<Cow<'de, str>>;

impl<'de> DeserializeSeed<'de> for Links<'_> {
    type Value = Text<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Text<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Links<'_> {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON whose links have the right paths")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Text<'de>, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Text<'de>, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Text<'de>, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Text<'de>, E> {
        Ok(None)
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Text<'de>, A::Error> {
        while items.next_element_seed(self)?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Text<'de>, A::Error> {
        let mut link = Link::default();
        // Keys are texts, and hold no links.
        while let Some(key) = members.next_key_seed(self)? {
            let value = members.next_value_seed(self)?;
            match key.as_deref() {
                Some("fieldtype") => link.fieldtype = value,
                Some("linktype") => link.linktype = value,
                Some("id") => link.id = value,
                Some("cached_url") => link.cached_url = value,
                _ => {}
            }
        }
        if link.is_current(self.paths) { Ok(None) } else { Err(A::Error::custom("a link has another path")) }
    }
}

/// The members of an object that may make it a link to a story.
#[derive(Default)]
struct Link<'de> {
    fieldtype: Text<'de>,
    linktype: Text<'de>,
    id: Text<'de>,
    cached_url: Text<'de>,
}

impl Link<'_> {
    fn is_current(&self, paths: &BTreeMap<Uuid, &str>) -> bool {
        let is_link = self.fieldtype.as_deref() == Some("multilink") && self.linktype.as_deref() == Some("story");
        let target = self.id.as_deref().filter(|_| is_link).and_then(|id| id.parse::<Uuid>().ok());
        target.and_then(|uuid| paths.get(&uuid)).is_none_or(|path| self.cached_url.as_deref() == Some(path))
    }
}
