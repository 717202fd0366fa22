-- What concerns a person at work and somebody has to look into: one row an episode. The job raises, counts up and ends it; people handle it.
create table labor_alarm (
  id text primary key,
  project_code text not null references project on delete cascade,
  worker_id text not null,
  stay_id text not null,
  corp_code text not null,
  team_id text,
  -- Dictionary laborAlarmType.
  type text not null,
  -- A month for what is judged by the month; empty otherwise.
  period text not null default '',
  content text not null,
  -- How much of it: days, records, percent; it counts up while the episode lasts.
  amount numeric(8,1) not null default 0,
  time timestamptz not null,
  last_time timestamptz not null,
  -- Whether it still holds.
  active boolean not null default true,
  -- Dictionary laborAlarmState.
  state text not null default '1',
  handler text,
  handler_name text,
  handle_remark text,
  handle_time timestamptz,
  version int not null default 0
);
create unique index labor_alarm_open on labor_alarm (project_code, worker_id, type, period) where active;
create index labor_alarm_list on labor_alarm (project_code, state, time desc);
create index labor_alarm_worker on labor_alarm (worker_id);
call zg_by_project('labor_alarm', 'project_code', 'corp_code');
revoke insert, delete on labor_alarm from zg_some, zg_wide, zg_all;

-- A correction on its way: who asked and why, who still has to agree, and where it stands in the ledger once all have.
alter table attendance_correction
  add column requested_name text,
  add column approved_name text,
  -- The work day it concerns, of a period the first.
  add column work_day date,
  add column reason text,
  add column files jsonb not null default '[]',
  -- Whose word is needed: site, company, review.
  add column needs text[] not null default '{site}',
  -- [{role, by, name, at, opinion}], in order.
  add column approvals jsonb not null default '[]',
  -- Random bytes (hex) of the detail's hash, kept outside the ledger.
  add column salt text,
  add column seq bigint,
  add column version int not null default 0;
create index attendance_correction_list on attendance_correction (project_code, state, create_time desc);
create index attendance_correction_unchained on attendance_correction (project_code) where state = '2' and seq is null;

-- A month that was closed: version n of its sheet with its hash, which wages are paid by.
create table attendance_month (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- yyyy-MM
  month text not null,
  version int not null,
  -- [{workerId, corpCode, teamSysNo, attendDays, workHours, ...}] as closed.
  sheet jsonb not null,
  hash text not null,
  closed_by text,
  closed_name text,
  closed_at timestamptz not null,
  reopened_name text,
  reopened_at timestamptz,
  reopen_reason text,
  unique (project_code, month, version)
);
create unique index attendance_month_closed on attendance_month (project_code, month) where reopened_at is null;
call zg_by_project('attendance_month');

-- What a team leader agreed to before the month is closed.
create table attendance_month_team (
  project_code text not null references project on delete cascade,
  month text not null,
  team_sys_no text not null,
  attend_days int not null,
  work_hours numeric(9,1) not null,
  confirmed_by text,
  confirmed_name text,
  confirmed_at timestamptz not null,
  primary key (project_code, month, team_sys_no)
);
call zg_by_project('attendance_month_team');

-- Measuring of temperatures on a site: whether, from what on somebody is told, and for how long values are kept.
create table temp_alarm_setting (
  project_code text primary key references project on delete cascade,
  value jsonb not null,
  version int not null default 1,
  update_name text,
  update_time timestamptz not null
);
call zg_by_project('temp_alarm_setting');

-- Somebody measured too warm: one row a person and work day, further measurements join it. Values go with the retention, the rest stays.
create table temp_alarm (
  id text primary key,
  project_code text not null references project on delete cascade,
  worker_id text not null,
  corp_code text,
  team_id text,
  work_day date not null,
  temperature numeric(3,1),
  threshold numeric(3,1) not null,
  -- Dictionary tempAlarmLevel.
  level text not null,
  count int not null default 1,
  time timestamptz not null,
  last_time timestamptz not null,
  terminal_code text,
  channel text,
  recheck numeric(3,1),
  recheck_time timestamptz,
  -- Dictionary alarmHandleState.
  handle_state text not null default '0',
  handler text,
  handler_name text,
  handle_time timestamptz,
  -- 返岗, 休息, 就医
  outcome text,
  -- [{at, name, action, text}]; what tells of illness goes with the retention.
  course jsonb not null default '[]',
  version int not null default 0,
  unique (project_code, worker_id, work_day)
);
create index temp_alarm_list on temp_alarm (project_code, handle_state, time desc);
create index temp_alarm_worker on temp_alarm (worker_id);
call zg_by_project('temp_alarm', 'project_code', 'corp_code');
revoke insert, delete on temp_alarm from zg_some, zg_wide, zg_all;
create index attendance_event_warm on attendance_event (project_code, time desc) where temperature is not null;
