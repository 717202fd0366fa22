-- How a site handles its own orders of rectification.
create table rectify_setting (
  id text primary key,
  project_code text not null unique references project on delete cascade,
  -- 监理 closes ordinary hazards with its review; otherwise the issuer rechecks.
  supervisor_closes boolean not null default false,
  changed_by text not null,
  version int not null default 0,
  update_by text,
  update_time timestamptz not null default now()
);
call zg_by_project('rectify_setting');
