-- The one process that may remember who is calling. `holder` is empty when there is none, and begins with `-` while
-- somebody waits for the end of a lease that was taken away, or when it has ended while it waited. `rest_until` is when
-- the next may have it, in milliseconds since 1970.
create table memory_lease (
    id bigint primary key check (id = 1),
    holder text not null,
    rest_until bigint not null
);
insert into memory_lease (id, holder, rest_until) values (1, '', 0);
