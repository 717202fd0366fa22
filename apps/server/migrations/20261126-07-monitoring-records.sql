-- Grounds of a site over which no load may hang: corners in metres east and north of the site's origin. Those of
-- the registered plan stay in the plan.
create table crane_zone (
  id text primary key,
  project_code text not null references project on delete cascade,
  name text not null,
  kind text not null check (kind = 'forbidden'),
  margin_meters real not null default 5 check (margin_meters between 0 and 200),
  points jsonb not null,
  -- Null: from the beginning, without an end.
  from_time timestamptz, until_time timestamptz check (until_time is null or from_time is null or until_time > from_time),
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (project_code, name)
);
call zg_by_project('crane_zone');

-- What people know of a silence that its data do not tell.
create table offline_note (
  device_id text not null references device on delete cascade,
  project_code text not null,
  -- When the platform noticed it: the offline event that is explained.
  ts timestamptz not null,
  cause text not null check (cause in ('断电', '网络', '网关', '设备故障', '停工', '其他')),
  remark text not null,
  by_name text not null,
  at timestamptz not null,
  primary key (device_id, ts)
);
call zg_by_project('offline_note');
