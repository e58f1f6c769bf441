//! Self-signed certificate for `--lan`, to try the server with a phone in the same network.
//!
//! Browsers allow the camera only over HTTPS, so this creates a certificate; browsers warn about it once.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};

use crate::tls::{Tls, TlsError};

/// File with certificate and key in the data folder.
/// It is kept, so that a phone needs to trust it only once.
const FILE: &str = "lan.pem";

/// Prefix of the line that lists the names in a certificate.
const FOR: &str = "for ";

/// A documentation address (RFC 5737), used to find the outgoing interface. Nothing is sent there.
const ANYWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// Why `--lan` can't start.
#[derive(Debug, thiserror::Error)]
pub enum LanError {
    /// This machine has no address in a network.
    #[error("this machine has no address in a network")]
    NoNetwork(#[source] io::Error),
    /// No certificate could be created.
    #[error("can't make a certificate")]
    Certificate(#[from] rcgen::Error),
    /// The certificate couldn't be written.
    #[error("can't keep a certificate in {}", .0.display())]
    File(PathBuf, #[source] io::Error),
    /// The certificate can't be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// Address and certificate of this machine in its network.
pub struct Lan {
    /// The address that a phone can open.
    pub address: IpAddr,
    /// TLS with a certificate for `address`.
    pub tls: Tls,
    /// Path of the certificate.
    pub certificate: PathBuf,
}

impl Lan {
    /// Finds this machine's address and opens or creates a certificate for it.
    ///
    /// The address is `listen`, unless that is unspecified or loopback. A new certificate is for this address, all IPv4
    /// addresses of this machine and `localhost`; one in `data_dir` is reused if it has the address. `data_dir` must
    /// exist and be private.
    pub fn open(data_dir: &Path, listen: IpAddr) -> Result<Self, LanError> {
        let address = match listen.is_unspecified() || listen.is_loopback() {
            true => outbound_address().map_err(LanError::NoNetwork)?,
            false => listen,
        };
        let certificate = data_dir.join(FILE);
        let kept = |error| LanError::File(certificate.clone(), error);
        if !is_for(&certificate, address) {
            let names = names(address).map_err(LanError::NoNetwork)?;
            keep(&certificate, &make(&names)?).map_err(kept)?;
        }
        Ok(Self {
            address,
            tls: Tls::open(&certificate, &certificate)?,
            certificate,
        })
    }

    /// The address to listen on: all interfaces, so that this machine can open it, too.
    pub fn listen(port: u16) -> SocketAddr {
        (Ipv4Addr::UNSPECIFIED, port).into()
    }
}

/// The address from which this machine would send.
fn outbound_address() -> io::Result<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect(ANYWHERE)?;
    Ok(socket.local_addr()?.ip())
}

/// All names under which this machine can be opened.
fn names(address: IpAddr) -> io::Result<Vec<String>> {
    let interfaces = if_addrs::get_if_addrs()?;
    let mut addresses: Vec<_> = interfaces.iter().map(if_addrs::Interface::ip).collect();
    // IPv6 addresses are left out, because they change daily.
    addresses.retain(IpAddr::is_ipv4);
    addresses.push(address);
    addresses.sort();
    addresses.dedup();
    let mut names: Vec<_> = addresses.iter().map(IpAddr::to_string).collect();
    names.push("localhost".to_owned());
    Ok(names)
}

/// The line above a certificate that lists its names. PEM allows such lines (RFC 7468, section 2).
fn title(names: &[String]) -> String {
    format!("{FOR}{}\n", names.join(" "))
}

fn is_for(file: &Path, address: IpAddr) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    let title = text.lines().next().and_then(|it| it.strip_prefix(FOR));
    let address = address.to_string();
    title.is_some_and(|names| names.split(' ').any(|it| it == address))
}

fn make(names: &[String]) -> Result<String, rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(names)?;
    let name = &mut params.distinguished_name;
    name.push(DnType::CommonName, "Vidence in this network");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let certificate = params.self_signed(&key)?;
    Ok(title(names) + &certificate.pem() + &key.serialize_pem())
}

fn keep(file: &Path, text: &str) -> io::Result<()> {
    // Writes a new file and renames it, so that the certificate is complete or absent. A leftover file is removed
    // first, because others may be able to read it.
    let fresh = file.with_extension("new");
    if let Err(error) = fs::remove_file(&fresh)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    let mut written = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&fresh)?;
    written.write_all(text.as_bytes())?;
    fs::rename(fresh, file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn an_address_that_is_to_be_listened_on_is_in_the_link_and_in_the_certificate() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join(FILE);
        for address in ["2001:db8::7", "192.0.2.7"] {
            let address = address.parse().expect("an address");
            let lan = Lan::open(dir.path(), address).expect("a certificate");
            assert_eq!(lan.address, address);
            assert!(is_for(&file, address), "{address}");
        }
    }

    #[test]
    fn a_certificate_stays_while_the_addresses_do() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join(FILE);
        let names = ["192.0.2.70".to_owned(), "localhost".to_owned()];
        let at = |address: &str| is_for(&file, address.parse().expect("an address"));
        assert!(!at("192.0.2.70"));
        keep(&file, &make(&names).expect("a certificate")).expect("a file");
        assert!(at("192.0.2.70"));
        assert!(!at("192.0.2.7"));
        assert!(!at("198.51.100.7"));
        let tls = Tls::open(&file, &file).expect("a certificate and its key");
        let expiry = tls.certificate_expiry().expect("an end of validity");
        let now = SystemTime::UNIX_EPOCH.elapsed().expect("a time after 1970");
        assert!(expiry > now, "{expiry:?}");
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
