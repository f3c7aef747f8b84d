-- The one process that may remember who is calling: empty for none, `-` while one is kept from it. `rest_until` is when
-- the next may have it, in milliseconds since 1970.
create table memory_lease (
    id bigint primary key check (id = 1),
    holder text not null,
    rest_until bigint not null
);
insert into memory_lease (id, holder, rest_until) values (1, '', 0);
