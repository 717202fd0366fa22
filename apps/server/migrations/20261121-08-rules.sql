-- Templates, versions, execution actions, levels, maintenance, drills, and what became of alarms for whoever sends messages.

alter table rule_trigger add column template_version int;
create index rule_trigger_project on rule_trigger (project_code) where project_code is not null;
create index rule_trigger_template on rule_trigger (template_id) where template_id is not null;
-- One row per subject now: everything that is remembered of it.
delete from rule_state where level <> 0;

-- Every version a trigger has had, for whoever compares two of them or asks what an old alarm was judged by.
create table rule_trigger_version (
  trigger_id text not null references rule_trigger on delete cascade,
  version int not null,
  content jsonb not null,
  at timestamptz not null,
  by_name text,
  primary key (trigger_id, version)
);

-- A set of triggers given to projects in one step. Whose it is: null for the platform's.
create table rule_template (
  id text primary key,
  group_id text,
  name text not null,
  family text not null,
  standard text,
  remark text,
  triggers jsonb not null,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 1
);

create table rule_exec (
  id text primary key,
  name text not null,
  -- notify, linkage, rectify, webhook
  kind text not null,
  project_code text references project,
  -- Without a project: the group it belongs to, or null for the platform's.
  group_id text,
  definition jsonb not null,
  -- A webhook's secret, sealed.
  secret bytea,
  enabled boolean not null default true,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 1
);
create index rule_exec_project on rule_exec (project_code);

-- Always four per owner; '' is the platform.
create table rule_level (
  group_id text not null default '',
  level smallint not null check (level between 1 and 4),
  name text not null,
  label text not null,
  color text not null,
  sound text not null,
  plan jsonb not null,
  update_time timestamptz, update_by text, version int not null default 0,
  primary key (group_id, level)
);

-- Jacking, dismantling, calibration, a change of sensors: alarms that are not raised for a while, and who answers for it.
create table device_suppress (
  id text primary key,
  project_code text not null references project,
  device_id text not null references device on delete cascade,
  point text not null default '',
  alarm_keys text[] not null,
  kind text not null,
  reason text not null,
  person_name text not null,
  from_time timestamptz not null,
  until_time timestamptz not null,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create index device_suppress_device on device_suppress (device_id, until_time);
create index device_suppress_project on device_suppress (project_code, until_time);

create table alarm_drill (
  alarm_id text primary key references alarm on delete cascade,
  project_code text not null references project,
  device_id text not null,
  notify boolean not null,
  linkage boolean not null,
  ends_at timestamptz not null,
  by_name text,
  create_time timestamptz not null default now()
);
create index alarm_drill_project on alarm_drill (project_code, create_time desc);

-- What happened to alarms, written in the transaction in which it happened and read by whoever tells people and starts machines.
create table alarm_outbox (
  id bigint generated always as identity primary key,
  alarm_id text not null references alarm on delete cascade,
  project_code text not null,
  -- open, upgrade, downgrade, clear, flapping; ack, handle, false, ignore, close, reopen, urge
  event text not null,
  level smallint not null,
  at timestamptz not null,
  detail jsonb not null default '{}',
  create_time timestamptz not null default now()
);
create index alarm_outbox_alarm on alarm_outbox (alarm_id);
create index alarm_rule on alarm (rule_id, start_time);

-- The ingest reads rules, maintenance and drills anew when it is told of a rule.
create function tell_rules() returns trigger language plpgsql as $$
begin
  perform pg_notify('zg_fleet', 'rule_trigger:' || tg_table_name);
  return null;
end $$;
create trigger tell_suppress after insert or update or delete on device_suppress for each statement execute function tell_rules();
create trigger tell_drill after insert or update or delete on alarm_drill for each statement execute function tell_rules();

call zg_by_parent('rule_trigger_version', 'trigger_id', 'rule_trigger');
call zg_open('rule_template');
create policy platform_templates on rule_template for select to zg_some, zg_wide using (group_id is null);
create policy own_templates on rule_template to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
call zg_open('rule_exec');
create policy platform_execs on rule_exec for select to zg_some, zg_wide using (project_code is null and group_id is null);
create policy project_execs on rule_exec to zg_some, zg_wide using (project_code in (select unnest(zg_list('app.projects'))));
create policy own_execs on rule_exec to zg_some, zg_wide using (project_code is null and group_id = (select zg_setting('app.group')));
call zg_open('rule_level');
create policy platform_levels on rule_level for select to zg_some, zg_wide using (group_id = '');
create policy own_levels on rule_level to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
call zg_by_project('device_suppress');
call zg_by_project('alarm_drill');
call zg_by_project('alarm_outbox');
