//! The rotation of refresh tokens (RFC 9700, section 4.14.2): each use of a token replaces it. A second use
//! means that two parties hold the token, and ends the whole family; but for a short time after the first use
//! it may be a client that did not get the response.

use super::error::invalid_grant;
use crate::shared::Fault;
use jiff::Timestamp;
use std::time::Duration;

/// How often a token may be used again within the grace.
pub const MAX_REPEATS: i32 = 3;

/// What is known of a token that is presented.
#[derive(Debug, Clone, Copy)]
pub struct TokenState {
    pub expires_at: Timestamp,
    /// When it was used first, if it was.
    pub used_at: Option<Timestamp>,
    /// How often it was used again.
    pub repeats: i32,
    /// Whether its successor was used.
    pub is_successor_used: bool,
    /// Whether another token took its place before it was used.
    pub is_superseded: bool,
    /// Whether its grant is valid and its person may sign in.
    pub is_live: bool,
}

/// What a use of a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// The first one: the token gets a successor.
    First,
    /// One more within the grace: another successor replaces the unused one.
    Repeated,
    /// The token is refused, and that is all.
    Refused,
    /// The token was stolen, or its successor was: the family ends.
    Reused,
}

impl TokenState {
    /// What a use at this time is. `grace` is `APP_OIDC_REFRESH_GRACE`.
    pub fn use_at(&self, now: Timestamp, grace: Duration) -> Use {
        if !self.is_live || self.is_superseded || self.expires_at <= now {
            return Use::Refused;
        }
        let Some(used_at) = self.used_at else { return Use::First };
        let is_in_grace = used_at.checked_add(grace).is_ok_and(|end| now < end);
        match (is_in_grace && !self.is_successor_used, self.repeats < MAX_REPEATS) {
            (true, true) => Use::Repeated,
            // A client that asks many times at once holds one of the responses.
            (true, false) => Use::Refused,
            (false, _) => Use::Reused,
        }
    }
}

/// The refusal of a refresh token. The same for every reason.
pub fn invalid_refresh_token() -> Fault {
    invalid_grant("The refresh token is unknown, expired, revoked or was used before")
}

#[cfg(test)]
mod tests {
    use super::{MAX_REPEATS, TokenState, Use};
    use jiff::Timestamp;
    use std::time::Duration;

    const GRACE: Duration = Duration::from_secs(10);

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    const FRESH: TokenState = TokenState {
        expires_at: Timestamp::MAX,
        used_at: None,
        repeats: 0,
        is_successor_used: false,
        is_superseded: false,
        is_live: true,
    };

    #[test]
    fn a_token_is_used_once() {
        assert_eq!(FRESH.use_at(at(100), GRACE), Use::First);
        let used = TokenState { used_at: Some(at(100)), ..FRESH };
        assert_eq!(used.use_at(at(109), GRACE), Use::Repeated);
        assert_eq!(used.use_at(at(110), GRACE), Use::Reused);
        assert_eq!(used.use_at(at(100), Duration::ZERO), Use::Reused, "without a grace");
    }

    #[test]
    fn the_grace_ends_with_the_use_of_the_successor_and_has_a_number() {
        let used = TokenState { used_at: Some(at(100)), ..FRESH };
        assert_eq!(TokenState { is_successor_used: true, ..used }.use_at(at(101), GRACE), Use::Reused);
        assert_eq!(TokenState { repeats: MAX_REPEATS, ..used }.use_at(at(101), GRACE), Use::Refused);
        assert_eq!(TokenState { repeats: MAX_REPEATS, ..used }.use_at(at(111), GRACE), Use::Reused);
    }

    #[test]
    fn a_token_that_is_not_valid_ends_no_family() {
        for state in [
            TokenState { is_live: false, ..FRESH },
            TokenState { is_superseded: true, ..FRESH },
            TokenState { expires_at: at(100), ..FRESH },
            TokenState { expires_at: at(100), used_at: Some(at(50)), ..FRESH },
        ] {
            assert_eq!(state.use_at(at(100), GRACE), Use::Refused, "{state:?}");
        }
    }
}
