//! The id by which a receiver recognises a delivery that comes twice.

use crate::shared::Entropy;
use postgres_types::{FromSql, ToSql};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// 128 random bits, written `whd_` and 32 hexadecimal characters. Fixed when the delivery is made, equal on
/// every attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ToSql, FromSql)]
#[postgres(transparent)]
pub struct DeliveryId(pub Uuid);

impl DeliveryId {
    /// A new id.
    pub fn new(entropy: &dyn Entropy) -> Self {
        let mut bytes = [0; 16];
        entropy.fill(&mut bytes);
        Self(Uuid::from_bytes(bytes))
    }
}

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "whd_{}", self.0.as_simple())
    }
}

impl FromStr for DeliveryId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.strip_prefix("whd_").filter(|s| s.len() == 32).ok_or(())?;
        Uuid::try_parse(digits).map(Self).map_err(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::DeliveryId;
    use uuid::Uuid;

    #[test]
    fn it_is_read_as_it_is_written() {
        let id = DeliveryId(Uuid::from_u128(0x00ab_cdef));
        assert_eq!(id.to_string(), "whd_00000000000000000000000000abcdef");
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in ["", "whd_", "00000000000000000000000000abcdef", "whd_00000000-0000-0000-0000-000000abcdef", "whd_g0"] {
            assert!(bad.parse::<DeliveryId>().is_err(), "{bad}");
        }
    }
}
