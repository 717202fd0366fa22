-- Gate events, the hash-chained ledger, daily results.

create table attendance_event (
  -- A project with events has a chain, which points to it.
  project_code text not null,
  id text not null,
  dedup_key text not null,
  -- As the gate sent it: it may name a person whose file comes later.
  worker_id text,
  corp_code text,
  team_id text,
  time timestamptz not null,
  received_at timestamptz not null,
  work_day date,
  direction text,
  attend_type text not null,
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
  point_hash text,
  outside_fence boolean not null default false,
  -- clockAhead, tooOld, clockOffset, outsideFence; null counts
  quarantine text,
  -- As it looked on arrival: notEntered, exited, suspicious, stranger, refused
  flags text[] not null default '{}',
  late boolean not null default false,
  duplicated int not null default 0,
  seq bigint not null,
  primary key (project_code, id)
);
create unique index attendance_event_key on attendance_event (project_code, dedup_key);
create index attendance_event_time on attendance_event (project_code, time desc, id desc);
create index attendance_event_worker on attendance_event (project_code, worker_id, time);
create index attendance_event_quarantine on attendance_event (project_code, time desc) where quarantine is not null;

create table attendance_ledger (
  project_code text not null,
  seq bigint not null,
  worker_id text,
  worker_seq bigint,
  kind text not null,
  received_at timestamptz not null,
  -- The event or correction the entry records.
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
  received_at timestamptz,
  -- Days are kept for everybody from here on; before it only where there is an event.
  days_from date,
  -- The last work day that was opened for everybody in place.
  opened_to date
);

create table attendance_root (
  project_code text not null,
  date date not null,
  record text not null,
  hash text not null,
  create_time timestamptz not null default now(),
  primary key (project_code, date)
);

-- What the supervising authority and the contractor keep of the roots, under their own scope: the project cannot write there.
create table attendance_root_copy (
  group_id text not null references tenant,
  project_code text not null,
  date date not null,
  hash text not null,
  delivered_at timestamptz not null,
  primary key (group_id, project_code, date)
);
create index attendance_root_copy_project on attendance_root_copy (project_code, date);

-- Versions: of two from the same day the later saved one holds.
create table attendance_setting (
  id text primary key,
  project_code text not null references project,
  effective_from date not null,
  value jsonb not null,
  reason text,
  create_time timestamptz not null default now(),
  create_by text
);
create index attendance_setting_project on attendance_setting (project_code, effective_from);

create table attendance_correction (
  id text primary key,
  project_code text not null references project,
  worker_id text,
  corp_code text,
  kind text not null,
  -- Dictionary approvalState
  state text not null,
  value jsonb not null,
  requested_by text,
  requested_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  by_company boolean not null default false,
  create_time timestamptz not null default now()
);
create index attendance_correction_project on attendance_correction (project_code, worker_id);

create table attendance_day (
  project_code text not null,
  worker_id text not null,
  work_day date not null,
  -- The stay and unit the day is counted for.
  stay_id text not null,
  corp_code text not null,
  team_id text,
  first_in timestamptz,
  last_out timestamptz,
  work_hours numeric(4,1) not null default 0,
  overtime_hours numeric(4,1) not null default 0,
  attend_day smallint not null default 0,
  results smallint[] not null default '{}',
  record_count int not null default 0,
  parts jsonb not null default '[]',
  shift text,
  expected boolean not null default false,
  required boolean not null default false,
  present boolean not null default false,
  pending boolean not null default false,
  settled boolean not null default false,
  -- Figures when the day settled, where they differ from the present ones.
  at_close jsonb,
  rules_version text not null,
  setting_version text not null,
  -- When the passing of time alone changes the day: its close, or the end of waiting for an exit.
  due_at timestamptz,
  primary key (project_code, worker_id, work_day)
);
create index attendance_day_list on attendance_day (project_code, work_day);
create index attendance_day_worker on attendance_day (worker_id, work_day);
create index attendance_day_due on attendance_day (due_at) where due_at is not null;

-- The last counted passage of each person, whatever its age: who is inside now.
create table attendance_presence (
  project_code text not null,
  worker_id text not null,
  corp_code text,
  direction text,
  time timestamptz,
  gate text,
  cleared_at timestamptz,
  primary key (project_code, worker_id)
);

-- Days to be computed anew: written with the fact, worked off right after. Only ever added to, so that no message waits for
-- another, nor for the computing; a day may stand here many times.
create table attendance_dirty (
  project_code text not null,
  id bigint generated always as identity,
  worker_id text not null,
  work_day date not null,
  primary key (project_code, id)
);

call zg_by_project('attendance_event', 'project_code', 'corp_code');
call zg_by_project('attendance_ledger');
call zg_by_project('attendance_chain');
call zg_by_project('attendance_root');
call zg_by_group('attendance_root_copy');
call zg_by_project('attendance_setting');
call zg_by_project('attendance_correction', 'project_code', 'corp_code');
call zg_by_project('attendance_day', 'project_code', 'corp_code');
call zg_by_project('attendance_presence', 'project_code', 'corp_code');
call zg_by_project('attendance_dirty');
-- Facts are only ever added to, and days computed, by the ingest itself: no request of anybody can touch them.
revoke insert, update, delete on attendance_event, attendance_ledger, attendance_chain, attendance_root, attendance_root_copy,
  attendance_day, attendance_presence from zg_some, zg_wide, zg_all;
