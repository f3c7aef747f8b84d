-- Rulesets of zones. An entry point is the ruleset of kind `zone` in its phase.
create table rulesets (
    id text primary key,
    zone_id text not null references zones (id),
    kind text not null,
    phase text not null,
    name text not null,
    description text not null,
    version bigint not null,
    last_updated text not null,
    -- JSON, as answers have it.
    rules text not null
);

create index rulesets_of_zones on rulesets (zone_id, phase);
create unique index rulesets_entry_points on rulesets (zone_id, phase) where kind = 'zone';

-- When a pending migration is complete, in milliseconds since 1970; kept, so that it comes to an end after a
-- restart, too.
alter table migrations add column due bigint;
create index migrations_pending on migrations (due) where state = 'pending';
