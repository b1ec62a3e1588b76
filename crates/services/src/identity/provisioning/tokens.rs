//! The tokens of callers, as hashes.

use crypto::{
    keys::Keys,
    token::{Hasher, same},
};
use domain::identity::ProvisioningToken;
use secrecy::ExposeSecret;
use std::sync::Arc;

/// The tokens that may provision accounts.
pub struct Tokens {
    hasher: Hasher,
    all: Vec<(Arc<str>, [u8; 32])>,
}

impl Tokens {
    /// These tokens.
    pub fn new(tokens: &[ProvisioningToken], keys: &Keys) -> Self {
        let hasher = Hasher::new(&keys.derive("provisioning-token/1"));
        let all = tokens.iter().map(|token| (token.id.as_str().into(), hasher.hash(token.token.expose_secret()))).collect();
        Self { hasher, all }
    }

    /// Whether there is none, so that accounts cannot be provisioned.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The id of a token; `None` for any other text. It is compared with all of them, and in constant time.
    pub fn find(&self, sent: &str) -> Option<Arc<str>> {
        let hash = self.hasher.hash(sent);
        self.all.iter().fold(None, |found, (id, known)| if same(&hash, known) { Some(Arc::clone(id)) } else { found })
    }
}

#[cfg(test)]
mod tests {
    use super::Tokens;
    use crypto::keys::Keys;
    use domain::identity::provisioning::tokens::parse;

    #[test]
    fn each_token_is_found_by_its_whole_text_alone() {
        let (one, two) = ("1".repeat(32), "2".repeat(32));
        let configured = parse(&format!(r#"[{{"id":"one","token":"{one}"}},{{"id":"two","token":"{two}"}}]"#)).unwrap();
        let tokens = Tokens::new(&configured, &Keys::new(vec![7; 32].into()));
        assert_eq!(tokens.find(&one).as_deref(), Some("one"));
        assert_eq!(tokens.find(&two).as_deref(), Some("two"));
        for other in ["", "one", &"1".repeat(31), &format!("{one}1"), &format!("{one} ")] {
            assert!(tokens.find(other).is_none(), "{other}");
        }
        assert!(!tokens.is_empty() && Tokens::new(&[], &Keys::new(vec![7; 32].into())).is_empty());
    }
}
