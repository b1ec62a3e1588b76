//! An attribute of a partial update: absent, or given (perhaps as `null`).

use serde::{Deserialize, Deserializer};

/// One attribute of an update. With `#[serde(default)]`, a missing key is [`Field::Absent`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Field<T> {
    /// The key is absent: the attribute stays.
    #[default]
    Absent,
    /// The key is given.
    Given(T),
}

impl<T: Clone> Field<T> {
    /// Replaces the old value by a given one.
    pub fn apply(&self, target: &mut T) {
        if let Self::Given(value) = self {
            target.clone_from(value);
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::Given)
    }
}

#[cfg(test)]
mod tests {
    use super::Field;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Body {
        #[serde(default)]
        color: Field<Option<String>>,
    }

    #[test]
    fn null_empties_and_a_missing_key_keeps() {
        for (body, after) in [("{}", Some("red")), (r#"{"color":null}"#, None), (r#"{"color":"blue"}"#, Some("blue"))] {
            let mut color = Some("red".to_owned());
            serde_json::from_str::<Body>(body).unwrap().color.apply(&mut color);
            assert_eq!(color.as_deref(), after, "{body}");
        }
    }
}
