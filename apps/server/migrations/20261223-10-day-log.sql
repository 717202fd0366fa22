-- 日志: 安全日志 of a site (safetyPLog), 施工日志 of a unit of the works (construction), and 安全日志 of a supervising institution (log), which
-- belongs to no project and is read within that institution.
create table day_log (
  id text primary key,
  kind text not null check (kind in ('safetyPLog', 'construction', 'log')),
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  unit_id text,
  day date not null,
  weather text,
  temp_high float8,
  temp_low float8,
  wind int,
  worker_count int,
  -- By attendance when it was submitted.
  attend_count int,
  parts text not null default '',
  machines text,
  safety_state text,
  quality_state text,
  tomorrow text,
  impact text not null default 'none',
  idle_count int,
  photos text[] not null default '{}',
  -- Sites that a log of an institution is about.
  visited text[] not null default '{}',
  late boolean not null default false,
  late_reason text,
  recorder text not null,
  submitted_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  check ((kind = 'log') = (project_code is null)),
  check ((kind = 'construction') = (unit_id is not null)),
  foreign key (project_code, unit_id) references unit_project (project_code, id)
);
create unique index day_log_safety on day_log (project_code, day) where kind = 'safetyPLog';
create unique index day_log_unit on day_log (unit_id, day) where kind = 'construction';
create unique index day_log_own on day_log (author_group, create_by, day) where kind = 'log';
create index day_log_project on day_log (project_code, kind, day desc);
create index day_log_day on day_log (kind, day);
call zg_by_project('day_log', 'project_code', 'corp_code');
call zg_until_shown('day_log');
call zg_without_project('day_log');

-- What it refers to of what the day recorded, in the words and with the state of that moment.
create table day_log_fact (
  id text primary key,
  log_id text not null references day_log on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  kind text not null,
  ref_id text not null,
  -- The site of the record; the project of the log, but for that of an institution.
  site_code text,
  words text not null,
  amount float8,
  unit text,
  state text,
  link text
);
create unique index day_log_fact_of on day_log_fact (log_id, kind, ref_id);
call zg_by_project('day_log_fact', 'project_code', 'corp_code');
call zg_until_shown('day_log_fact');
call zg_without_project('day_log_fact');

create table day_log_problem (
  id text primary key,
  log_id text not null references day_log on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  description text not null,
  rectify_id text
);
create unique index day_log_problem_of on day_log_problem (log_id, seq);
call zg_by_project('day_log_problem', 'project_code', 'corp_code');
call zg_until_shown('day_log_problem');
call zg_without_project('day_log_problem');

-- Percent of tasks, proposed to the schedule.
create table day_log_task (
  id text primary key,
  log_id text not null references day_log on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  task_id text not null,
  name text not null,
  before float8 not null,
  percent float8 not null,
  reason text
);
create unique index day_log_task_of on day_log_task (log_id, task_id);
create index day_log_task_task on day_log_task (task_id);
call zg_by_project('day_log_task', 'project_code', 'corp_code');
call zg_until_shown('day_log_task');
call zg_without_project('day_log_task');

create table day_log_pour (
  id text primary key,
  log_id text not null references day_log on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  part text not null,
  grade text not null,
  volume float8 not null,
  from_time text not null,
  until_time text not null,
  by_name text not null
);
create unique index day_log_pour_of on day_log_pour (log_id, seq);
call zg_by_project('day_log_pour', 'project_code', 'corp_code');
call zg_until_shown('day_log_pour');
call zg_without_project('day_log_pour');

-- Parts of the day's work, each by its writer.
create table day_log_block (
  id text primary key,
  log_id text not null references day_log on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  part text not null,
  gang text,
  content text not null,
  by_id text not null,
  by_name text not null,
  at timestamptz not null
);
create index day_log_block_of on day_log_block (log_id, seq);
call zg_by_project('day_log_block', 'project_code', 'corp_code');
call zg_until_shown('day_log_block');
call zg_without_project('day_log_block');

-- 批阅, each with the answer of the site.
create table day_log_comment (
  id text primary key,
  log_id text not null references day_log on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  content text not null,
  by_id text not null,
  by_name text not null,
  group_name text not null,
  at timestamptz not null,
  answer text,
  answer_by text,
  answer_at timestamptz
);
create index day_log_comment_of on day_log_comment (log_id, at);
call zg_by_project('day_log_comment', 'project_code', 'corp_code');
call zg_until_shown('day_log_comment');
call zg_without_project('day_log_comment');

-- What was changed after it was submitted, with the old words; added to, never changed.
create table day_log_change (
  id text primary key,
  log_id text not null references day_log on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  field text not null,
  before text not null,
  after text not null,
  reason text,
  by_name text not null,
  at timestamptz not null
);
create index day_log_change_of on day_log_change (log_id, at);
call zg_by_project('day_log_change', 'project_code', 'corp_code');
call zg_until_shown('day_log_change');
call zg_without_project('day_log_change');

-- 催报: who reminded which site of which day.
create table day_log_urge (
  id text primary key,
  project_code text not null references project on delete cascade,
  day date not null,
  group_id text not null,
  group_name text not null,
  by_name text not null,
  at timestamptz not null
);
create unique index day_log_urge_of on day_log_urge (project_code, day, group_id);
call zg_by_project('day_log_urge');
