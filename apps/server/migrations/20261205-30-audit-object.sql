-- The history of one thing is asked for beside its list.
create index audit_object on audit_log (object_id, at desc) where object_id is not null;
