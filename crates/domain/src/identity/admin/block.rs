//! The names of blocks: who is refused for having failed or asked too often, and by what.

use std::{fmt, str::FromStr};

/// What a block is lifted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockId {
    /// A lockout after failed attempts at a password or a code, by the keyed hash of what they were made at.
    Lockout([u8; 32]),
    /// A limit that all processes count together, and its caller.
    Shared {
        /// The name of the limit.
        limit: String,
        caller: String,
    },
    /// A limit that one process counts for itself, and what it counts its caller by.
    Process {
        /// The name of the limit.
        limit: String,
        /// An address, or a keyed hash.
        caller: [u8; 16],
    },
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lockout(key) => write!(f, "lockout.{}", Hex(key)),
            Self::Shared { limit, caller } => write!(f, "shared.{limit}.{caller}"),
            Self::Process { limit, caller } => write!(f, "process.{limit}.{}", Hex(caller)),
        }
    }
}

impl FromStr for BlockId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (kind, rest) = text.split_once('.').ok_or(())?;
        if kind == "lockout" {
            return bytes(rest).map(Self::Lockout).ok_or(());
        }
        let (limit, caller) = rest.split_once('.').ok_or(())?;
        let limit = limit.to_owned();
        match kind {
            "shared" => Ok(Self::Shared { limit, caller: caller.to_owned() }),
            "process" => Ok(Self::Process { limit, caller: bytes(caller).ok_or(())? }),
            _ => Err(()),
        }
    }
}

/// Bytes in hexadecimal digits.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// So many bytes from lower-case hexadecimal digits.
fn bytes<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    let is_hex = text.len() == 2 * LENGTH && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let mut bytes = [0; LENGTH];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2).filter(|_| is_hex)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::BlockId;
    use proptest::prelude::*;

    #[test]
    fn names_of_other_forms_are_none() {
        let hash = "0".repeat(64);
        for text in ["", "lockout", "lockout.", "lockout.00", "shared.x", "process.login_ip.0", "process.login_ip", "other.a.b"] {
            assert_eq!(text.parse::<BlockId>(), Err(()), "{text}");
        }
        assert_eq!(format!("lockout.{hash}").parse(), Ok(BlockId::Lockout([0; 32])));
        assert!(format!("lockout.{}", hash.replace('0', "A")).parse::<BlockId>().is_err());
    }

    proptest! {
        #[test]
        fn a_name_reads_back_equal(key: [u8; 32], address: [u8; 16], caller in ".*", limit in "[a-z_]{1,20}") {
            let shared = BlockId::Shared { limit: limit.clone(), caller };
            for id in [BlockId::Lockout(key), shared, BlockId::Process { limit, caller: address }] {
                prop_assert_eq!(id.to_string().parse(), Ok(id));
            }
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in ".*") {
            let _ = text.parse::<BlockId>();
        }
    }
}
