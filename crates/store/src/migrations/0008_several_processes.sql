-- What processes that share a database have claimed, and until when: milliseconds since 1970 by the clock of the
-- database.
create table leases (
    name text primary key,
    holder text not null,
    until bigint not null
);

-- Counts the changes of log push jobs, so that a process learns cheaply of those that another one made.
insert into counters (name, last) values ('logpush_changes', 0);
