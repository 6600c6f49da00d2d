//! Where the page can be reached, for people who type it and for the QR code.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// The page's addresses, the best one for a phone last. A base station that listens everywhere
/// names the laptop's own address in the local network.
pub fn addresses(listening: SocketAddr, tls: bool) -> Vec<String> {
    let scheme = if tls { "https" } else { "http" };
    let at = |ip: IpAddr| format!("{scheme}://{}", SocketAddr::new(ip, listening.port()));
    if !listening.ip().is_unspecified() {
        return vec![at(listening.ip())];
    }
    let here = at(IpAddr::V4(Ipv4Addr::LOCALHOST));
    local_network()
        .map(at)
        .map_or_else(|| vec![here.clone()], |lan| vec![here.clone(), lan])
}

/// Whom the laptop could send to: first somebody outside (a documentation address, nobody's), then
/// the first guest of the hotspots that laptops open. An access point of the evening without
/// internet knows no way outside, but it knows its guests.
const GUESTS: [Ipv4Addr; 5] = [
    Ipv4Addr::new(192, 0, 2, 1),
    Ipv4Addr::new(10, 42, 0, 2),
    Ipv4Addr::new(192, 168, 137, 2),
    Ipv4Addr::new(192, 168, 2, 2),
    Ipv4Addr::new(192, 168, 12, 2),
];

/// The laptop's own address in the local network.
pub fn local_network() -> Option<IpAddr> {
    GUESTS.into_iter().find_map(sent_from)
}

/// The address that the system would send from. Connecting a datagram socket sends nothing.
fn sent_from(to: Ipv4Addr) -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((to, 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::addresses;

    #[test]
    fn a_page_on_the_laptop_has_one_address_and_an_open_one_begins_with_the_laptops() {
        let laptop = "127.0.0.1:7373".parse().expect("an address");
        assert_eq!(addresses(laptop, false), ["http://127.0.0.1:7373"]);
        assert_eq!(addresses(laptop, true), ["https://127.0.0.1:7373"]);
        let everywhere = "0.0.0.0:7373".parse().expect("an address");
        let found = addresses(everywhere, false);
        assert_eq!(
            found.first().map(String::as_str),
            Some("http://127.0.0.1:7373")
        );
        assert!(found.iter().all(|address| !address.contains("0.0.0.0")));
    }
}
