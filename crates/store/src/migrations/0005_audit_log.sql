-- What was changed, by whom, in the order of the changes of each scope. Nothing in it is ever changed: each entry
-- has the hash of the one before it.
create table audit_log (
    -- The zone or the account that was changed; empty for the service itself.
    scope text not null,
    -- From 1, without a gap in the scope.
    seq bigint not null,
    at text not null,
    -- `token:…`, `user:…` or `service`.
    actor text not null,
    request_id text not null,
    -- What was done to what: `filter.create`.
    action text not null,
    object_id text not null,
    -- JSON, as answers have it, without secrets; null when there was nothing.
    before_change text,
    after_change text,
    -- SHA-256 over the hash of the entry before and everything above, in hexadecimal digits.
    hash text not null,
    primary key (scope, seq)
);

insert into counters (name, last) values ('service', 0);
