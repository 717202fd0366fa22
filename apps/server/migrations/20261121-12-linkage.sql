-- Machines started by alarms. What runs stands here and nowhere else, so that whichever process looks next goes on with it.

-- Nothing ever carried these out: they are offered no more.
update rule_trigger t set exec_ids = array(
  select x from unnest(t.exec_ids) with ordinality as u(x, n) where not exists (select 1 from rule_exec e where e.id = x and e.kind = 'rectify') order by n)
where exists (select 1 from rule_exec e where e.kind = 'rectify' and e.id = any (t.exec_ids));
delete from rule_exec where kind = 'rectify';

-- One device carrying out one command for one action. Alarms that come meanwhile join it.
create table linkage_run (
  id text primary key,
  project_code text not null references project,
  exec_id text not null,
  exec_name text not null,
  rule_id text,
  command text not null,
  device_id text not null references device on delete cascade,
  device_name text not null,
  family text not null,
  -- The action's linkage part as it was when the run began: a later change is for later runs.
  definition jsonb not null,
  level smallint not null,
  simulated boolean not null default false,
  state text not null check (state in ('waitingConfirm', 'held', 'starting', 'running', 'stopping', 'ended')),
  result text,
  reason text not null default '',
  -- Commands keep their ids when they are said again.
  cmd_id text not null,
  stop_cmd_id text not null,
  attempts int not null default 0,
  stop_attempts int not null default 0,
  -- An alarm of its own tells that the device did not do as told.
  failed boolean not null default false,
  confirm_until timestamptz,
  confirmed_by text,
  hold_until timestamptz,
  stop_by text,
  stop_reason text,
  start_time timestamptz,
  min_until timestamptz,
  max_until timestamptz,
  stopping_at timestamptz,
  end_time timestamptz,
  cooldown_until timestamptz,
  pm10_before double precision,
  pm10_after double precision,
  -- When it is looked at next; who looks now, and until when that is believed.
  due_at timestamptz not null,
  claim text,
  claimed_until timestamptz,
  -- Something happened while somebody was looking: look again at once.
  wake boolean not null default false,
  create_time timestamptz not null
);
create unique index linkage_run_live on linkage_run (device_id, command) where state <> 'ended';
create index linkage_run_due on linkage_run (due_at) where state <> 'ended';
create index linkage_run_project on linkage_run (project_code, create_time desc);
create index linkage_run_device on linkage_run (device_id, create_time desc);
create index linkage_run_exec on linkage_run (exec_id, create_time desc);

create table linkage_run_alarm (
  run_id text not null references linkage_run on delete cascade,
  alarm_id text not null references alarm on delete cascade,
  project_code text not null references project,
  joined_at timestamptz not null,
  primary key (run_id, alarm_id)
);
create index linkage_run_alarm_alarm on linkage_run_alarm (alarm_id);

-- A person stopped it: nothing starts it by itself for a while.
create table linkage_block (
  device_id text primary key references device on delete cascade,
  project_code text not null references project,
  until_time timestamptz not null,
  reason text not null,
  by_name text not null,
  create_time timestamptz not null
);
create index linkage_block_project on linkage_block (project_code);

call zg_by_project('linkage_run');
call zg_by_project('linkage_run_alarm');
call zg_by_project('linkage_block');
