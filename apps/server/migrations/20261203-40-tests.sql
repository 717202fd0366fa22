-- Drop and load tests of lifts: what was found, who answers for it, the paper. When the next drop test is due follows from the last one passed.
create table lift_test (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  kind text not null check (kind in ('drop', 'load')),
  tested_on date not null,
  result text not null check (result in ('pass', 'fail')),
  person_name text not null,
  unit_name text not null default '',
  distance_meters double precision,
  load_percent double precision,
  remark text not null default '',
  files text[] not null default '{}',
  by_name text not null,
  create_time timestamptz not null,
  -- Entered wrong: it counts no more and stays.
  void_reason text,
  void_by text,
  void_time timestamptz,
  check ((void_reason is null) = (void_time is null))
);
create index lift_test_device on lift_test (device_id, tested_on desc) where void_reason is null;
create index lift_test_project on lift_test (project_code, tested_on desc);
call zg_by_project('lift_test');
