//! The one thing that the library does not tell of a new key: the kind of its authenticator.

use serde::Deserialize;
use uuid::Uuid;

/// Where it lies in the authenticator data: after the hash of the domain (32), the flags (1) and the count (4).
const AT: usize = 37;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttestationObject<'a> {
    auth_data: &'a [u8],
}

/// The AAGUID in an attestation object that was found right; `None` when the authenticator keeps it to itself.
pub(super) fn aaguid(attestation_object: &[u8]) -> Option<Uuid> {
    let object: AttestationObject<'_> = serde_cbor_2::from_slice(attestation_object).ok()?;
    let bytes = object.auth_data.get(AT..AT + 16)?;
    Uuid::from_slice(bytes).ok().filter(|f| !f.is_nil())
}
