//! `--lan`: a try with a phone in the same network. Cameras need HTTPS, so this makes a certificate of its own;
//! browsers warn about it once.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};

use crate::tls::{Tls, TlsError};

/// Certificate and key, in the data folder: a phone that was told to trust it needn't be told again.
const FILE: &str = "lan.pem";

/// Whom a certificate is for stands behind this.
const FOR: &str = "for ";

/// An address of the documentation's (RFC 5737). Nothing is sent there: it is asked which way would lead there.
const ANYWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// Why there is no server for the network.
#[derive(Debug, thiserror::Error)]
pub enum LanError {
    /// This machine is in no network.
    #[error("this machine has no address in a network")]
    NoNetwork(#[source] io::Error),
    /// No certificate could be made.
    #[error("can't make a certificate")]
    Certificate(#[from] rcgen::Error),
    /// Or kept.
    #[error("can't keep a certificate in {}", .0.display())]
    File(PathBuf, #[source] io::Error),
    /// Or used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// This machine as its network sees it.
pub struct Lan {
    /// Its address, which a phone can open.
    pub address: IpAddr,
    /// With a certificate for that.
    pub tls: Tls,
    /// Where the certificate lies.
    pub certificate: PathBuf,
}

impl Lan {
    /// Finds the address, which is the one to listen on if that is a phone's to open, and makes a certificate for all
    /// that this machine has unless `data_dir`, a folder that is there and private, holds one.
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

    /// What to listen on, with this port: everything, so that this machine can open it, too.
    pub fn listen(port: u16) -> SocketAddr {
        (Ipv4Addr::UNSPECIFIED, port).into()
    }
}

/// The address that this machine would send from.
fn outbound_address() -> io::Result<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect(ANYWHERE)?;
    Ok(socket.local_addr()?.ip())
}

/// All names that this machine can be opened by.
fn names(address: IpAddr) -> io::Result<Vec<String>> {
    let interfaces = if_addrs::get_if_addrs()?;
    let mut addresses: Vec<_> = interfaces.iter().map(if_addrs::Interface::ip).collect();
    // Those of IPv6 change by the day.
    addresses.retain(IpAddr::is_ipv4);
    addresses.push(address);
    addresses.sort();
    addresses.dedup();
    let mut names: Vec<_> = addresses.iter().map(IpAddr::to_string).collect();
    names.push("localhost".to_owned());
    Ok(names)
}

/// What stands above a certificate that is for these. PEM allows such lines (RFC 7468, section 2).
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
    // Whole or not at all. One that was left there may be open to others.
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
        Tls::open(&file, &file).expect("a certificate and its key");
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
