//! The provider of a passkey, by the AAGUID of its authenticator. No attestation is requested, so the number
//! is not verified: it serves to show a name and for nothing else. Numbers and names are those of the list
//! that passkey providers maintain (passkeydeveloper/aaguids on GitHub), but for the two of a browser on
//! macOS, which are named as [`crate::identity::device::name`] does, in any language.

use uuid::{Uuid, uuid};

/// The providers that people are likely to use.
const PROVIDERS: &[(Uuid, &str)] = &[
    (uuid!("08987058-cadc-4b81-b6e1-30de50dcbe96"), "Windows Hello"),
    (uuid!("0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6"), "Keeper"),
    (uuid!("50726f74-6f6e-5061-7373-50726f746f6e"), "Proton Pass"),
    (uuid!("531126d6-e717-415c-9320-3d9aa6981239"), "Dashlane"),
    (uuid!("53414d53-554e-4700-0000-000000000000"), "Samsung Pass"),
    (uuid!("6028b017-b1d4-4c02-b4b3-afcdafc96bb2"), "Windows Hello"),
    (uuid!("771b48fd-d3d4-4f74-9232-fc157ab0507a"), "Edge (macOS)"),
    (uuid!("9ddd1817-af5a-4672-a2b9-3e3dd95000a9"), "Windows Hello"),
    (uuid!("adce0002-35bc-c60a-648b-0b25f1f05503"), "Chrome (macOS)"),
    (uuid!("b84e4048-15dc-4dd0-8640-f4f60813c8af"), "NordPass"),
    (uuid!("bada5566-a7aa-401f-bd96-45619a55120d"), "1Password"),
    (uuid!("d548826e-79b4-db40-a3d8-11116f7e8349"), "Bitwarden"),
    (uuid!("dd4ec289-e01d-41c9-bb89-70fa845d4bf2"), "iCloud Keychain"),
    (uuid!("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"), "Google Password Manager"),
    (uuid!("f3809540-7f14-49c1-a8b3-8f813b225541"), "Enpass"),
    (uuid!("fbfc3007-154e-4ecc-8c0b-6e020557d7bd"), "iCloud Keychain"),
];

/// The name of a provider.
pub fn name(aaguid: Uuid) -> Option<&'static str> {
    PROVIDERS.iter().find(|(value, _)| *value == aaguid).map(|(_, name)| *name)
}
