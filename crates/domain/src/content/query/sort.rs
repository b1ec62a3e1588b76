//! `sort_by`, such as `name:desc,content.price:asc:float:nulls_first`.

use super::FieldPath;
use crate::shared::{Fault, FieldCode};
use strum::EnumString;

/// How many keys an order may have.
const MAX_KEYS: usize = 8;

/// One key of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The value that is compared.
    pub by: SortBy,
    /// Whether the greatest value comes first.
    pub descending: bool,
    /// Whether stories without a value come first. By default they come last in both directions.
    pub nulls_first: bool,
}

/// The value that stories are ordered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortBy {
    /// A property of the story.
    Property(Property),
    /// A value in the content.
    Content(FieldPath, Cast),
}

/// How values of the content are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cast {
    /// As texts, by code point.
    #[default]
    Text,
    /// As whole numbers; anything else counts as no value.
    Int,
    /// As numbers with decimals; anything else counts as no value.
    Float,
}

/// The properties of a story that it can be ordered by, named as in the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Property {
    Id,
    Uuid,
    Name,
    Slug,
    FullSlug,
    Path,
    Position,
    SortByDate,
    CreatedAt,
    UpdatedAt,
    PublishedAt,
    FirstPublishedAt,
    IsStartpage,
    ParentId,
    GroupId,
    /// The root component. As the two below, it is a property in lists of editors only.
    ContentType,
    /// From drafts over scheduled and changed stories to published ones.
    State,
    LastAuthor,
}

impl Property {
    /// Whether only lists of editors have it.
    fn is_of_editors(self) -> bool {
        matches!(self, Self::ContentType | Self::State | Self::LastAuthor)
    }
}

/// Parses an order of a list of the Delivery API. 422 that names `sort_by`.
pub fn parse(text: &str) -> Result<Vec<SortKey>, Fault> {
    let keys = parse_for_editors(text)?;
    match keys.iter().find(|key| matches!(key.by, SortBy::Property(property) if property.is_of_editors())) {
        None => Ok(keys),
        Some(_) => Err(Fault::invalid("sort_by", FieldCode::Invalid, format!("has an invalid key: {text}"))),
    }
}

/// The same of a list of the Management API.
pub fn parse_for_editors(text: &str) -> Result<Vec<SortKey>, Fault> {
    let keys: Vec<SortKey> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(key).collect::<Result<_, _>>()?;
    if keys.len() > MAX_KEYS {
        return Err(Fault::invalid("sort_by", FieldCode::TooMany, format!("has more than {MAX_KEYS} keys")));
    }
    Ok(keys)
}

fn key(text: &str) -> Result<SortKey, Fault> {
    let wrong = || Fault::invalid("sort_by", FieldCode::Invalid, format!("has an invalid key: {text}"));
    let mut parts = text.split(':');
    let attribute = parts.next().unwrap_or_default();
    let descending = match parts.next() {
        None | Some("asc") => false,
        Some("desc") => true,
        Some(_) => return Err(wrong()),
    };
    let (mut cast, mut nulls_first) = (Cast::default(), false);
    for part in parts {
        match part {
            "int" => cast = Cast::Int,
            "float" => cast = Cast::Float,
            "nulls_first" => nulls_first = true,
            "nulls_last" => nulls_first = false,
            _ => return Err(wrong()),
        }
    }
    let by = match attribute.strip_prefix("content.") {
        Some(path) => SortBy::Content(FieldPath::parse("sort_by", path)?, cast),
        None => SortBy::Property(attribute.parse().map_err(|_| wrong())?),
    };
    if matches!(&by, SortBy::Content(path, _) if path.keys().is_none()) {
        return Err(wrong());
    }
    Ok(SortKey { by, descending, nulls_first })
}

#[cfg(test)]
mod tests {
    use super::{Cast, Property, SortBy, SortKey, parse, parse_for_editors};
    use crate::content::query::FieldPath;

    #[test]
    fn keys_are_read_with_direction_cast_and_nulls() {
        let keys = parse("created_at:desc, content.price:asc:float:nulls_first,name").unwrap();
        let property = |property, descending| SortKey { by: SortBy::Property(property), descending, nulls_first: false };
        assert_eq!(keys[0], property(Property::CreatedAt, true));
        assert_eq!(keys[2], property(Property::Name, false));
        let price = SortBy::Content(FieldPath::parse("sort_by", "price").unwrap(), Cast::Float);
        assert_eq!(keys[1], SortKey { by: price, descending: false, nulls_first: true });
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for bad in [
            "state:asc",
            "name,last_author",
            "nope:asc",
            "name:up",
            "name:asc:text",
            "content.:asc",
            "content.a.*:asc",
            &["id"; 9].join(","),
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_for_editors("state:desc,content_type,last_author").unwrap().len(), 3);
    }

    #[test]
    fn the_last_word_on_missing_values_counts() {
        let nulls_first = |text| parse(text).unwrap()[0].nulls_first;
        assert!(!nulls_first("content.a:asc:nulls_last"));
        assert!(nulls_first("content.a:desc:int:nulls_first"));
        assert!(!nulls_first("content.a:asc:nulls_first:nulls_last"));
    }
}
