-- Zones that were deleted: their logs stay, and are listed with those of their account.
create index audit_log_of_gone_zones on audit_log (scope, object_id) where action = 'zone.delete';
