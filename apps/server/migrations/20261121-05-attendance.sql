-- Gate events, the hash-chained ledger, daily results.

create table attendance_event (
  project_code text not null references project,
  id text not null,
  dedup_key text not null,
  worker_id text,
  corp_code text,
  team_id text,
  time timestamptz not null,
  received_at timestamptz not null,
  work_day date,
  direction text,
  attend_type text,
  terminal_code text not null,
  device_id text,
  channel text,
  score numeric(6,2),
  live text,
  pass text,
  picture text, picture_hash text,
  person_hint text,
  temperature numeric(3,1),
  source text not null,
  record_id text,
  clock_offset_ms bigint,
  lng double precision, lat double precision,
  -- clockAhead, tooOld, clockOffset, outsideFence; null counts
  quarantine text,
  -- notEntered, exited, suspicious...
  flags text[] not null default '{}',
  late boolean not null default false,
  duplicated int not null default 0,
  seq bigint not null,
  primary key (project_code, id)
);
create unique index attendance_event_key on attendance_event (project_code, dedup_key);
create index attendance_event_time on attendance_event (project_code, time desc);
create index attendance_event_worker on attendance_event (project_code, worker_id, time);

create table attendance_ledger (
  project_code text not null,
  seq bigint not null,
  worker_id text,
  worker_seq bigint,
  kind text not null,
  received_at timestamptz not null,
  event_id text,
  -- The canonical bytes as text, and the hash over the one before and them.
  entry text not null,
  hash text not null,
  primary key (project_code, seq)
);
create unique index attendance_ledger_worker on attendance_ledger (project_code, worker_id, worker_seq) where worker_id is not null;

-- The chain's head, locked for each append.
create table attendance_chain (
  project_code text primary key references project,
  seq bigint not null,
  hash text not null,
  received_at timestamptz
);

create table attendance_root (
  project_code text not null,
  date date not null,
  record text not null,
  hash text not null,
  primary key (project_code, date)
);

create table attendance_setting (
  id text primary key,
  project_code text not null references project,
  effective_from date not null,
  value jsonb not null,
  create_time timestamptz not null default now(),
  create_by text,
  unique (project_code, effective_from)
);

create table attendance_day (
  project_code text not null,
  worker_id text not null,
  work_day date not null,
  corp_code text not null,
  team_id text,
  first_in timestamptz,
  last_out timestamptz,
  work_hours numeric(4,1) not null default 0,
  attend_day smallint not null default 0,
  results smallint[] not null default '{}',
  record_count int not null default 0,
  parts jsonb not null default '[]',
  settled boolean not null default false,
  at_close jsonb,
  rules_version text not null,
  primary key (project_code, worker_id, work_day)
);
create index attendance_day_list on attendance_day (project_code, work_day);

-- Days to be computed anew: written with the fact, worked off right after.
create table attendance_dirty (
  project_code text not null,
  worker_id text not null,
  work_day date not null,
  at timestamptz not null default now(),
  primary key (project_code, worker_id, work_day)
);

call zg_by_project('attendance_event');
create policy own_people on attendance_event as restrictive to zg_some, zg_wide using (
  project_code <> all ((select zg_list('app.limited'))::text[]) or corp_code = any ((select zg_list('app.corps'))::text[]));
call zg_by_project('attendance_ledger');
call zg_by_project('attendance_chain');
call zg_by_project('attendance_root');
call zg_by_project('attendance_setting');
call zg_by_project('attendance_day', 'project_code', 'corp_code');
call zg_by_project('attendance_dirty');
-- The ledger is only ever added to, by the ingest itself.
revoke insert, update, delete on attendance_ledger, attendance_chain, attendance_root from zg_some, zg_wide, zg_all;
