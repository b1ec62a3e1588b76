//! The members of an object one by one, for readers that report everything that is wrong with it.

use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, value::RawValue};
use std::{fmt, marker::PhantomData};

/// The members of an object in their order, also those whose name occurs twice.
#[derive(Debug)]
pub struct Members<V = Value>(pub Vec<(String, V)>);

impl<V: de::DeserializeOwned> Members<V> {
    /// The members of a JSON value; `None` if it is no object, or a value in it is no `V`.
    pub fn parse(json: &RawValue) -> Option<Self> {
        serde_json::from_str(json.get()).ok()
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Members<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> de::Visitor<'de> for Visitor<V> {
            type Value = Members<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Members<V>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Visitor(PhantomData))
    }
}
