-- A record of a device as people put it right. What the device sent is never touched: what holds now lies over it, and every change stays.
create table record_fix (
  device_id text not null references device on delete cascade,
  ts timestamptz not null,
  record_id text not null,
  project_code text not null references project on delete cascade,
  -- Fields in force instead of the device's, by its own names.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  version int not null default 1,
  primary key (device_id, ts, record_id)
);
create index record_fix_of_project on record_fix (project_code, ts);
create table record_fix_log (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null,
  ts timestamptz not null,
  record_id text not null,
  at timestamptz not null,
  -- [{field, from, to}]
  changes jsonb not null,
  reason text not null,
  by_name text not null
);
create index record_fix_log_of on record_fix_log (device_id, ts, record_id, at);
call zg_by_project('record_fix');
call zg_by_project('record_fix_log');

-- Records as they hold now: lists, figures and files of families whose records are corrected read this. With the reader's own rights.
create view record_now with (security_invoker = true) as
  select r.device_id, r.project_code, r.ts, r.id, r.record, r.received_at,
    case when f.fields is null then r.data else r.data || f.fields end as data, f.fields is not null as is_fixed, coalesce(f.version, 0) as fix_version
  from device_record r left join record_fix f on f.device_id = r.device_id and f.ts = r.ts and f.record_id = r.id;
grant select on record_now to zg_some, zg_wide, zg_all;

-- Which camera looks at which machine: a camera looks at one, both stand on the same site.
create table machine_camera (
  camera_id text primary key references device on delete cascade,
  machine_id text not null references device on delete cascade,
  project_code text not null references project on delete cascade,
  by_name text not null,
  at timestamptz not null
);
create index machine_camera_of on machine_camera (machine_id);
call zg_by_project('machine_camera');
-- What cameras said of themselves until now.
insert into machine_camera (camera_id, machine_id, project_code, by_name, at)
  select c.id, m.id, c.project_code, '档案', now() from device c join device m on m.id = c.params ->> 'craneId' and m.project_code = c.project_code
  where c.family = 'videoAi';

-- A picture somebody kept of what a camera saw.
create table video_snap (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  at timestamptz not null,
  file_id text not null references stored_file,
  note text,
  by_id text not null,
  by_name text not null,
  create_time timestamptz not null default now()
);
create index video_snap_of on video_snap (project_code, at desc);
call zg_by_project('video_snap');

-- A round of cameras looked through: which, what was found, and what became of it.
create table video_patrol (
  id text primary key,
  project_code text not null references project on delete cascade,
  at timestamptz not null,
  -- [{deviceId, name, state}]
  cameras jsonb not null,
  result text not null check (result in ('fine', 'found')),
  finding text check (result = 'fine' or length(finding) > 0),
  photos text[] not null default '{}',
  -- The camera the finding was seen by.
  device_id text,
  alarm_id text,
  by_id text not null,
  by_name text not null,
  by_group text not null
);
create index video_patrol_of on video_patrol (project_code, at desc);
call zg_by_project('video_patrol');

-- When a spray line runs by the clock, and what it waits for.
create table spray_plan (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  name text not null,
  -- 1 Monday to 7 Sunday.
  weekdays smallint[] not null check (cardinality(weekdays) between 1 and 7),
  -- Minutes of the Shanghai day.
  starts smallint[] not null check (cardinality(starts) between 1 and 12),
  minutes smallint not null check (minutes between 1 and 60),
  -- Is left out: while it rains; below so many degrees; within these minutes of the night.
  skip_rain boolean not null default true,
  least_celsius real not null default 2 check (least_celsius between 0 and 20),
  night_from smallint check (night_from between 0 and 1439), night_until smallint check (night_until between 0 and 1439),
  enable char(1) not null default '1' check (enable in ('0', '1')),
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (device_id, name),
  check ((night_from is null) = (night_until is null))
);
create index spray_plan_of on spray_plan (project_code);
call zg_by_project('spray_plan');
-- What became of each start: written before the command goes out, so that no two workers start it twice.
create table spray_plan_run (
  plan_id text not null references spray_plan on delete cascade,
  project_code text not null references project on delete cascade,
  device_id text not null,
  due timestamptz not null,
  at timestamptz not null,
  result text not null check (result in ('sent', 'done', 'rain', 'cold', 'night', 'wind', 'offline', 'refused', 'noReply', 'blocked')),
  message text,
  primary key (plan_id, due)
);
create index spray_plan_run_of on spray_plan_run (project_code, due desc);
call zg_by_project('spray_plan_run');
