//! Fields of IP and ICMP packets, and of the client's address.

use super::builder::*;
use crate::schema::countries::COUNTRIES;
use crate::schema::values::{CONTINENT_CODES, SPECIAL_COUNTRY_CODES};
use crate::schema::{Presence, RequestPart as Part, ValueForm as Form};

pub(super) const SRC: Row = request_or_packet("ip.src", IP, "IP address of the client")
    .presence(Presence::Always)
    .part_of("ip")
    .noun("client's IP address");
pub(super) const ASNUM: Row = request_or_packet("ip.src.asnum", INTEGER, "number of the client's autonomous system")
    .presence(Presence::Undocumented)
    .form(Form::AsNumber)
    .part_of("ip")
    .noun("client's AS number")
    .example("ip.src.asnum in {64496 64511}")
    .aliases(&["ip.asn", "ip.src.asn"]);
pub(super) const CONTINENT: Row =
    request("ip.src.continent", STRING, "two-letter code of the client's continent, `T1` for Tor")
        .presence(Presence::Undocumented)
        .form(Form::Continent)
        .suggestions(&[CONTINENT_CODES])
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's continent");
pub(super) const COUNTRY: Row = request_or_packet(
    "ip.src.country",
    STRING,
    "two-letter code of the client's country, `T1` for Tor, `XX` if unknown",
)
.presence(Presence::Undocumented)
.form(Form::Country)
.suggestions(&[COUNTRIES, SPECIAL_COUNTRY_CODES])
.part_of("ip")
.parts(&[Part::Location])
.noun("client's country")
.example("ip.src.country in {\"DE\" \"FR\"}")
.aliases(&["ip.country"]);
pub(super) const IN_EUROPEAN_UNION: Row =
    request("ip.src.is_in_european_union", BOOLEAN, "whether the client is in the European Union")
        .needs(BUSINESS)
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location]);
pub(super) const SUBDIVISION_1: Row =
    request("ip.src.subdivision_1_iso_code", STRING, "ISO 3166-2 code of the client's region, empty if unknown")
        .needs(BUSINESS)
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("ISO code of the client's region");
pub(super) const SUBDIVISION_2: Row = request(
    "ip.src.subdivision_2_iso_code",
    STRING,
    "ISO 3166-2 code of the client's second-level region, empty if unknown",
)
.needs(BUSINESS)
.presence(Presence::Undocumented)
.part_of("ip")
.parts(&[Part::Location])
.noun("ISO code of the client's second-level region");

pub(super) const ROWS: &[Row] = &[
    packet("icmp", STRING, "the ICMP message as bytes").presence(Presence::Optional).noun("ICMP message"),
    packet("icmp.code", INTEGER, "code of the ICMP message").presence(Presence::Optional).form(BYTE).part_of("icmp"),
    packet("icmp.type", INTEGER, "type of the ICMP message").presence(Presence::Optional).form(BYTE).part_of("icmp"),
    packet("ip", STRING, "the entire packet as bytes").presence(Presence::Optional).noun("packet"),
    SRC.former_name("ip.addr", "deprecated name of the client's IP address").unconfirmed(),
    packet("ip.dst", IP, "destination IP address of the packet")
        .presence(Presence::Expected)
        .part_of("ip")
        .noun("destination IP address"),
    packet("ip.dst.country", STRING, "country of the packet's destination IP address")
        .presence(Presence::Optional)
        .form(Form::Country)
        .suggestions(&[COUNTRIES, SPECIAL_COUNTRY_CODES])
        .part_of("ip.dst")
        .noun("country of the destination IP address"),
    ASNUM.former_name("ip.geoip.asnum", "deprecated name of the client's autonomous system number"),
    CONTINENT.former_name("ip.geoip.continent", "deprecated name of the client's continent"),
    COUNTRY.former_name("ip.geoip.country", "deprecated name of the client's country"),
    IN_EUROPEAN_UNION
        .former_name("ip.geoip.is_in_european_union", "deprecated name: whether the client is in the European Union"),
    SUBDIVISION_1.former_name("ip.geoip.subdivision_1_iso_code", "deprecated name of the client's region code"),
    SUBDIVISION_2
        .former_name("ip.geoip.subdivision_2_iso_code", "deprecated name of the client's second-level region code"),
    packet("ip.hdr_len", INTEGER, "length of the IPv4 header")
        .presence(Presence::Expected)
        .form(HEADER_LENGTH)
        .part_of("ip"),
    packet("ip.len", INTEGER, "length of the packet, including its header")
        .presence(Presence::Expected)
        .form(SIXTEEN_BITS)
        .part_of("ip"),
    packet("ip.opt.type", INTEGER, "first byte of the IP options")
        .presence(Presence::Optional)
        .form(BYTE)
        .part_of("ip"),
    packet("ip.proto", STRING, "name of the transport protocol")
        .presence(Presence::Expected)
        .part_of("ip")
        .noun("transport protocol"),
    SRC,
    ASNUM,
    request("ip.src.city", STRING, "city of the client")
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's city"),
    CONTINENT,
    COUNTRY,
    IN_EUROPEAN_UNION,
    request("ip.src.lat", STRING, "latitude of the client, as a string")
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's latitude"),
    request("ip.src.lon", STRING, "longitude of the client, as a string")
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's longitude"),
    request("ip.src.metro_code", STRING, "code of the client's metropolitan area, as a string")
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's metro code"),
    request("ip.src.postal_code", STRING, "postal code of the client")
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's postal code"),
    request("ip.src.region", STRING, "name of the client's region")
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's region"),
    request("ip.src.region_code", STRING, "code of the client's region")
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's region code"),
    SUBDIVISION_1,
    SUBDIVISION_2,
    request("ip.src.timezone.name", STRING, "name of the client's time zone, such as `Europe/Lisbon`")
        .only_in(TRANSFORM_PHASES)
        .presence(Presence::Undocumented)
        .part_of("ip")
        .parts(&[Part::Location])
        .noun("client's time zone"),
    packet("ip.ttl", INTEGER, "time to live of the packet")
        .presence(Presence::Expected)
        .form(BYTE)
        .part_of("ip")
        .noun("time to live"),
];
