-- No process caches callers on a shared database any more; see 0012.
drop table memory_lease;
