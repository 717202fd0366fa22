-- Suppressions and changes of a project's state are asked for and decided.

-- Dictionary approvalState. What stood before approvals were asked for is in force.
alter table device_suppress
  add column state text not null default '2' check (state in ('1', '2', '3', '4')),
  add column asked_by text,
  add column asked_group text references tenant on delete set null,
  add column opinion text,
  add column decided_name text,
  add column decide_time timestamptz;
create index device_suppress_waiting on device_suppress (project_code, create_time) where state = '1';

create table project_state_apply (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- One of the acts of the state machine, and the state it was asked in.
  action text not null,
  from_state text not null,
  reason text not null default '',
  -- Dictionary approvalState.
  state text not null default '1' check (state in ('1', '2', '3', '4')),
  filed_by text not null,
  filed_name text not null,
  filed_group text references tenant on delete set null,
  opinion text,
  decided_name text,
  decide_time timestamptz,
  create_time timestamptz not null,
  version int not null default 0
);
-- A project goes one way at a time.
create unique index project_state_apply_waiting on project_state_apply (project_code) where state = '1';
create index project_state_apply_project on project_state_apply (project_code, create_time desc);
call zg_by_project('project_state_apply');
