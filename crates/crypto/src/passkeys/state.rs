//! The state that the library needs between the start and the end of a ceremony. It is stored without the
//! challenge, of which the database holds only a hash; the response of the browser brings the challenge back.

use super::ResponseRefusal;
use domain::shared::Fault;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// The member of the state that is removed before it is stored.
const CHALLENGE: &str = "challenge";

/// The state as it may be stored.
pub(super) fn without_challenge(state: &impl Serialize) -> Result<Value, Fault> {
    let broken = |what: &str| Fault::internal(format!("passkey state: {what}"));
    let mut state = serde_json::to_value(state).map_err(|error| broken(&error.to_string()))?;
    inner(&mut state).and_then(|i| i.remove(CHALLENGE)).ok_or_else(|| broken("no challenge"))?;
    Ok(state)
}

/// Restores the state with the challenge of the response.
pub(super) fn with_challenge<T: DeserializeOwned>(stored: &Value, challenge: &str) -> Result<T, ResponseRefusal> {
    let mut state = stored.clone();
    if let Some(inner) = inner(&mut state) {
        inner.insert(CHALLENGE.to_owned(), Value::String(challenge.to_owned()));
    }
    serde_json::from_value(state).map_err(|error| ResponseRefusal::Wrong(format!("stored state: {error}")))
}

/// The library wraps each state into an object with one member.
fn inner(state: &mut Value) -> Option<&mut Map<String, Value>> {
    state.as_object_mut()?.values_mut().next()?.as_object_mut()
}

#[cfg(test)]
mod tests {
    use super::{with_challenge, without_challenge};
    use serde_json::{Value, json};

    #[test]
    fn a_state_is_stored_without_its_challenge_and_restored_with_it() {
        let state = json!({"rs": {"policy": "required", "challenge": "abc", "credentials": []}});
        let stored = without_challenge(&state).unwrap();
        assert_eq!(stored, json!({"rs": {"policy": "required", "credentials": []}}));
        assert_eq!(with_challenge::<Value>(&stored, "abc"), Ok(state));
    }

    #[test]
    fn a_state_without_a_challenge_is_not_stored() {
        for state in [json!({"rs": {"policy": "required"}}), json!({}), json!([]), json!({"rs": 5})] {
            assert!(without_challenge(&state).is_err(), "{state}");
        }
    }
}
