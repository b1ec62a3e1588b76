//! Authentication context classes: how strongly a session was authenticated (OpenID Connect Core, section 2,
//! `acr`).

/// One factor.
pub const ONE_FACTOR: &str = "urn:identity:acr:1fa";
/// Two factors.
pub const TWO_FACTORS: &str = "urn:identity:acr:2fa";
/// A credential that no phishing page can use: a passkey ("phishing-resistant", OpenID Connect EAP ACR
/// Values).
pub const PHISHING_RESISTANT: &str = "phr";

/// Every class that this server knows, the weakest first.
pub const SUPPORTED: [&str; 3] = [ONE_FACTOR, TWO_FACTORS, PHISHING_RESISTANT];

/// The class of a session by its methods (`amr`, RFC 8176).
pub fn of_methods<T: AsRef<str>>(methods: &[T]) -> &'static str {
    let has = |name: &str| methods.iter().any(|method| method.as_ref() == name);
    if has("hwk") || has("swk") {
        PHISHING_RESISTANT
    } else if has("mfa") {
        TWO_FACTORS
    } else {
        ONE_FACTOR
    }
}

/// Whether a session of one class meets a request for another. A class that the server does not know is met
/// by none.
pub fn meets(achieved: &str, wanted: &str) -> bool {
    let strength = |class: &str| SUPPORTED.iter().position(|known| *known == class);
    strength(achieved).zip(strength(wanted)).is_some_and(|(achieved, wanted)| achieved >= wanted)
}

/// Whether an account with these means could meet a request.
pub fn is_within_reach(wanted: &str, has_totp: bool, has_passkey: bool) -> bool {
    match wanted {
        ONE_FACTOR => true,
        TWO_FACTORS => has_totp || has_passkey,
        PHISHING_RESISTANT => has_passkey,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{ONE_FACTOR, PHISHING_RESISTANT, TWO_FACTORS, is_within_reach, meets, of_methods};

    #[test]
    fn the_class_follows_from_the_methods() {
        for (methods, class) in [
            (&["pwd"][..], ONE_FACTOR),
            (&["pwd", "otp", "mfa"], TWO_FACTORS),
            (&["hwk", "user", "mfa"], PHISHING_RESISTANT),
            (&["swk", "user", "mfa"], PHISHING_RESISTANT),
        ] {
            assert_eq!(of_methods(methods), class);
        }
    }

    #[test]
    fn a_stronger_class_meets_a_weaker_one_and_nothing_meets_an_unknown_one() {
        assert!(meets(PHISHING_RESISTANT, TWO_FACTORS) && meets(TWO_FACTORS, ONE_FACTOR) && meets(ONE_FACTOR, ONE_FACTOR));
        assert!(!meets(ONE_FACTOR, TWO_FACTORS) && !meets(TWO_FACTORS, PHISHING_RESISTANT) && !meets(PHISHING_RESISTANT, "1"));
    }

    #[test]
    fn a_class_is_within_reach_of_who_has_the_means() {
        assert!(is_within_reach(ONE_FACTOR, false, false) && is_within_reach(TWO_FACTORS, true, false));
        assert!(is_within_reach(TWO_FACTORS, false, true) && is_within_reach(PHISHING_RESISTANT, false, true));
        assert!(!is_within_reach(TWO_FACTORS, false, false) && !is_within_reach(PHISHING_RESISTANT, true, false));
        assert!(!is_within_reach("1", true, true));
    }
}
