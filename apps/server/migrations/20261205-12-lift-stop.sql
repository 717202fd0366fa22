-- A lift is taken out of use by people, most often after an alarm, and given back only after it was looked over. It is watched all the while.
create table lift_stop (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  -- What it was stopped for, where an alarm was it.
  alarm_id text references alarm on delete set null,
  stopped_at timestamptz not null,
  reason text not null,
  by_name text not null,
  create_time timestamptz not null,
  checked_on date,
  person_name text,
  unit_name text not null default '',
  finding text,
  files text[] not null default '{}',
  resumed_at timestamptz,
  resumed_by text,
  check ((resumed_at is null) = (checked_on is null)),
  check (resumed_at is null or resumed_at > stopped_at)
);
create unique index lift_stop_open on lift_stop (device_id) where resumed_at is null;
create index lift_stop_device on lift_stop (device_id, stopped_at desc);
create index lift_stop_alarm on lift_stop (alarm_id) where alarm_id is not null;
create index lift_stop_project on lift_stop (project_code, stopped_at desc);
call zg_by_project('lift_stop');
