-- What a machine told over a time, laid to an alarm of its site as evidence: the readings themselves stay where they are.
create table alarm_reading (
  id text primary key,
  project_code text not null references project on delete cascade,
  alarm_id text not null references alarm on delete cascade,
  device_id text not null references device on delete cascade,
  from_time timestamptz not null,
  until_time timestamptz not null,
  note text not null default '',
  by_name text not null,
  create_time timestamptz not null,
  check (from_time < until_time)
);
create index alarm_reading_alarm on alarm_reading (alarm_id, from_time);
create index alarm_reading_device on alarm_reading (device_id);
create index alarm_reading_project on alarm_reading (project_code);
call zg_by_project('alarm_reading');
