-- Supervision plans (监督计划): content and frequency by year and discipline, the visits that an approval plans, their versions and receipts.
create table check_plan (
  id text primary key,
  -- Drawn when it is first approved.
  code text,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  title text not null,
  discipline text not null,
  year int not null,
  supervisors text[] not null,
  supervisor_ids text[] not null default '{}',
  start_date date not null,
  end_date date not null,
  main_content text not null,
  measures text,
  focus text[] not null default '{}',
  disclosure_date date,
  -- Why it asks for fewer visits than the risk level does.
  frequency_reason text,
  files text[] not null default '{}',
  -- Of the project when it was written.
  risk_level int not null,
  version_no int not null default 1,
  -- Why it is adjusted; null in the first version.
  reason text,
  author_group text not null,
  author_group_name text not null,
  submit_by text,
  submit_name text,
  submit_at timestamptz,
  approve_name text,
  approve_at timestamptz,
  -- What the section head returned it with.
  opinion text,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create unique index check_plan_once on check_plan (project_code, discipline, year) where state <> '6';
create index check_plan_year on check_plan (year, state, project_code);
call zg_by_project('check_plan', 'project_code', 'corp_code');
call zg_until_shown('check_plan');

-- How often each phase is visited, in which time.
create table check_plan_frequency (
  plan_id text not null references check_plan on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  -- Never shown: windows are secret.
  shown_at timestamptz,
  groups text[] not null,
  phase text not null,
  times int not null check (times > 0),
  from_date date not null,
  to_date date not null,
  primary key (plan_id, seq)
);
call zg_by_project('check_plan_frequency', 'project_code', 'corp_code');
call zg_until_shown('check_plan_frequency');

-- A visit that the plan foresees. The site never learns of it.
create table check_plan_visit (
  id text primary key,
  plan_id text not null references check_plan on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  phase text not null,
  window_start date not null,
  window_end date not null,
  check_id text references day_check on delete set null
);
create index check_plan_visit_plan on check_plan_visit (plan_id, window_start);
create index check_plan_visit_window on check_plan_visit (project_code, window_end);
create index check_plan_visit_next on check_plan_visit (window_start) where check_id is null;
call zg_by_project('check_plan_visit', 'project_code', 'corp_code');
call zg_until_shown('check_plan_visit');

-- The content of each approved version, as the site was given it.
create table check_plan_version (
  plan_id text not null references check_plan on delete cascade,
  version_no int not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  title text not null,
  supervisors text[] not null,
  start_date date not null,
  end_date date not null,
  main_content text not null,
  measures text,
  focus text[] not null,
  disclosure_date date,
  reason text,
  approve_name text not null,
  approve_at timestamptz not null,
  primary key (plan_id, version_no)
);
call zg_by_project('check_plan_version', 'project_code', 'corp_code');
call zg_until_shown('check_plan_version');

-- Who of the parties received a version.
create table check_plan_receipt (
  plan_id text not null references check_plan on delete cascade,
  version_no int not null,
  group_id text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  group_name text not null,
  name text not null,
  at timestamptz not null,
  primary key (plan_id, version_no, group_id)
);
call zg_by_project('check_plan_receipt', 'project_code', 'corp_code');

-- The risk level of a project, 1 to 4, recomputed every night and after each event. Known to the authorities of its area.
create table project_risk (
  project_code text primary key references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  level int not null check (level between 1 and 4),
  -- The fact that decided.
  reason text not null,
  computed_at timestamptz not null
);
call zg_by_project('project_risk', 'project_code', 'corp_code');
call zg_until_shown('project_risk');
