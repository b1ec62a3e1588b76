//! Reads bodies of the Management API, whose clients write scalars in other types than a field has: numbers
//! as text, switches as 0 and 1 (see [`parse_cast`]).
//!
//! What a field wants is what its Rust type asks serde for, so there is no second list of fields. What has no
//! type is left as it is: content, schemas and other values that are kept as JSON (`Value`, `RawValue`).

use super::{FieldCode, Nul, bad_json, check, members::Members};
use crate::shared::{Code, Fault};
use serde::{
    de::{self, DeserializeOwned, IntoDeserializer, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Number, value::RawValue};
use std::fmt;

/// The name by which serde asks `serde_json` for a [`RawValue`].
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// Parses an object into a type whose scalars may be written in other types:
///
/// | wanted | taken |
/// |---|---|
/// | a switch | `true`, 1, `"1"`, `"true"`; `false`, 0, `"0"`, `"false"`, `""` |
/// | a whole number | also `"7"`, `7.0` and `"7.0"` |
/// | a text | also numbers and switches |
/// | a reference or a time that may be null | also `""` for `null` |
///
/// 400 `badJson` for what is no JSON, nests too deep, repeats a key or holds U+0000; 422 that names the field
/// for a value that cannot be cast.
pub fn parse_cast<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    check(body, Nul::Refused)?;
    let body: &RawValue = serde_json::from_slice(body).map_err(|error| bad_json(&error))?;
    if !body.get().starts_with('{') {
        return Err(Fault::new(Code::BadJson, "The body must be a JSON object"));
    }
    cast(body)
}

/// The same for a part of a body that was parsed before.
pub fn cast<T: DeserializeOwned>(json: &RawValue) -> Result<T, Fault> {
    // Serde asks whether a value is there before it says what it wants. So a `""` is tried as itself, and
    // read as `null` when no text was wanted.
    let mut nulls = Vec::new();
    loop {
        let error = match T::deserialize(Cast { json: json.get(), nulls: &nulls }) {
            Ok(read) => return Ok(read),
            Err(error) => error,
        };
        match error.empty {
            Some(place) if !nulls.contains(&place) => nulls.push(place),
            _ => return Err(error.into_fault()),
        }
    }
}

/// A whole number, which may be written as text or as `7.0`; `None` for anything else.
pub fn whole_number(value: &serde_json::Value) -> Option<i64> {
    use serde_json::Value::{Number, String};
    let number = match value {
        Number(number) => whole(&number.to_string()),
        String(text) => whole(text.trim()),
        _ => None,
    };
    number.and_then(|number| number.try_into().ok())
}

fn whole(text: &str) -> Option<i128> {
    let with_zeros = text.split_once('.').filter(|(_, rest)| !rest.is_empty() && rest.bytes().all(|digit| digit == b'0'));
    with_zeros.map_or(text, |(whole, _)| whole).parse().ok()
}

/// What is wrong with a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Wrong {
    #[default]
    Value,
    /// A value is missing.
    Missing,
    /// It is no JSON.
    Json,
}

/// Why a value could not be read.
#[derive(Debug, Default)]
struct CastError {
    /// The keys that lead to the value, the innermost first.
    path: Vec<String>,
    wrong: Wrong,
    message: String,
    /// Where it is, if it is an empty text.
    empty: Option<usize>,
}

impl CastError {
    fn wanted(what: &str) -> Self {
        Self { wrong: Wrong::Value, message: format!("must be {what}"), ..Self::default() }
    }

    fn into_fault(self) -> Fault {
        let code = match self.wrong {
            Wrong::Value => FieldCode::Invalid,
            Wrong::Missing => FieldCode::Blank,
            Wrong::Json => return Fault::new(Code::BadJson, format!("The body could not be read: {}", self.message)),
        };
        let field = self.path.into_iter().rev().collect::<Vec<_>>().join(".");
        Fault::invalid(&field, code, self.message)
    }
}

impl fmt::Display for CastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CastError {}

impl de::Error for CastError {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self { wrong: Wrong::Value, message: format!("could not be read: {message}"), ..Self::default() }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { path: vec![field.to_owned()], wrong: Wrong::Missing, message: "can't be blank".to_owned(), empty: None }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self { wrong: Wrong::Json, message: format!("duplicate field `{field}`"), ..Self::default() }
    }
}

impl From<serde_json::Error> for CastError {
    fn from(error: serde_json::Error) -> Self {
        let wrong = if error.is_data() { Wrong::Value } else { Wrong::Json };
        Self { wrong, ..de::Error::custom(error) }
    }
}

/// A value, which answers what it is asked for.
#[derive(Clone, Copy)]
struct Cast<'de, 'a> {
    json: &'de str,
    /// The places of empty texts that are read as `null`.
    nulls: &'a [usize],
}

/// A scalar.
enum Scalar {
    Null,
    Switch(bool),
    Number(Number),
    Text(String),
}

