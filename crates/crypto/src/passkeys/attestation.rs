//! The one thing that the library does not tell of a new key: the kind of its authenticator.

use serde::Deserialize;
use uuid::Uuid;

/// Where it lies in the authenticator data: after the hash of the domain (32), the flags (1) and the count
/// (4).
const AT: usize = 37;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttestationObject<'a> {
    auth_data: &'a [u8],
}

/// The AAGUID in an attestation object that was found right; `None` when the authenticator keeps it to
/// itself.
pub(super) fn aaguid(attestation_object: &[u8]) -> Option<Uuid> {
    let object: AttestationObject<'_> = serde_cbor_2::from_slice(attestation_object).ok()?;
    let bytes = object.auth_data.get(AT..AT + 16)?;
    Uuid::from_slice(bytes).ok().filter(|f| !f.is_nil())
}

#[cfg(test)]
mod tests {
    use super::aaguid;
    use serde_cbor_2::Value;
    use uuid::Uuid;

    fn object(auth_data: Vec<u8>) -> Vec<u8> {
        let member = (Value::Text("authData".into()), Value::Bytes(auth_data));
        serde_cbor_2::to_vec(&Value::Map([member].into())).unwrap()
    }

    #[test]
    fn the_kind_of_the_authenticator_is_behind_hash_flags_and_count() {
        let kind = Uuid::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
        let data = |uuid: Uuid| [&[0xff; 37][..], uuid.as_bytes(), &[0xff; 40]].concat();
        assert_eq!(aaguid(&object(data(kind))), Some(kind));
        assert_eq!(aaguid(&object(data(Uuid::nil()))), None, "it keeps it to itself");
        assert_eq!(aaguid(&object(data(kind)[..52].to_vec())), None);
        assert_eq!(aaguid(b"no object"), None);
    }
}
