//! How long things of the provider live.

use std::time::Duration;

/// An authorization code.
pub const CODE: Duration = Duration::from_mins(1);
/// An authorization request that a client has pushed.
pub const PUSHED_REQUEST: Duration = Duration::from_mins(1);
/// A device code and its user code.
pub const DEVICE_CODE: Duration = Duration::from_mins(10);
/// An interaction with a person.
pub const INTERACTION: Duration = Duration::from_hours(1);
/// An ID token.
pub const ID_TOKEN: Duration = Duration::from_hours(1);
/// An opaque access token of a person.
pub const ACCESS_TOKEN: Duration = Duration::from_hours(1);
/// An access token of a client that acts for itself.
pub const CLIENT_ACCESS_TOKEN: Duration = Duration::from_mins(10);
/// How long a family of refresh tokens lives at the most, however often it is used.
pub const REFRESH_FAMILY: Duration = Duration::from_hours(90 * 24);
