-- What somebody found out or decided at an alarm of meters, pits and supports: said once more where more is known, never taken back. How the alarm was handled is kept elsewhere.
create table alarm_finding (
  id text primary key,
  project_code text not null references project on delete cascade,
  alarm_id text not null references alarm on delete cascade,
  code text not null check (length(code) between 1 and 20),
  text text not null check (length(text) > 0),
  -- Of a decision: who sees to it, and how often is measured until then.
  person text,
  every_hours int check (every_hours between 1 and 168),
  files text[] not null default '{}',
  by_name text not null,
  by_group text not null,
  at timestamptz not null
);
create index alarm_finding_alarm on alarm_finding (alarm_id, at desc);
create index alarm_finding_project on alarm_finding (project_code, at desc);
call zg_by_project('alarm_finding');
