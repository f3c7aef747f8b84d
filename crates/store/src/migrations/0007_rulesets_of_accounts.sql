-- Rulesets of accounts beside those of zones. SQLite cannot take a `not null` back, so the table is made again.
create table rulesets_of_owners (
    id text primary key,
    -- Who has it: one of both.
    zone_id text references zones (id),
    account_id text references accounts (id),
    -- `zone` and `root` for the entry point of a phase, `custom`.
    kind text not null,
    phase text not null,
    name text not null,
    description text not null,
    version bigint not null,
    last_updated text not null,
    -- JSON, as answers have it.
    rules text not null,
    check ((zone_id is null) <> (account_id is null))
);

insert into rulesets_of_owners (id, zone_id, kind, phase, name, description, version, last_updated, rules)
select id, zone_id, kind, phase, name, description, version, last_updated, rules from rulesets;

drop table rulesets;
alter table rulesets_of_owners rename to rulesets;

create index rulesets_of_zones on rulesets (zone_id, phase);
create index rulesets_of_accounts on rulesets (account_id, phase);
create unique index rulesets_entry_points on rulesets (zone_id, phase) where kind = 'zone';
create unique index rulesets_entry_points_of_accounts on rulesets (account_id, phase) where kind = 'root';

-- What rulesets were and are: the present version too.
create table ruleset_versions (
    ruleset_id text not null references rulesets (id),
    version bigint not null,
    name text not null,
    description text not null,
    last_updated text not null,
    -- JSON, as answers have it.
    rules text not null,
    primary key (ruleset_id, version)
);

insert into ruleset_versions (ruleset_id, version, name, description, last_updated, rules)
select id, version, name, description, last_updated, rules from rulesets;