impl<'de> Cast<'de, '_> {
    /// The value as it was sent; `None` for a list and an object.
    fn scalar(self) -> Result<Option<Scalar>, CastError> {
        Ok(Some(match self.json.as_bytes().first() {
            Some(b'[' | b'{') => return Ok(None),
            Some(b'"') => Scalar::Text(serde_json::from_str(self.json)?),
            Some(b't' | b'f') => Scalar::Switch(serde_json::from_str(self.json)?),
            Some(b'n') | None => Scalar::Null,
            Some(_) => Scalar::Number(serde_json::from_str(self.json)?),
        }))
    }

    /// Where the value stands: its address in the body, which is borrowed for as long as it is read.
    fn place(self) -> usize {
        self.json.as_ptr().addr()
    }

    fn switch(self) -> Result<bool, CastError> {
        let wrong = || CastError::wanted("true or false");
        let text = match self.scalar()?.ok_or_else(wrong)? {
            Scalar::Switch(is_on) => return Ok(is_on),
            Scalar::Number(number) => number.to_string(),
            Scalar::Text(text) => text.trim().to_owned(),
            Scalar::Null => return Err(wrong()),
        };
        match text.as_str() {
            "1" | "true" => Ok(true),
            "" | "0" | "false" => Ok(false),
            _ => Err(wrong()),
        }
    }

    fn whole_number(self) -> Result<i128, CastError> {
        let wrong = || CastError::wanted("a whole number");
        let text = match self.scalar()?.ok_or_else(wrong)? {
            Scalar::Number(number) => number.to_string(),
            Scalar::Text(text) if text.is_empty() => return Err(CastError { empty: Some(self.place()), ..wrong() }),
            Scalar::Text(text) => text.trim().to_owned(),
            Scalar::Switch(_) | Scalar::Null => return Err(wrong()),
        };
        whole(&text).ok_or_else(wrong)
    }

    fn number(self) -> Result<f64, CastError> {
        let wrong = || CastError::wanted("a number");
        match self.scalar()?.ok_or_else(wrong)? {
            Scalar::Number(number) => number.as_f64().ok_or_else(wrong),
            Scalar::Text(text) if text.is_empty() => Err(CastError { empty: Some(self.place()), ..wrong() }),
            Scalar::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong),
            Scalar::Switch(_) | Scalar::Null => Err(wrong()),
        }
    }

    fn text(self) -> Result<String, CastError> {
        let wrong = || CastError::wanted("a text");
        match self.scalar()?.ok_or_else(wrong)? {
            Scalar::Text(text) => Ok(text),
            Scalar::Number(number) => Ok(number.to_string()),
            Scalar::Switch(is_on) => Ok(is_on.to_string()),
            Scalar::Null => Err(wrong()),
        }
    }

    /// As `serde_json` reads it.
    fn plain(self) -> serde_json::Deserializer<serde_json::de::StrRead<'de>> {
        serde_json::Deserializer::from_str(self.json)
    }
}

/// Methods for whole numbers of each width.
macro_rules! whole_numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
            let number = self.whole_number()?;
            match (u64::try_from(number), i64::try_from(number)) {
                (Ok(number), _) => visitor.visit_u64(number),
                (_, Ok(number)) => visitor.visit_i64(number),
                _ => Err(CastError::wanted("a smaller number")),
            }
            .map_err(|_: CastError| CastError::wanted("a whole number in its range"))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Cast<'de, '_> {
    type Error = CastError;

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        Ok(de::Deserializer::deserialize_any(&mut self.plain(), visitor)?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        visitor.visit_bool(self.switch()?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        visitor.visit_f64(self.number()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        visitor.visit_f64(self.number()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        let text = self.text()?;
        // An empty text is none for what is written as text and is another thing, such as a UUID.
        let empty = text.is_empty().then(|| self.place());
        visitor.visit_string(text).map_err(|error: CastError| CastError { empty, ..error })
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        if self.json == "null" || self.nulls.contains(&self.place()) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, CastError> {
        if name == RAW_VALUE {
            return Ok(de::Deserializer::deserialize_newtype_struct(&mut self.plain(), name, visitor)?);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        if !self.json.starts_with('[') {
            return Err(CastError::wanted("a list"));
        }
        let items: Vec<&'de RawValue> = serde_json::from_str(self.json)?;
        visitor.visit_seq(Items { items: items.into_iter(), nulls: self.nulls })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, CastError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CastError> {
        if !self.json.starts_with('{') {
            return Err(CastError::wanted("an object"));
        }
        let Members(members) = serde_json::from_str::<Members<&'de RawValue>>(self.json)?;
        visitor.visit_map(Entries { members: members.into_iter(), value: None, nulls: self.nulls })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CastError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CastError> {
        Ok(de::Deserializer::deserialize_enum(&mut self.plain(), name, variants, visitor)?)
    }

    forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit unit_struct tuple_struct ignored_any }
}

/// The items of a list.
struct Items<'de, 'a> {
    items: std::vec::IntoIter<&'de RawValue>,
    nulls: &'a [usize],
}

impl<'de> de::SeqAccess<'de> for Items<'de, '_> {
    type Error = CastError;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, CastError> {
        self.items.next().map(|item| seed.deserialize(Cast { json: item.get(), nulls: self.nulls })).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The members of an object.
struct Entries<'de, 'a> {
    members: std::vec::IntoIter<(String, &'de RawValue)>,
    /// The member whose value is next.
    value: Option<(String, &'de RawValue)>,
    nulls: &'a [usize],
}

impl<'de> de::MapAccess<'de> for Entries<'de, '_> {
    type Error = CastError;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, CastError> {
        self.value = self.members.next();
        let Some((name, _)) = &self.value else { return Ok(None) };
        seed.deserialize(name.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, CastError> {
        let Some((name, value)) = self.value.take() else { return Err(de::Error::custom("a value without a key")) };
        seed.deserialize(Cast { json: value.get(), nulls: self.nulls }).map_err(|mut error| {
            error.path.push(name);
            error
        })
    }
}

#[cfg(test)]
mod tests;
