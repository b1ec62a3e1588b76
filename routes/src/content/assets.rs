//! What the endpoints of assets share: the store of objects, the URLs of files, and signatures.

use crypto::{
    keys::{Key, Keys},
    token,
};
use domain::{
    content::asset::{Asset, ObjectKey},
    shared::{AssetId, Fault, SpaceId},
};
use jiff::{SignedDuration, Timestamp};
use storage::blobs::Blobs;
use uuid::Uuid;

/// How long a signed upload form is valid.
const FORM_VALID_FOR: SignedDuration = SignedDuration::from_hours(1);
/// How long a signed URL of a private asset is valid.
const LINK_VALID_FOR: SignedDuration = SignedDuration::from_hours(1);

/// The store of objects, the origin of URLs and the signing keys.
pub struct Assets {
    pub blobs: Blobs,
    base_url: String,
    form_key: Key,
    link_key: Key,
}

/// The upload that a signed form allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket {
    pub(crate) space: SpaceId,
    pub(crate) asset: AssetId,
    pub(crate) id: Uuid,
    pub(crate) expires_at: Timestamp,
}

impl Assets {
    /// Derives the keys.
    pub fn new(blobs: Blobs, base_url: String, keys: &Keys) -> Self {
        Self { blobs, base_url, form_key: keys.derive("asset-form/1"), link_key: keys.derive("asset-link/1") }
    }

    /// The URL of a path of this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    /// The URL of an asset, as stories have it.
    pub(crate) fn public_url(&self, asset: &Asset) -> String {
        self.url(&asset.file.path())
    }

    /// The same with a signature, which is valid for an hour and opens a private asset.
    pub(crate) fn signed_url(&self, asset: &Asset, now: Timestamp) -> String {
        let path = asset.file.path();
        let expires = now.as_second() + LINK_VALID_FOR.as_secs();
        let signature = self.link_signature(asset.file.key, expires);
        self.url(&format!("{path}?expires={expires}&signature={signature}"))
    }

    /// For how many more seconds a signature opens an object; `None` when it does not open it.
    pub(crate) fn opens(&self, key: ObjectKey, expires: &str, signature: &str, now: Timestamp) -> Option<i64> {
        let expires: i64 = expires.parse().ok()?;
        let is_right = token::same(self.link_signature(key, expires).as_bytes(), signature.as_bytes());
        // `expires` comes from the URL and can be any number, so the subtraction is checked.
        expires.checked_sub(now.as_second()).filter(|left| is_right && *left > 0)
    }

    fn link_signature(&self, key: ObjectKey, expires: i64) -> String {
        token::signature(&self.link_key, &format!("{key}?{expires}"))
    }

    /// The time until which a form is valid that is signed now.
    pub(crate) fn form_expires_at(now: Timestamp) -> Timestamp {
        now + FORM_VALID_FOR
    }

    /// The policy of a form and its signature.
    pub(crate) fn policy(&self, ticket: &Ticket) -> (String, String) {
        let policy =
            format!("{}/{}/{}/{}/{}", ticket.space, ticket.asset, ticket.id, ticket.expires_at.as_second(), self.blobs.max_bytes());
        let signature = token::signature(&self.form_key, &policy);
        (policy, signature)
    }

    /// Checks a form and returns its ticket. 403 when the signature is wrong, or when the form has expired or
    /// is for another asset.
    pub(crate) fn read_policy(
        &self,
        (policy, signature): (&str, &str),
        (space, asset): (SpaceId, AssetId),
        now: Timestamp,
    ) -> Result<Ticket, Fault> {
        let refused = || Fault::forbidden("The form's signature is not valid, or it has expired; begin the upload again");
        if !token::same(token::signature(&self.form_key, policy).as_bytes(), signature.as_bytes()) {
            return Err(refused());
        }
        let mut parts = policy.split('/');
        let mut next = || parts.next().unwrap_or_default();
        let ticket = Ticket {
            space: SpaceId(next().parse().map_err(|_| refused())?),
            asset: AssetId(next().parse().map_err(|_| refused())?),
            id: next().parse().map_err(|_| refused())?,
            expires_at: Timestamp::from_second(next().parse().map_err(|_| refused())?).map_err(|_| refused())?,
        };
        let is_ours = ticket.space == space && ticket.asset == asset && now < ticket.expires_at;
        is_ours.then_some(ticket).ok_or_else(refused)
    }
}
