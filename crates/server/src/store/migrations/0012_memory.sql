-- The one process that may remember who is calling, until when, and until when nobody may: in milliseconds since 1970,
-- by the clock of the database.
create table memory_lease (
    holder text not null,
    until bigint not null,
    rest_until bigint not null
);
insert into memory_lease (holder, until, rest_until) values ('', 0, 0);
