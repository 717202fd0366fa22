-- What the pages of the device families keep beside readings and records.

-- Helmets in groups of a site: a team, a patrol, the visitors of a day.
create table helmet_group (
  id text primary key,
  project_code text not null references project,
  name text not null,
  remark text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (project_code, name)
);
create table helmet_group_member (
  device_id text primary key references device on delete cascade,
  group_id text not null references helmet_group on delete cascade,
  project_code text not null references project
);
create index helmet_group_member_group on helmet_group_member (group_id);

-- A weighing as corrected. The device's own record is never touched: what holds now lies over it, and every change stays.
create table weigh_ticket (
  device_id text not null,
  ts timestamptz not null,
  record_id text not null,
  project_code text not null references project,
  -- Fields in force instead of the device's.
  fields jsonb not null default '{}',
  -- Weights or plate that wait for approval: {fields, reason, byName, at}
  pending jsonb,
  void_reason text,
  version int not null default 1,
  primary key (device_id, ts, record_id)
);
create table weigh_change (
  id text primary key,
  project_code text not null references project,
  device_id text not null,
  ts timestamptz not null,
  record_id text not null,
  at timestamptz not null,
  action text not null,
  -- [{field, from, to}]
  changes jsonb not null default '[]',
  reason text not null,
  by_name text not null
);
create index weigh_change_ticket on weigh_change (device_id, ts, record_id, at);

-- How far cycles have been found in a device's readings, and what has begun and not yet ended: written with the records themselves.
create table cycle_watch (
  device_id text primary key references device on delete cascade,
  upto timestamptz not null,
  state jsonb
);

call zg_by_project('helmet_group');
call zg_by_project('helmet_group_member');
call zg_by_project('weigh_ticket');
call zg_by_project('weigh_change');
call zg_by_parent('cycle_watch', 'device_id', 'device');
