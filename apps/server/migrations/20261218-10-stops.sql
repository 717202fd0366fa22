-- Stopping, resuming and ending the supervision of a project: applications, and the stops that hold.

-- A stop that does not stop the attendance: its days count as usual.
alter table project_state_log add column keeps_attendance boolean not null default false;

create table stopapply (
  id text primary key,
  -- Number of the application, drawn when it is submitted.
  code text,
  project_code text not null references project on delete cascade,
  -- The owner (建设单位) that applies.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  -- Dictionary stopApplyType: 1 stop, 2 resume, 3 end.
  type text not null check (type in ('1', '2', '3')),
  reason_type text,
  reason text not null default '',
  stop_date date,
  plan_resume_date date,
  ongoing_parts text,
  guard_persons text,
  affect_attendance boolean not null default true,
  complete_cert text[] not null default '{}',
  attachments text[] not null default '{}',
  apply_group text not null,
  applicant_name text not null,
  submit_time timestamptz,
  -- The group that supervises the project, when it was submitted.
  authority_group text,
  audit_name text,
  audit_group text,
  audit_time timestamptz,
  audit_passed boolean,
  audit_opinion text,
  check_date date,
  officer text,
  second_officer text,
  decide_name text,
  decide_group text,
  decide_time timestamptz,
  decide_passed boolean,
  decide_opinion text,
  -- Number of the 告知书 (301, 302, 303).
  doc_code text,
  -- Since when it waits at its present step.
  wait_since timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index stopapply_project on stopapply (project_code, state);
create unique index stopapply_code on stopapply (project_code, code);
-- A project has one running application of a kind.
create unique index stopapply_running on stopapply (project_code, type) where state in ('1', '2', '3');
call zg_by_project('stopapply', 'project_code', 'corp_code');
call zg_until_shown('stopapply');

-- The conditions for resuming work, group by group: what the applicant states and what the officers find.
create table stopapply_check (
  apply_id text not null references stopapply on delete cascade,
  item text not null check (item in ('1', '2', '3', '4', '5', '6')),
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  passed boolean,
  note text,
  photos text[] not null default '{}',
  site_passed boolean,
  site_note text,
  primary key (apply_id, item)
);
call zg_by_project('stopapply_check', 'project_code', 'corp_code');
call zg_until_shown('stopapply_check');

-- Stops of a project. It is stopped while one of them holds: from its first day until it is ended.
create table project_stop (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- stopapply: an application; rectify: a notice that orders it; former: older than this procedure.
  source text not null check (source in ('stopapply', 'rectify', 'former')),
  source_id text not null,
  -- Number and issuer of what stops it.
  code text,
  ordered_by text not null default '',
  reason text not null default '',
  affect_attendance boolean not null default true,
  plan_resume_date date,
  from_day date not null,
  -- The day it ended; null while it holds.
  until_day date,
  -- Whether the project has been moved for it; false until its first day.
  begun boolean not null default true,
  create_time timestamptz not null default now()
);
create unique index project_stop_source on project_stop (source, source_id);
create index project_stop_holding on project_stop (project_code) where until_day is null;
create index project_stop_coming on project_stop (from_day) where not begun and until_day is null;
call zg_by_project('project_stop');

insert into project_stop (id, project_code, source, source_id, reason, from_day)
select md5('stop ' || p.project_code), p.project_code, 'former', p.project_code,
  coalesce((select l.reason from project_state_log l where l.project_code = p.project_code and l.to_state = '005' order by l.at desc limit 1), ''),
  coalesce((select (max(l.at) at time zone 'Asia/Shanghai')::date from project_state_log l where l.project_code = p.project_code and l.to_state = '005'), current_date)
from project p where p.prj_status = '005';
