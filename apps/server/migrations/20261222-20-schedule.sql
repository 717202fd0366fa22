-- 进度: one plan for a project, with the state of its baseline and the figures of its list.
create table schedule (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- The general contractor.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  -- Number of the approved baseline; 0 before the first.
  base_no int not null default 0,
  -- Why the baseline is being changed.
  base_reason text,
  approved_at timestamptz,
  plan_percent float8 not null default 0,
  percent float8 not null default 0,
  delay_days int not null default 0,
  finish_deviation int not null default 0,
  late int not null default 0,
  severe int not null default 0,
  plan_start date,
  plan_end date,
  -- Dictionary scheduleState.
  schedule_state text not null default '0',
  report_time timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create unique index schedule_project on schedule (project_code);
call zg_by_project('schedule', 'project_code', 'corp_code');
call zg_until_shown('schedule');

-- Tasks in a tree. Dates, percentage and delay of those with tasks below come from these.
create table schedule_task (
  id text primary key,
  schedule_id text not null references schedule on delete cascade,
  project_code text not null references project on delete cascade,
  -- The company that carries it out.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  unit_id text,
  parent_id text references schedule_task on delete cascade,
  wbs text not null check (wbs ~ '^[0-9]{1,4}(\.[0-9]{1,4}){0,7}$'),
  name text not null,
  phase text,
  leaf boolean not null default true,
  milestone boolean not null default false,
  critical boolean not null default false,
  weight float8 not null,
  weight_sum float8,
  plan_start date not null,
  plan_end date not null,
  base_start date,
  base_end date,
  actual_start date,
  actual_end date,
  plan_percent float8 not null default 0,
  percent float8 not null default 0,
  delay_days int not null default 0,
  delay_reason text,
  task_state text not null default '0',
  report_time timestamptz,
  version int not null default 0,
  update_by text,
  update_time timestamptz not null default now(),
  check (plan_end >= plan_start),
  foreign key (project_code, unit_id) references unit_project (project_code, id) on delete set null (unit_id)
);
create unique index schedule_task_wbs on schedule_task (schedule_id, coalesce(unit_id, ''), wbs);
create index schedule_task_project on schedule_task (project_code);
create index schedule_task_parent on schedule_task (parent_id) where parent_id is not null;
create index schedule_task_unit on schedule_task (unit_id) where unit_id is not null;
call zg_by_project('schedule_task', 'project_code', 'corp_code');
call zg_until_shown('schedule_task');

-- What was reported, week by week; never changed.
create table schedule_report (
  id text primary key,
  task_id text not null references schedule_task on delete cascade,
  schedule_id text not null references schedule on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  percent float8 not null,
  before float8 not null,
  actual_start date,
  actual_end date,
  delay_days int not null,
  reason text,
  photos text[] not null default '{}',
  by_id text not null,
  by_name text not null,
  at timestamptz not null
);
create index schedule_report_task on schedule_report (task_id, at);
create index schedule_report_project on schedule_report (project_code, at);
call zg_by_project('schedule_report', 'project_code', 'corp_code');
call zg_until_shown('schedule_report');

-- Versions of the baseline with the dates that each had.
create table schedule_base (
  id text primary key,
  schedule_id text not null references schedule on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  no int not null,
  reason text,
  submitted_by text not null,
  submitted_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  opinion text
);
create unique index schedule_base_no on schedule_base (schedule_id, no);
call zg_by_project('schedule_base', 'project_code', 'corp_code');
call zg_until_shown('schedule_base');

create table schedule_base_task (
  id text primary key,
  base_id text not null references schedule_base on delete cascade,
  -- Without a foreign key: a task that is taken out later stays in the versions that had it.
  task_id text not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  name text not null,
  plan_start date not null,
  plan_end date not null,
  weight float8 not null
);
create unique index schedule_base_task_of on schedule_base_task (base_id, task_id);
call zg_by_project('schedule_base_task', 'project_code', 'corp_code');
call zg_until_shown('schedule_base_task');
