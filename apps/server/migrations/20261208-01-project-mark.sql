-- As which of his groups somebody marked a project or came to it last. It gives no right: whether he may still see the project, and as
-- whom, is asked whenever it is shown.
alter table project_mark add column group_id text references tenant on delete set null;
create index on project_mark (group_id);
