"""Addresses of the Internet protocol: which are public, which lie in a private network, and which belong to neither.

For calls to addresses that somebody else has named. A name is looked up once, the addresses that it stands for are
judged, and one of them is connected to: between the two a name could be made to point elsewhere. Not the text of an
address is judged but what the system's resolver makes of it, be it `127.1`, `0x7f000001` or full-width digits.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Final, Literal

Reach = Literal["public", "network", "here"]
"""Where an address leads: into the public network, into a private one, or to this machine and what serves it alone.

The last is everything else: loopback, link-local (with the metadata of clouds), multicast, reserved."""
_NETWORKS: Final = tuple(
    map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"))
)
_METADATA: Final = tuple(map(ipaddress.ip_address, ("168.63.129.16", "100.100.100.200", "fd00:ec2::254")))
"""What clouds tell a machine about itself, at addresses that are not link-local: Azure, Alibaba, AWS."""
_RELAYS: Final = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24")))
_UNICAST: Final = ipaddress.ip_network("2000::/3")
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_TUNNELS: Final = tuple(map(ipaddress.ip_network, ("2001::/32", "2002::/16")))
"""Teredo and 6to4, which lead to the IPv4 address in them, or to a relay; nobody serves there any more."""


def reach(address: str) -> Reach:
    """Where an address leads, in the form in which the resolver gives it; what stands for another one, where that does.

    Raises:
        ValueError: it is none.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return reach(str(ip.ipv4_mapped))
        if ip in _NAT64:  # how public names are reached where there is IPv6 alone
            return reach(str(ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)))
        if any(ip in tunnel for tunnel in _TUNNELS):
            return "here"
    if ip in _METADATA:
        return "here"
    if any(ip in network for network in _NETWORKS):
        return "network"
    is_usable = ip.is_global and not ip.is_multicast and not any(ip in relay for relay in _RELAYS)
    return "public" if is_usable and (ip.version == 4 or ip in _UNICAST) else "here"


def is_public(address: str) -> bool:
    """Whether an address leads into the public network."""
    return reach(address) == "public"


def may_serve(address: str) -> bool:
    """Whether a server that somebody has named may be at an address: public, private, or the loopback of this machine.

    Never link-local, a cloud's metadata, multicast, or what is reserved, whoever names it.

    Raises:
        ValueError: it is none.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip.is_loopback or reach(address) != "here"


def literal_or_none(host: str) -> str | None:
    """The address that a host is, however it is written; None for a name. Nothing is looked up."""
    name, _, _ = host.partition("%")  # behind it is the link that an address is on, which need not be one of ours
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return None
    return str(found[0][4][0])


async def resolve_host(host: str, port: int) -> list[str]:
    """The addresses that a host stands for now, in the order in which they are to be tried.

    Raises:
        OSError, UnicodeError: there are none.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
