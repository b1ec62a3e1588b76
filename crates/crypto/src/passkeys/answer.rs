//! The responses of browsers, as `@simplewebauthn/browser` writes them: `RegistrationResponseJSON` and
//! `AuthenticationResponseJSON`.

use super::ResponseRefusal;
use base64::{
    Engine,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;
use webauthn_rs::prelude::{PublicKeyCredential, RegisterPublicKeyCredential};
use webauthn_rs_proto::{
    AuthenticationExtensionsClientOutputs, AuthenticatorAssertionResponseRaw, AuthenticatorAttestationResponseRaw,
    RegistrationExtensionsClientOutputs,
};

/// Base64url. It is written without padding, and read with or without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_encode_padding(false).with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Encodes bytes in base64url.
pub(super) fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Bytes that are in base64url on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        BASE64.decode(text).map(Self).map_err(|_| D::Error::custom("no base64url"))
    }
}

/// The client data that the authenticator signed. The library reads the members that are missing here;
/// members that WebAuthn does not define are ignored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    challenge: String,
    #[serde(default)]
    cross_origin: Value,
    #[serde(default)]
    top_origin: Value,
}

impl ClientData {
    fn of(bytes: &Bytes) -> Option<Self> {
        serde_json::from_slice(&bytes.0).ok()
    }

    /// Whether the page was embedded in a page of another site.
    fn is_framed(&self) -> bool {
        !matches!(self.cross_origin, Value::Null | Value::Bool(false)) || !self.top_origin.is_null()
    }
}

/// The challenge in a response; `None` when the response cannot be read so far.
pub fn challenge_of(sent: &Value) -> Option<String> {
    let client_data = Bytes::deserialize(sent.get("response")?.get("clientDataJSON")?).ok()?;
    ClientData::of(&client_data).map(|o| o.challenge)
}

/// The members that both responses have.
#[derive(Debug)]
struct Head {
    id: Bytes,
    raw_id: Bytes,
    kind: String,
    client_data: ClientData,
}

