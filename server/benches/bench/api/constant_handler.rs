//! The baseline: axum with one route and a constant body.

use std::future::ready;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::any;
use clap::Args;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// What to answer, and by which protocol.
#[derive(Args)]
pub struct Constant {
    /// Body of the response
    body: String,
    /// The certificate, as PEM; without it plain HTTP/1.1
    #[arg(long, requires = "key")]
    certificate: Option<PathBuf>,
    /// Its key, as PEM
    #[arg(long)]
    key: Option<PathBuf>,
}

/// Answers the body to every request until it is killed, and prints its URL.
pub async fn serve(constant: Constant) -> Result<()> {
    let body: Arc<str> = constant.body.into();
    let answer = move || ready(([(CONTENT_TYPE, "application/json")], String::from(&*body)));
    let router = Router::new().fallback(any(answer));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (Some(certificate), Some(key)) = (constant.certificate, constant.key) else {
        println!("open http://{address}");
        return Ok(axum::serve(listener, router).await?);
    };
    let chain = vec![CertificateDer::from_pem_file(certificate)?];
    let mut config =
        ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, PrivateKeyDer::from_pem_file(key)?)?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    println!("open https://{address}");
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (acceptor, router) = (acceptor.clone(), router.clone());
        tokio::spawn(async move {
            // A connection that fails is a client that has left.
            if let Ok(stream) = acceptor.accept(stream).await {
                let service = TowerToHyperService::new(router);
                let connection = auto::Builder::new(TokioExecutor::new());
                let _ = connection
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            }
        });
    }
}
