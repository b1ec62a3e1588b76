//! A security key with a browser in front of it. Written from WebAuthn level 3, CTAP 2 and RFC 8949 and from nothing that the server uses, so that it
//! shares no mistake with it. It can be made to lie about everything that it says.

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

/// The key, and the page that the browser shows.
pub struct SoftKey {
    /// Of the page.
    pub origin: String,
    /// What it says of itself.
    pub aaguid: [u8; 16],
    /// What it says each time.
    pub flags: u8,
    /// Whether it counts how often it signs.
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

/// What it is about to say, for who wants it to lie.
pub struct Told {
    /// As the browser collects it.
    pub client_data: Value,
    /// Whose hash stands in front.
    pub rp_id: String,
    /// What its owner did.
    pub flags: u8,
    /// How often it has signed.
    pub count: u32,
    /// How the passkey is named.
    pub id: Vec<u8>,
    /// Whose it is.
    pub user_handle: Option<Vec<u8>>,
}

/// A forged answer.
pub type Lie = fn(&mut Told);

impl SoftKey {
    /// A key that counts and stays in its case, in front of a page of this origin.
    pub fn at(origin: &str) -> Self {
        Self { origin: origin.to_owned(), aaguid: [0; 16], flags: PRESENT | VERIFIED, counts: true, passkeys: Vec::new() }
    }

    /// One that is on several devices and counts nothing, as those of phones are.
    pub fn synced(origin: &str) -> Self {
        let flags = PRESENT | VERIFIED | BACKUP_ELIGIBLE | BACKED_UP;
        Self { flags, counts: false, ..Self::at(origin) }
    }

    /// Makes a passkey: `RegistrationResponseJSON`.
    pub fn create(&mut self, options: &Value) -> Value {
        self.create_lying(options, |_| {})
    }

    /// The same with a lie.
    pub fn create_lying(&mut self, options: &Value, lie: impl FnOnce(&mut Told)) -> Value {
        assert_eq!(options["authenticatorSelection"]["residentKey"], "required", "it is to be found without a name");
        assert!(options["pubKeyCredParams"].as_array().unwrap().iter().any(|option| option["alg"] == -7), "ES256");
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let id = digest(&SHA256, key.public_key().as_ref()).as_ref().to_vec();
        let mut told = Told {
            client_data: self.client_data("webauthn.create", options),
            rp_id: text(&options["rp"]["id"]),
            flags: self.flags | ATTESTED,
            count: 0,
            id,
            user_handle: Some(bytes(&options["user"]["id"])),
        };
        lie(&mut told);
        let mut data = told.authenticator_data();
        data.extend(self.aaguid);
        data.extend(u16::try_from(told.id.len()).unwrap().to_be_bytes());
        data.extend(&told.id);
        data.extend(cose(key.public_key().as_ref()));
        // {"fmt": "none", "attStmt": {}, "authData": …}
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        object.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        object.extend(&data);

        let id = BASE64.encode(&told.id);
        let answer = json!({
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "cross-platform",
            "clientExtensionResults": { "credProps": { "rk": true } },
            "response": {
                "clientDataJSON": BASE64.encode(told.client_data.to_string()),
                "attestationObject": BASE64.encode(&object),
                "authenticatorData": BASE64.encode(&data),
                "transports": ["usb", "nfc", "carrier-pigeon"],
                "publicKeyAlgorithm": -7,
            }
        });
        let user_handle = told.user_handle.unwrap_or_default();
        self.passkeys.push(Held { id: told.id, key, rp_id: told.rp_id, user_handle, count: told.count });
        answer
    }

    /// Uses the newest passkey that is allowed: `AuthenticationResponseJSON`.
    pub fn get(&mut self, options: &Value) -> Value {
        self.get_lying(options, |_| {})
    }

    /// The same with a lie.
    pub fn get_lying(&mut self, options: &Value, lie: impl FnOnce(&mut Told)) -> Value {
        let allowed: Vec<Vec<u8>> =
            options["allowCredentials"].as_array().unwrap().iter().map(|option| bytes(&option["id"])).collect();
        let client_data = self.client_data("webauthn.get", options);
        let (flags, counts, rp_id) = (self.flags, self.counts, text(&options["rpId"]));
        let fits = |value: &&mut Held| value.rp_id == rp_id && (allowed.is_empty() || allowed.contains(&value.id));
        let held = self.passkeys.iter_mut().rev().find(fits).expect("a passkey that is allowed");
        held.count += u32::from(counts);
        let mut told = Told {
            client_data,
            rp_id: held.rp_id.clone(),
            flags,
            count: held.count,
            id: held.id.clone(),
            user_handle: Some(held.user_handle.clone()),
        };
        lie(&mut told);
        let (data, client_data) = (told.authenticator_data(), told.client_data.to_string());
        let signed = [&data, digest(&SHA256, client_data.as_bytes()).as_ref()].concat();
        let id = BASE64.encode(&told.id);
        json!({
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "cross-platform", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": BASE64.encode(client_data),
                "authenticatorData": BASE64.encode(&data),
                "signature": BASE64.encode(held.key.sign(&SystemRandom::new(), &signed).unwrap()),
                "userHandle": told.user_handle.map(|user_handle| BASE64.encode(user_handle)),
            }
        })
    }

    fn client_data(&self, what: &str, options: &Value) -> Value {
        json!({ "type": what, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false })
    }
}

impl Told {
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
