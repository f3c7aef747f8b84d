-- Numbers that are given out, each once: that of a deleted job is never another's.
create table counters (
    name text primary key,
    last bigint not null
);

insert into counters (name, last) values ('logpush_jobs', 0);

create table logpush_jobs (
    id bigint primary key,
    -- Who has it: one of both.
    zone_id text references zones (id),
    account_id text references accounts (id),
    -- Counts the changes of what the owner decides, so that a change that was judged against older settings
    -- is noticed.
    revision bigint not null,
    enabled bigint not null,
    -- JSON, as answers have it; `enabled` stands in it too.
    settings text not null,
    last_complete text,
    last_error text,
    error_message text,
    time_created text not null,
    check ((zone_id is null) <> (account_id is null))
);

create index logpush_jobs_of_zone on logpush_jobs (zone_id, id);
create index logpush_jobs_of_account on logpush_jobs (account_id, id);

-- What the service signs with, in hexadecimal digits; made when it is first needed.
create table signing_keys (
    name text primary key,
    key text not null
);
