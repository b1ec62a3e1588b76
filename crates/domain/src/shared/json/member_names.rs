//! The names of the members that a type reads, as serde knows them: there is no second list beside the
//! struct, which could differ from it.

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor, value};

/// The names of the members of a struct, renamed as it says. `None` for a type that is no struct, and for one
/// with a flattened part, whose names serde does not tell.
pub(super) fn member_names<T: DeserializeOwned>() -> Option<&'static [&'static str]> {
    let mut names = None;
    // It always fails: there is no value to read.
    let _ = T::deserialize(Names(&mut names)).is_ok();
    names
}

/// A deserializer without a value, which keeps the names that a struct asks it for.
struct Names<'a>(&'a mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(value::Error::custom("there is no value"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        *self.0 = Some(fields);
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::member_names;
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only the names are looked at")]
    struct Body {
        first_name: Option<String>,
        #[serde(rename = "kind", default)]
        sort: u8,
    }

    #[derive(Deserialize)]
    struct Nothing {}

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only the names are looked at")]
    struct Flattened {
        #[serde(flatten)]
        body: Body,
    }

    #[test]
    fn the_names_are_those_on_the_wire() {
        assert_eq!(member_names::<Body>(), Some(["firstName", "kind"].as_slice()));
        assert_eq!(member_names::<Nothing>(), Some([].as_slice()));
        assert_eq!(member_names::<Flattened>(), None);
        assert_eq!(member_names::<Value>(), None);
    }
}
