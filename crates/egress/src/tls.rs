//! TLS for outgoing connections, with the root certificates of this machine.

use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{self, CryptoProvider},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use std::sync::{Arc, OnceLock};

/// The root certificates of this machine. Unreadable ones are skipped, as in every TLS client; without any,
/// every handshake fails.
pub fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        let _ = roots.add(certificate);
    }
    roots
}

/// Parses the certificates of a PEM text, which are trusted in addition. The error completes a sentence.
pub fn authorities(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|_| "is no PEM file".to_owned())?;
    if found.is_empty() { Err("holds no certificate".to_owned()) } else { Ok(found) }
}

/// A client that accepts every certificate: the connection is encrypted, but the server is not authenticated.
pub(crate) fn insecure_client() -> Result<Arc<ClientConfig>, String> {
    measuring_client(RootCertStore::empty(), false).map(|(client, _)| client)
}

/// What a client has found of the server's certificate; empty until a handshake has shown one.
pub(crate) type Verdict = Arc<OnceLock<Result<(), String>>>;

/// A client that checks the server's certificate and tells the outcome. It goes on with an invalid one unless
/// `is_required`. The handshake proves in any case that the server has its private key.
pub(crate) fn measuring_client(roots: RootCertStore, is_required: bool) -> Result<(Arc<ClientConfig>, Verdict), String> {
    let mut config = ClientConfig::clone(&*client(RootCertStore::empty(), &[])?);
    let provider = config.crypto_provider().clone();
    let chain = if roots.is_empty() {
        None
    } else {
        let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone());
        Some(builder.build().map_err(|error| error.to_string())?)
    };
    let verdict = Verdict::default();
    let verifier = Measuring { chain, provider, is_required, verdict: verdict.clone() };
    config.dangerous().set_certificate_verifier(Arc::new(verifier));
    Ok((Arc::new(config), verdict))
}

#[derive(Debug)]
struct Measuring {
    /// `None` without a root certificate: then none is valid.
    chain: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
    is_required: bool,
    verdict: Verdict,
}

impl ServerCertVerifier for Measuring {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = match &self.chain {
            Some(chain) => chain.verify_server_cert(certificate, intermediates, name, ocsp, now),
            None => Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        };
        let _ = self.verdict.set(verified.as_ref().map(|_| ()).map_err(ToString::to_string));
        if self.is_required { verified } else { Ok(ServerCertVerified::assertion()) }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        crypto::verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        crypto::verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// The TLS configuration of a client with these root certificates and ALPN protocols. The error is a
/// sentence.
pub(crate) fn client(roots: RootCertStore, protocols: &[&[u8]]) -> Result<Arc<ClientConfig>, String> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let mut config = builder.map_err(|error| error.to_string())?.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(Arc::new(config))
}

#[cfg(test)]
mod tests {
    use super::{RootCertStore, insecure_client, measuring_client};

    /// Such as in a container without certificates, whose mail server is on the same machine.
    #[test]
    fn a_machine_without_root_certificates_has_clients_too() {
        assert!(insecure_client().is_ok());
        for is_required in [false, true] {
            let (_, verdict) = measuring_client(RootCertStore::empty(), is_required).unwrap();
            assert_eq!(verdict.get(), None);
        }
    }
}
