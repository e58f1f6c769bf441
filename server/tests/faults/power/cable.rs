//! A network of two: this host and a guest.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;

use test_support::servers::node::free_address;

/// The first address of 198.18.0.0/15, which is for tests of networks (RFC 2544, appendix C.2.2).
const NETWORK: u32 = u32::from_be_bytes([198, 18, 0, 0]);

/// Addresses of one network: its own, the host, the guest, and broadcast.
const ADDRESSES: u32 = 4;

/// A virtual Ethernet interface of the host, removed on drop.
pub struct Cable {
    /// The name of the interface.
    pub name: String,
    /// The address of this host.
    pub host: Ipv4Addr,
    /// The address of the guest.
    pub guest: Ipv4Addr,
}

impl Cable {
    pub fn new() -> Self {
        // A port is reserved by one process at a time, and so is the network of its number.
        let number = free_address().port();
        let first = NETWORK + u32::from(number) * ADDRESSES;
        let cable = Self {
            name: format!("vidence{number}"),
            host: Ipv4Addr::from(first + 1),
            guest: Ipv4Addr::from(first + 2),
        };
        let Self { name, host, guest } = &cable;
        // One of a test that was killed may be left.
        let _ = Command::new("ip").args(["link", "delete", name]).output();
        ip(&format!("tuntap add dev {name} mode tap"));
        ip(&format!("address add {host}/30 dev {name}"));
        ip(&format!("link set {name} up"));
        // Asking for it would take seconds while the guest is down.
        ip(&format!(
            "neighbour replace {guest} lladdr {} dev {name} nud permanent",
            cable.mac()
        ));
        cable
    }

    /// The address of the guest's interface.
    pub fn mac(&self) -> String {
        let [a, b, c, d] = self.guest.octets();
        // Locally administered: IEEE 802, section 8.4.
        format!("02:00:{a:02x}:{b:02x}:{c:02x}:{d:02x}")
    }

    /// Where the guest's server listens.
    pub fn server(&self) -> SocketAddr {
        SocketAddr::from((self.guest, 3000))
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        let _ = Command::new("ip")
            .args(["link", "delete", &self.name])
            .status();
    }
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status();
    let status = status.expect("ip of iproute2");
    assert!(status.success(), "ip {arguments}: {status}");
}
