//! How the tokens of sources are encrypted in the rows of imports.

use domain::shared::SpaceId;

/// The label of the key with which the tokens are encrypted.
pub const SEAL: &str = "import-token/1";

/// The context of an encrypted token: the import of another space cannot decrypt it.
pub fn seal_context(space: SpaceId) -> String {
    format!("import into space {space}")
}
