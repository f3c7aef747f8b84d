-- What a zone's previous managed rules are set to, where that is not what the catalogue delivers.
create table waf_settings (
    zone_id text not null references zones (id),
    -- `waf` (the switch of the whole, of the object ''), `sensitivity`, `action_mode`, `group` or `rule`.
    kind text not null,
    -- The package, group or rule.
    object_id text not null,
    value text not null,
    modified_on text not null,
    primary key (zone_id, kind, object_id)
);

create table waf_overrides (
    id text primary key,
    zone_id text not null references zones (id),
    seq bigint not null,
    priority bigint not null,
    -- JSON, as answers have it.
    settings text not null
);

create index waf_overrides_in_order on waf_overrides (zone_id, priority, seq);

create table page_rules (
    id text primary key,
    zone_id text not null references zones (id),
    seq bigint not null,
    priority bigint not null,
    -- JSON, as answers have it.
    settings text not null
);

create index page_rules_in_order on page_rules (zone_id, priority, seq);

-- How far the migration of a zone is; a zone without a row has not begun.
create table migrations (
    zone_id text primary key references zones (id),
    -- `validation`, `pending` or `complete`.
    state text not null,
    -- When it began.
    created text not null,
    -- When it came into this state, in milliseconds since 1970.
    entered bigint not null
);
