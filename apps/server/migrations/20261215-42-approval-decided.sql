-- The list of one's own decisions and its count are read from the decisions, newest first. The index holds every column they need.
create index work_approver_done on work_approver (acted_by, group_id, acted_at desc, id desc) include (item_id) where acted_by is not null;
drop index work_approver_acted;
-- Unread copies are counted with every page of the list.
create index work_copy_unread on work_copy (user_id, group_id) where read_at is null;
