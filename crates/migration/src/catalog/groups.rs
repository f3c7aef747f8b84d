//! Lists the groups of the previous packages, in the order in which the service lists them.
//!
//! Names and four IDs are published; the other IDs are derived (see [`super`]).

use super::{CatalogGroup, PackageKind};

/// All groups, package by package.
#[rustfmt::skip]
pub static GROUPS: &[CatalogGroup] = &[
    group(PackageKind::Managed, "bba1dfecdae04dcc282c50a75dc2e1f3", "Cloudflare Specials", None, "Attacks on widely used software, and recent attacks"),
    group(PackageKind::Managed, "8df6c9aaddcbdf0eceb047bc50873697", "Cloudflare Drupal", Some("drupal"), "Attacks on Drupal"),
    group(PackageKind::Managed, "534c8fbda531740d9b288bdec403ffac", "Cloudflare Flash", Some("flash"), "Attacks on Flash content"),
    group(PackageKind::Managed, "a56d43ece7754d6aad1fe34309b464f8", "Cloudflare Joomla", Some("joomla"), "Attacks on Joomla"),
    group(PackageKind::Managed, "ea8687e59929c1fd05ba97574ad43f77", "Cloudflare Magento", Some("magento"), "Attacks on Magento"),
    group(PackageKind::Managed, "4b54dd7fb0f2b361bbd7d56c7e80a579", "Cloudflare Miscellaneous", None, "Attacks on software without a separate group"),
    group(PackageKind::Managed, "c8485e461f935bead889fa0fe87dd76e", "Cloudflare Php", Some("php"), "Attacks on PHP"),
    group(PackageKind::Managed, "2b66239f420d665ffa8266f65852b8ee", "Cloudflare Plone", Some("plone"), "Attacks on Plone"),
    group(PackageKind::Managed, "9aea61e03be91244c22bcafce671798d", "Cloudflare WHMCS", Some("whmcs"), "Attacks on WHMCS"),
    group(PackageKind::Managed, "ace2e0b66c226232cadbcae615edc4bb", "Cloudflare WordPress", Some("wordpress"), "Attacks on WordPress"),
    group(PackageKind::Core, "07d700cf30fda7548be94ff01087d0c4", "OWASP Bad Robots", Some("attack-reputation-scanner"), "Scanners and harvesters"),
    group(PackageKind::Core, "efbab861fabd9b3937d2a7f687f2c7c9", "OWASP Common Exceptions", None, "Requests that other rules must not score"),
    group(PackageKind::Core, "c557cc3e1235e4092cd37e18628cbfe8", "OWASP Generic Attacks", Some("attack-generic"), "Commands, code and files where none belong"),
    group(PackageKind::Core, "727a2cedbd99402e30bf1ba9f934fbf6", "OWASP HTTP Policy", Some("attack-protocol"), "HTTP features that a site does not allow"),
    group(PackageKind::Core, "ffec1a3f86e9a11434d8ec3a506fd74f", "OWASP Protocol Anomalies", Some("attack-protocol"), "Requests that browsers do not send"),
    group(PackageKind::Core, "3f2778cef542f417decf69a1d369cb16", "OWASP Protocol Violations", Some("attack-protocol"), "Requests that violate HTTP"),
    group(PackageKind::Core, "9f78ec2db77b75de92374e0182a82eaf", "OWASP Request Limits", Some("attack-protocol"), "Requests that exceed size limits"),
    group(PackageKind::Core, "61e43e7ee76326733a73ef49c577d8f0", "OWASP SLR Et Joomla Attacks", Some("attack-generic"), "Known attacks on Joomla"),
    group(PackageKind::Core, "ab6039b94077d4b9daa61adb8c2edfd7", "OWASP SLR Et LFI Attacks", Some("attack-lfi"), "Known inclusions of local files"),
    group(PackageKind::Core, "27ed073eef9d8c5eef507cfde49b72ab", "OWASP SLR Et PhpBB Attacks", Some("attack-generic"), "Known attacks on phpBB"),
    group(PackageKind::Core, "c50bfffb29ff73a0efb510ffc922270b", "OWASP SLR Et RFI Attacks", Some("attack-rfi"), "Known inclusions of remote files"),
    group(PackageKind::Core, "af15d14b5aa137b966e0d70a9f803ddd", "OWASP SLR Et SQLi Attacks", Some("attack-sqli"), "Known SQL injections"),
    group(PackageKind::Core, "ee95c2d98064a86dc4781532900422c6", "OWASP SLR Et WordPress Attacks", Some("attack-generic"), "Known attacks on WordPress"),
    group(PackageKind::Core, "a555e68a39068bdf17b61b0dd502746c", "OWASP SLR Et XSS Attacks", Some("attack-xss"), "Known cross-site scripting"),
    group(PackageKind::Core, "56ae73aaddff4f7c69e106924f995b8e", "OWASP SQL Injection Attacks", Some("attack-sqli"), "SQL in arguments, cookies and headers"),
    group(PackageKind::Core, "2cce62ce3a274d33de260aa46e6b433e", "OWASP Tight Security", Some("attack-lfi"), "Checks that are too strict for most sites"),
    group(PackageKind::Core, "cc4ce7f3593d8c83bee23db72e5af337", "OWASP Trojans", Some("attack-rce"), "Access to backdoors"),
    group(PackageKind::Core, "e8a76231c78acb50e3ee3d04fc06429f", "OWASP Uri SQL Injection", Some("attack-sqli"), "SQL in the path"),
    group(PackageKind::Core, "03bb36845330f6de60a5300cff7ad2b6", "OWASP Uri XSS", Some("attack-xss"), "Scripts in the path"),
    group(PackageKind::Core, "9e23b30c81dfa12cc177aab117c5541e", "OWASP XSS Attacks", Some("attack-xss"), "Scripts in arguments, cookies and headers"),
];

const fn group(
    package: PackageKind,
    id: &'static str,
    name: &'static str,
    category: Option<&'static str>,
    description: &'static str,
) -> CatalogGroup {
    CatalogGroup { package, id, name, category, description }
}
