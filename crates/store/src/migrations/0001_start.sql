-- Only text and bigint, so that the same statements work on SQLite and PostgreSQL. Flags are 0 or 1,
-- times are RFC 3339 in UTC, secrets are SHA-256 digests in hexadecimal digits. `seq` is the order of
-- creation within the zone.

create table accounts (
    id text primary key,
    name text not null
);

create table users (
    email text primary key,
    account_id text not null references accounts (id),
    key_digest text not null
);

create table tokens (
    id text primary key,
    account_id text not null references accounts (id),
    token_digest text not null unique
);

create table zones (
    id text primary key,
    account_id text not null references accounts (id),
    seq bigint not null,
    name text not null,
    tier text not null
);

create table filters (
    id text primary key,
    zone_id text not null references zones (id),
    seq bigint not null,
    expression text not null,
    -- An index over whole expressions would pass the size limit of PostgreSQL's indexes.
    expression_digest text not null,
    paused bigint not null,
    description text,
    ref text,
    unique (zone_id, expression_digest)
);

create index filters_in_order on filters (zone_id, seq);

create table firewall_rules (
    id text primary key,
    zone_id text not null references zones (id),
    seq bigint not null,
    filter_id text not null references filters (id),
    action text not null,
    priority bigint,
    paused bigint not null,
    description text,
    ref text,
    -- Names with commas between; empty for none.
    products text not null,
    created_on text not null,
    modified_on text not null
);

create index firewall_rules_in_order on firewall_rules (zone_id, seq);
create index firewall_rules_of_filter on firewall_rules (filter_id);
