-- Unloading platforms climb with the building: every move is accepted anew, and weighed empty before its readings are believed.
create table platform_move (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  moved_at timestamptz not null,
  from_place text not null default '',
  to_place text not null,
  person_name text not null,
  remark text not null default '',
  files text[] not null default '{}',
  by_name text not null,
  create_time timestamptz not null,
  -- What the empty platform weighed, tonnes.
  zero_weight double precision,
  zeroed_at timestamptz,
  zeroed_by text,
  check ((zero_weight is null) = (zeroed_at is null))
);
create index platform_move_device on platform_move (device_id, moved_at desc);
create index platform_move_project on platform_move (project_code, moved_at desc);
call zg_by_project('platform_move');
