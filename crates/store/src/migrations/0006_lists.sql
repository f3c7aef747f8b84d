-- How many items a list of a zone has, by their `seq` in blocks of 1,000: so a list is counted, and a page found,
-- without going through the items before it. Blocks without items have no row.
create table list_counts (
    zone_id text not null references zones (id),
    -- `filters` or `firewall_rules`.
    list text not null,
    block bigint not null,
    items bigint not null,
    primary key (zone_id, list, block)
);

insert into list_counts (zone_id, list, block, items)
select zone_id, 'filters', seq / 1000, count(*) from filters group by zone_id, seq / 1000;

insert into list_counts (zone_id, list, block, items)
select zone_id, 'firewall_rules', seq / 1000, count(*) from firewall_rules group by zone_id, seq / 1000;

-- The quota counts these alone, and is their bound.
create index firewall_rules_active on firewall_rules (zone_id) where paused = 0;
create index filters_by_ref on filters (zone_id, ref) where ref is not null;
