-- What people read off a meter, and meters that were changed: kept beside what the meter sends, taken back but never overwritten.
create table meter_entry (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  kind text not null check (kind in ('reading', 'change')),
  at timestamptz not null,
  -- As the register showed it, before any ratio: of a change the old meter's last.
  reading double precision not null check (reading >= 0),
  start_reading double precision check (start_reading >= 0),
  reason text not null,
  files text[] not null default '{}',
  by_name text not null,
  create_time timestamptz not null,
  void_reason text,
  void_by text,
  void_at timestamptz,
  check ((kind = 'change') = (start_reading is not null)),
  check ((void_at is null) = (void_by is null) and (void_at is null) = (void_reason is null))
);
create unique index meter_entry_at on meter_entry (device_id, at) where void_at is null;
create index meter_entry_project on meter_entry (project_code, at desc);
call zg_by_project('meter_entry');

