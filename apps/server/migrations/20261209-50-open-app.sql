-- Applications of the open API are registered and changed on a page; those a docking hands its readings on with are the product's own.
alter table open_app add column is_internal boolean not null default false;
alter table open_app add column remark text;
alter table open_app add column update_time timestamptz;
alter table open_app add column update_by text;
alter table open_app add column version integer not null default 0;
update open_app a set is_internal = true from gateway3rd g where a.name = '对接 ' || g.code;
create unique index open_app_name on open_app (project_code, name) where not is_internal;
