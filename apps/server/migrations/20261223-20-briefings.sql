-- 安全技术交底: who was told what before the work, and signed it.
create table briefing (
  id text primary key,
  -- safetyPTechnical: of a gang; technical: of managers.
  type text not null check (type in ('safetyPTechnical', 'technical')),
  code text,
  project_code text not null references project on delete cascade,
  -- The company of the gang; of managers the general contractor's.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  kind text,
  name text not null,
  work_type text,
  part text not null,
  team_id text references team,
  big_project_id text references bigproject on delete set null,
  measure_ids text[] not null default '{}',
  content text not null,
  files text[] not null default '{}',
  scans text[] not null default '{}',
  date date not null,
  discloser text not null,
  witness text,
  replaces_id text references briefing on delete set null,
  -- Somebody outside the site asked for it again.
  redo boolean not null default false,
  reminded_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index briefing_project on briefing (project_code, type, date desc);
create unique index briefing_code on briefing (project_code, code);
create index briefing_replaces on briefing (replaces_id) where replaces_id is not null;
create index briefing_work on briefing (big_project_id) where big_project_id is not null;
create index briefing_team on briefing (team_id) where team_id is not null;
call zg_by_project('briefing', 'project_code', 'corp_code');
call zg_until_shown('briefing');

-- Who is briefed; the id is the seat of the signature.
create table briefing_receiver (
  id text primary key,
  briefing_id text not null references briefing on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  stay_id text not null,
  worker_id text not null,
  name text not null,
  unit text not null,
  role text not null,
  -- Why somebody did not come.
  absent_reason text,
  -- Signed on a sheet of paper, whose scan is kept.
  paper_at timestamptz,
  unique (briefing_id, stay_id)
);
create index briefing_receiver_worker on briefing_receiver (project_code, worker_id);
call zg_by_project('briefing_receiver', 'project_code', 'corp_code');
call zg_until_shown('briefing_receiver');

-- When a site was last told to make up for a gap.
create table briefing_reminder (
  id text primary key,
  project_code text not null references project on delete cascade,
  kind text not null check (kind in ('work', 'team')),
  subject_id text not null,
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  unique (project_code, kind, subject_id)
);
call zg_by_project('briefing_reminder');

-- Signatures of one day by one device.
create index process_signature_device on process_signature (project_code, device) where device is not null;
