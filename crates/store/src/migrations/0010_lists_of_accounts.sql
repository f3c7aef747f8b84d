-- Whose log the entry is listed in: the account, or that of the zone; empty for the service. It follows from the scope,
-- and so has no part in the hash.
alter table audit_log add column account_id text not null default '';
update audit_log set account_id = coalesce((select z.account_id from zones z where z.id = audit_log.scope), scope);

-- A page of the log of an account is a range of it.
create index audit_log_in_order on audit_log (account_id, at, scope, seq);

create index zones_in_order on zones (account_id, seq);
create unique index zones_by_name on zones (account_id, name);
create index logpush_jobs_enabled on logpush_jobs (id) where enabled = 1;
