-- What tokens may do, and until when.
alter table tokens add column name text not null default '';
alter table tokens add column created_on text not null default '';
-- RFC 3339 in UTC, whole seconds; null for never.
alter table tokens add column expires_on text;
-- 1 when it may do everything in its account, as the tokens could that were made before there were permissions;
-- otherwise what `token_grants` says.
alter table tokens add column everything bigint not null default 1;

create table token_grants (
    token_id text not null references tokens (id),
    -- Name of a permission group: `Firewall Services Write`.
    permission text not null,
    -- For this zone only; empty for the account and all of its zones.
    zone_id text not null,
    primary key (token_id, permission, zone_id)
);