impl Head {
    /// The checks that the library leaves to its caller (WebAuthn, sections 7.1 and 7.2).
    fn check(&self) -> Result<(), ResponseRefusal> {
        let wrong = |what: &str| Err(ResponseRefusal::Wrong(what.to_owned()));
        if self.id != self.raw_id {
            return wrong("two ids that differ");
        }
        if self.kind != "public-key" {
            return wrong("no public key");
        }
        if self.client_data.is_framed() {
            return wrong("asked for within another site's page");
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire<T> {
    id: Bytes,
    raw_id: Bytes,
    #[serde(rename = "type")]
    kind: String,
    response: T,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RegistrationWire {
    #[serde(rename = "clientDataJSON")]
    client_data: Bytes,
    attestation_object: Bytes,
    #[serde(default)]
    transports: Option<Vec<String>>,
}

/// The response of a browser that has created a passkey.
#[derive(Debug)]
pub struct Registration {
    head: Head,
    client_data: Vec<u8>,
    attestation_object: Vec<u8>,
    transports: Vec<String>,
}

impl Registration {
    /// Parses a response; `None` when it is malformed. Unknown members are ignored.
    pub fn read(sent: &Value) -> Option<Self> {
        let Wire { id, raw_id, kind, response } = Wire::<RegistrationWire>::deserialize(sent).ok()?;
        let client_data = ClientData::of(&response.client_data)?;
        Some(Self {
            head: Head { id, raw_id, kind, client_data },
            client_data: response.client_data.0,
            attestation_object: response.attestation_object.0,
            transports: response.transports.unwrap_or_default(),
        })
    }

    /// The challenge of the response.
    pub(super) fn challenge(&self) -> &str {
        &self.head.client_data.challenge
    }

    /// The transports by which the browser can reach the authenticator, as it states them.
    pub fn transports(&self) -> &[String] {
        &self.transports
    }

    pub(super) fn credential_id(&self) -> &[u8] {
        &self.head.raw_id.0
    }

    pub(super) fn attestation_object(&self) -> &[u8] {
        &self.attestation_object
    }

    pub(super) fn check(&self) -> Result<(), ResponseRefusal> {
        self.head.check()
    }

    pub(super) fn to_library(&self) -> RegisterPublicKeyCredential {
        RegisterPublicKeyCredential {
            id: encode(&self.head.id.0),
            raw_id: self.head.raw_id.0.clone(),
            response: AuthenticatorAttestationResponseRaw {
                attestation_object: self.attestation_object.clone(),
                client_data_json: self.client_data.clone(),
                // The transports are not signed; they are stored beside the key.
                transports: None,
            },
            type_: self.head.kind.clone(),
            extensions: RegistrationExtensionsClientOutputs::default(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AssertionWire {
    #[serde(rename = "clientDataJSON")]
    client_data: Bytes,
    authenticator_data: Bytes,
    signature: Bytes,
    #[serde(default)]
    user_handle: Option<Bytes>,
}

/// The response of a browser that has used a passkey.
#[derive(Debug)]
pub struct Assertion {
    head: Head,
    client_data: Vec<u8>,
    authenticator_data: Vec<u8>,
    signature: Vec<u8>,
    user_handle: Option<Vec<u8>>,
}

impl Assertion {
    /// Parses a response; `None` when it is malformed. Unknown members are ignored.
    pub fn read(sent: &Value) -> Option<Self> {
        let Wire { id, raw_id, kind, response } = Wire::<AssertionWire>::deserialize(sent).ok()?;
        let client_data = ClientData::of(&response.client_data)?;
        Some(Self {
            head: Head { id, raw_id, kind, client_data },
            client_data: response.client_data.0,
            authenticator_data: response.authenticator_data.0,
            signature: response.signature.0,
            user_handle: response.user_handle.map(|user_handle| user_handle.0),
        })
    }

    /// The challenge of the response.
    pub(super) fn challenge(&self) -> &str {
        &self.head.client_data.challenge
    }

    /// The credential id of the passkey.
    pub fn credential_id(&self) -> &[u8] {
        &self.head.raw_id.0
    }

    /// Whether the response states this user handle; `None` when it states none.
    pub fn is_of(&self, handle: Option<&[u8]>) -> Option<bool> {
        self.user_handle.as_deref().map(|user_handle| Some(user_handle) == handle)
    }

    pub(super) fn check(&self) -> Result<(), ResponseRefusal> {
        self.head.check()
    }

    pub(super) fn to_library(&self) -> PublicKeyCredential {
        PublicKeyCredential {
            id: encode(&self.head.id.0),
            raw_id: self.head.raw_id.0.clone(),
            response: AuthenticatorAssertionResponseRaw {
                authenticator_data: self.authenticator_data.clone(),
                client_data_json: self.client_data.clone(),
                signature: self.signature.clone(),
                user_handle: self.user_handle.clone(),
            },
            extensions: AuthenticationExtensionsClientOutputs::default(),
            type_: self.head.kind.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Assertion, Registration, challenge_of, encode};
    use serde_json::{Value, json};

    fn client_data() -> String {
        encode(br#"{"type":"webauthn.get","challenge":"abc","origin":"https://example.org","crossOrigin":false,"more":1}"#)
    }

    fn assertion() -> Value {
        json!({
            "id": "AQ", "rawId": "AQ", "type": "public-key", "authenticatorAttachment": "platform", "clientExtensionResults": {},
            "response": { "clientDataJSON": client_data(), "authenticatorData": "AA==", "signature": "_-8", "userHandle": null }
        })
    }

    #[test]
    fn an_answer_is_read_with_padding_or_without_and_whatever_else_it_holds() {
        let read = Assertion::read(&assertion()).unwrap();
        assert_eq!((read.challenge(), read.credential_id(), read.signature.as_slice()), ("abc", &[1][..], &[255, 239][..]));
        assert_eq!(read.is_of(Some(&[7; 32])), None);
        let mut named = assertion();
        named["response"]["userHandle"] = json!(encode(&[7; 32]));
        let named = Assertion::read(&named).unwrap();
        let is_named = [Some(&[7; 32][..]), Some(&[8; 32][..]), Some(&[][..]), None].map(|value| named.is_of(value));
        assert_eq!(is_named, [Some(true), Some(false), Some(false), Some(false)]);
    }

    #[test]
    fn what_cannot_be_read_may_name_its_challenge_all_the_same() {
        let mut broken = assertion();
        broken["response"]["signature"] = json!("a b");
        broken["id"].take();
        assert_eq!((Assertion::read(&broken).is_none(), challenge_of(&broken).as_deref()), (true, Some("abc")));
        for client_data in [json!(7), json!("a b"), json!(encode(b"{}")), json!(encode(br#"{"challenge":7}"#))] {
            broken["response"]["clientDataJSON"] = client_data;
            assert_eq!(challenge_of(&broken), None, "{broken}");
        }
        assert_eq!((challenge_of(&json!("x")), challenge_of(&json!({ "response": [] }))), (None, None));
    }

    #[test]
    fn what_is_no_answer_is_none() {
        assert!(Registration::read(&assertion()).is_none(), "the other kind");
        for (pointer, odd) in [
            ("/id", json!("+")),
            ("/rawId", json!(1)),
            ("/type", Value::Null),
            ("/response/signature", json!("a b")),
            ("/response/clientDataJSON", json!(encode(b"{}"))),
            ("/response/clientDataJSON", json!(encode(b"[]"))),
            ("/response", json!([])),
        ] {
            let mut broken = assertion();
            *broken.pointer_mut(pointer).unwrap() = odd;
            assert!(Assertion::read(&broken).is_none(), "{pointer}");
        }
    }

    #[test]
    fn what_the_library_does_not_look_at_is_looked_at() {
        let client_data = |more: &str| json!(encode(format!(r#"{{"challenge":"abc",{more}}}"#).as_bytes()));
        let at = "/response/clientDataJSON";
        for (pointer, odd) in [
            ("/id", json!("Ag")),
            ("/type", json!("password")),
            (at, client_data(r#""topOrigin":"https://evil.example""#)),
            (at, client_data(r#""crossOrigin":true"#)),
            (at, client_data(r#""crossOrigin":"no""#)),
        ] {
            let mut broken = assertion();
            *broken.pointer_mut(pointer).unwrap() = odd;
            assert!(Assertion::read(&broken).unwrap().check().is_err(), "{broken}");
        }
        assert_eq!(Assertion::read(&assertion()).unwrap().check(), Ok(()));
        let mut silent = assertion();
        *silent.pointer_mut(at).unwrap() = client_data(r#""topOrigin":null"#);
        assert_eq!(Assertion::read(&silent).unwrap().check(), Ok(()));
    }

    fn registration() -> Value {
        json!({
            "id": "AQ", "rawId": "AQ", "type": "public-key",
            "response": { "clientDataJSON": client_data(), "attestationObject": "_-8", "transports": ["usb", "hybrid"] }
        })
    }

    #[test]
    fn the_answer_to_a_registration_is_read_as_well() {
        let read = Registration::read(&registration()).unwrap();
        assert_eq!((read.challenge(), read.credential_id(), read.attestation_object()), ("abc", &[1][..], &[255, 239][..]));
        assert_eq!(read.transports(), ["usb", "hybrid"]);
        assert_eq!(read.check(), Ok(()));
        let mut silent = registration();
        silent["response"]["transports"] = Value::Null;
        assert_eq!(Registration::read(&silent).unwrap().transports(), [""; 0]);
        let mut other = registration();
        other["type"] = json!("password");
        assert!(Registration::read(&other).unwrap().check().is_err());
        assert!(Registration::read(&json!({})).is_none());
    }
}
