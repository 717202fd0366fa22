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
