//! TLS to others: against the roots that this machine trusts.

use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;

/// The roots that this machine trusts. One that cannot be read is skipped, as every TLS client does; with none at all every
/// handshake fails.
pub fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        let _ = roots.add(certificate);
    }
    roots
}

/// What a client says and believes. The error is a sentence.
pub(crate) fn client(roots: RootCertStore, protocols: &[&[u8]]) -> Result<Arc<ClientConfig>, String> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let mut config = builder.map_err(|error| error.to_string())?.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|it| it.to_vec()).collect();
    Ok(Arc::new(config))
}
