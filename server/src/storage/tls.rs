//! The TLS implementation of this process.

/// Installs ring as the provider of rustls' cryptography.
/// Must run before the first TLS connection; may run again.
pub(crate) fn install_provider() {
    // Fails if a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
