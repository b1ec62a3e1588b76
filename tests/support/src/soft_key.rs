//! A security key and a browser, implemented from WebAuthn Level 3, CTAP 2 and RFC 8949 without the server's
//! libraries, so that they share no mistake. Every part of a response can be forged.

use aws_lc_rs::{
    digest::{SHA256, digest},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use serde_json::{Value, json};

/// Bits of the authenticator data (WebAuthn, section 6.1).
pub const PRESENT: u8 = 0x01;
pub const VERIFIED: u8 = 0x04;
pub const BACKUP_ELIGIBLE: u8 = 0x08;
pub const BACKED_UP: u8 = 0x10;
const ATTESTED: u8 = 0x40;

/// The key, and the browser at a page.
pub struct SoftKey {
    /// The origin of the page.
    pub origin: String,
    pub aaguid: [u8; 16],
    /// The flags of its responses.
    pub flags: u8,
    /// Whether it counts its signatures.
    pub counts: bool,
    passkeys: Vec<Held>,
}

struct Held {
    id: Vec<u8>,
    key: EcdsaKeyPair,
    rp_id: String,
    user_handle: Vec<u8>,
    count: u32,
}

/// The parts of a response, before they are signed.
pub struct ResponseParts {
    pub client_data: Value,
    /// The RP ID whose hash begins the authenticator data.
    pub rp_id: String,
    /// The flags: user present, user verified.
    pub flags: u8,
    pub count: u32,
    /// The id of the passkey.
    pub id: Vec<u8>,
    pub user_handle: Option<Vec<u8>>,
}

/// Forges a part of a response.
pub type Forgery = fn(&mut ResponseParts);

impl SoftKey {
    /// A key that counts its signatures and is not backed up, at a page of this origin.
    pub fn at(origin: &str) -> Self {
        Self { origin: origin.to_owned(), aaguid: [0; 16], flags: PRESENT | VERIFIED, counts: true, passkeys: Vec::new() }
    }

    /// A synchronised key without a counter, like those of phones.
    pub fn synced(origin: &str) -> Self {
        let flags = PRESENT | VERIFIED | BACKUP_ELIGIBLE | BACKED_UP;
        Self { flags, counts: false, ..Self::at(origin) }
    }

    /// Creates a passkey: `RegistrationResponseJSON`.
    pub fn create(&mut self, options: &Value) -> Value {
        self.create_forged(options, |_| {})
    }

    /// The same with a forged part.
    pub fn create_forged(&mut self, options: &Value, forge: impl FnOnce(&mut ResponseParts)) -> Value {
        assert_eq!(options["authenticatorSelection"]["residentKey"], "required", "it is to be found without a name");
        assert!(options["pubKeyCredParams"].as_array().unwrap().iter().any(|option| option["alg"] == -7), "ES256");
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let id = digest(&SHA256, key.public_key().as_ref()).as_ref().to_vec();
        let mut parts = ResponseParts {
            client_data: self.client_data("webauthn.create", options),
            rp_id: text(&options["rp"]["id"]),
            flags: self.flags | ATTESTED,
            count: 0,
            id,
            user_handle: Some(bytes(&options["user"]["id"])),
        };
        forge(&mut parts);
        let mut data = parts.authenticator_data();
        data.extend(self.aaguid);
        data.extend(u16::try_from(parts.id.len()).unwrap().to_be_bytes());
        data.extend(&parts.id);
        data.extend(cose(key.public_key().as_ref()));
        // {"fmt": "none", "attStmt": {}, "authData": …}
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        object.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        object.extend(&data);

        let id = BASE64.encode(&parts.id);
        let answer = json!({
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "cross-platform",
            "clientExtensionResults": { "credProps": { "rk": true } },
            "response": {
                "clientDataJSON": BASE64.encode(parts.client_data.to_string()),
                "attestationObject": BASE64.encode(&object),
                "authenticatorData": BASE64.encode(&data),
                "transports": ["usb", "nfc", "carrier-pigeon"],
                "publicKeyAlgorithm": -7,
            }
        });
        let user_handle = parts.user_handle.unwrap_or_default();
        self.passkeys.push(Held { id: parts.id, key, rp_id: parts.rp_id, user_handle, count: parts.count });
        answer
    }

    /// Signs with the newest allowed passkey: `AuthenticationResponseJSON`.
    pub fn get(&mut self, options: &Value) -> Value {
        self.get_forged(options, |_| {})
    }

    /// The same with a forged part.
    pub fn get_forged(&mut self, options: &Value, forge: impl FnOnce(&mut ResponseParts)) -> Value {
        let allowed: Vec<Vec<u8>> =
            options["allowCredentials"].as_array().unwrap().iter().map(|option| bytes(&option["id"])).collect();
        let client_data = self.client_data("webauthn.get", options);
        let (flags, counts, rp_id) = (self.flags, self.counts, text(&options["rpId"]));
        let fits = |value: &&mut Held| value.rp_id == rp_id && (allowed.is_empty() || allowed.contains(&value.id));
        let held = self.passkeys.iter_mut().rev().find(fits).expect("a passkey that is allowed");
        held.count += u32::from(counts);
        let mut parts = ResponseParts {
            client_data,
            rp_id: held.rp_id.clone(),
            flags,
            count: held.count,
            id: held.id.clone(),
            user_handle: Some(held.user_handle.clone()),
        };
        forge(&mut parts);
        let (data, client_data) = (parts.authenticator_data(), parts.client_data.to_string());
        let signed = [&data, digest(&SHA256, client_data.as_bytes()).as_ref()].concat();
        let id = BASE64.encode(&parts.id);
        json!({
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "cross-platform", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": BASE64.encode(client_data),
                "authenticatorData": BASE64.encode(&data),
                "signature": BASE64.encode(held.key.sign(&SystemRandom::new(), &signed).unwrap()),
                "userHandle": parts.user_handle.map(|user_handle| BASE64.encode(user_handle)),
            }
        })
    }

    fn client_data(&self, what: &str, options: &Value) -> Value {
        json!({ "type": what, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false })
    }
}

impl ResponseParts {
    fn authenticator_data(&self) -> Vec<u8> {
        let mut data = digest(&SHA256, self.rp_id.as_bytes()).as_ref().to_vec();
        data.push(self.flags);
        data.extend(self.count.to_be_bytes());
        data
    }
}

/// A point of P-256 as a COSE key: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`.
fn cose(point: &[u8]) -> Vec<u8> {
    let (x, y) = point[1..].split_at(32);
    [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", x, b"\x22\x58\x20", y].concat()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn bytes(value: &Value) -> Vec<u8> {
    BASE64.decode(value.as_str().unwrap()).unwrap()
}
