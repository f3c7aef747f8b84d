//! Fields of SIP, TLS, TCP and UDP.

use super::builder::*;
use crate::schema::values::{TCP_PORTS, UDP_PORTS};
use crate::schema::{Presence, RequestPart as Part};

pub(super) const ROWS: &[Row] = &[
    packet("sip", BOOLEAN, "whether the packet carries SIP over UDP").presence(Presence::Optional),
    request("ssl", BOOLEAN, "whether the client's connection is encrypted")
        .presence(Presence::Always)
        .parts(&[Part::Scheme])
        .statement("the connection is encrypted", "the connection is not encrypted"),
    packet("tcp", STRING, "the TCP segment as bytes").presence(Presence::Optional).noun("TCP segment"),
    packet("tcp.dstport", INTEGER, "TCP destination port of the packet")
        .presence(Presence::Optional)
        .form(SIXTEEN_BITS)
        .suggestions(&[TCP_PORTS])
        .part_of("tcp")
        .noun("TCP destination port"),
    packet("tcp.flags", INTEGER, "TCP flags as a number")
        .presence(Presence::Optional)
        .form(BYTE)
        .part_of("tcp")
        .noun("TCP flags field"),
    packet("tcp.flags.ack", BOOLEAN, "whether the TCP flag ACK is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.flags.cwr", BOOLEAN, "whether the TCP flag CWR is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.flags.ecn", BOOLEAN, "whether the TCP flag ECN is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.flags.fin", BOOLEAN, "whether the TCP flag FIN is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.flags.push", BOOLEAN, "whether the TCP flag PSH is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.flags.reset", BOOLEAN, "whether the TCP flag RST is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.flags.syn", BOOLEAN, "whether the TCP flag SYN is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.flags.urg", BOOLEAN, "whether the TCP flag URG is set")
        .presence(Presence::Optional)
        .part_of("tcp.flags"),
    packet("tcp.srcport", INTEGER, "TCP source port of the packet")
        .presence(Presence::Optional)
        .form(SIXTEEN_BITS)
        .suggestions(&[TCP_PORTS])
        .part_of("tcp")
        .noun("TCP source port"),
    packet("udp", STRING, "the UDP datagram as bytes").presence(Presence::Optional).noun("UDP datagram"),
    packet("udp.dstport", INTEGER, "UDP destination port of the packet")
        .presence(Presence::Optional)
        .form(SIXTEEN_BITS)
        .suggestions(&[UDP_PORTS])
        .part_of("udp")
        .noun("UDP destination port"),
    packet("udp.srcport", INTEGER, "UDP source port of the packet")
        .presence(Presence::Optional)
        .form(SIXTEEN_BITS)
        .suggestions(&[UDP_PORTS])
        .part_of("udp")
        .noun("UDP source port"),
];
