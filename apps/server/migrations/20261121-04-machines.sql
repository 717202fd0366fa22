-- Gateways, devices, telemetry, records, rules and alarms.

create table gateway (
  id text primary key,
  code text unique,
  project_code text not null references project,
  name text not null,
  -- mqtt: the password is an HMAC over client id and time; mqttPlain: the secret itself
  connection_type text not null,
  secret bytea not null,
  status text not null default '1',
  ip text,
  online boolean not null default false,
  last_seen timestamptz,
  remark text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create index gateway_project on gateway (project_code);

create table device (
  id text primary key,
  project_code text not null references project,
  name text not null,
  device_sn text not null unique,
  family text not null,
  category text,
  type text,
  factory_name text, brand_name text, model_name text,
  -- {protocol: mqtt, gatewayId} | {protocol: hj212, mn, units?, crcMode?} | {protocol: jt808, phone} | {protocol: http, appId}
  access jsonb not null,
  protocol text not null,
  -- What the protocol knows the device by: gateway + sn, MN, phone, sn.
  access_key text not null,
  access_secret bytea,
  gateway_id text references gateway,
  -- Static parameters of the family: jib length, rated load, position in the site plane...
  params jsonb not null default '{}',
  interval_seconds numeric(8,2) not null,
  lng double precision, lat double precision,
  install_place text, install_date date,
  due_date date,
  leader text,
  -- 0 waiting for review, 1 in service, 2 rejected, 3 out of service
  status text not null default '1',
  direction text,
  gate_role text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create unique index device_access on device (protocol, access_key);
create index device_project on device (project_code, family);
create index device_gateway on device (gateway_id);

create table device_latest (
  device_id text primary key references device on delete cascade,
  ts timestamptz not null,
  received_at timestamptz not null,
  v jsonb not null,
  quality jsonb,
  online boolean not null default true,
  online_since timestamptz not null
) with (fillfactor = 40); -- rewritten with every reading: room on the page keeps the index out of it
create index device_latest_received on device_latest (received_at);

-- One row per reading, a partition per day (UTC). Values stand in the order of the family's metrics; schema_ver says which order.
-- real keeps 7 digits: counters and coordinates go to w as double precision.
create table telemetry (
  device_id text not null,
  ts timestamptz not null,
  seq bigint not null default 0,
  received_at timestamptz not null,
  schema_ver smallint not null,
  v real[] not null,
  w double precision[],
  -- Text, flags and unknown keys.
  extra jsonb,
  -- Only what is not good: {metric: quality}
  quality jsonb,
  -- 0 as it happened, 1 late, 2 clock ahead (stored, drives nothing)
  flag smallint not null default 0,
  primary key (device_id, ts, seq)
) partition by range (ts);
create table telemetry_default partition of telemetry default;

-- The partition of one UTC day, made ahead of its time. Readings that came too early lie in the default partition and are moved.
create function telemetry_make_day(day date) returns void language plpgsql as $$
declare
  name text := 'telemetry_' || to_char(day, 'YYYYMMDD');
  low timestamptz := day::timestamp at time zone 'UTC';
begin
  if to_regclass(name) is not null then return; end if;
  execute format('create table %I (like telemetry including defaults including constraints)', name);
  execute format('with moved as (delete from telemetry_default where ts >= %L and ts < %L returning *) insert into %I select * from moved',
    low, low + interval '1 day', name);
  execute format('alter table telemetry attach partition %I for values from (%L) to (%L)', name, low, low + interval '1 day');
end $$;
select telemetry_make_day((now() at time zone 'UTC')::date + d) from generate_series(-2, 7) d;

create table telemetry_5m (
  device_id text not null,
  ts timestamptz not null,
  n int not null,
  -- {metric: [min, max, sum, count]}
  v jsonb not null,
  primary key (device_id, ts)
);

create table device_event (
  device_id text not null,
  ts timestamptz not null,
  id text not null,
  kind text not null,
  data jsonb not null,
  primary key (device_id, ts, id)
);

-- Records of a family (working cycles, weighings, passages, spray...), each kind of devices.json in one shape.
create table device_record (
  device_id text not null,
  project_code text not null,
  ts timestamptz not null,
  id text not null,
  record text not null,
  data jsonb not null,
  received_at timestamptz not null,
  primary key (device_id, ts, id)
);
create index device_record_list on device_record (project_code, record, ts desc);

create table unregistered_device (
  identifier text primary key,
  protocol text not null,
  address text not null,
  gateway_id text,
  reason text not null,
  count bigint not null default 1,
  first_time timestamptz not null,
  last_time timestamptz not null,
  sample text,
  guess text,
  ignored boolean not null default false
);

create table open_app (
  id text primary key,
  name text not null,
  project_code text not null references project,
  secret bytea not null,
  families text[] not null default '{}',
  status text not null default '1',
  create_time timestamptz not null default now(),
  create_by text
);
create table open_nonce (
  app_id text not null,
  nonce text not null,
  at timestamptz not null,
  primary key (app_id, nonce)
);
create index open_nonce_at on open_nonce (at);

create table rule_trigger (
  id text primary key,
  name text not null,
  family text not null,
  alarm_key text not null,
  -- {kind: global} | {kind: projects, projectCodes} | {kind: devices, deviceIds}
  scope jsonb not null,
  -- Whose rule it is: null for the platform's.
  project_code text references project,
  levels jsonb not null,
  schedule jsonb,
  options jsonb not null default '{}',
  exec_ids text[] not null default '{}',
  enabled boolean not null default true,
  locked boolean not null default false,
  template_id text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 1
);
create index rule_trigger_family on rule_trigger (family) where enabled;

-- Written in the sample's own transaction, so that a restart goes on exactly where it was.
create table rule_state (
  device_id text not null,
  trigger_id text not null,
  point text not null default '',
  level smallint not null,
  state jsonb not null,
  primary key (device_id, trigger_id, point, level)
);

create table alarm (
  id text primary key,
  project_code text not null references project,
  device_id text not null,
  device_name text not null,
  point text not null default '',
  family text not null,
  alarm_key text not null,
  label text not null,
  level smallint not null check (level between 1 and 4),
  max_level smallint not null check (max_level between 1 and 4),
  -- 未处理 open, 已接单 acknowledged, 已处理 handled, 已关闭 closed, 误报 false, 已忽略 ignored
  state text not null default 'open',
  active boolean not null default true,
  stale boolean not null default false,
  start_time timestamptz not null,
  fire_time timestamptz not null,
  clear_time timestamptz,
  clear_reason text,
  peak_value double precision,
  peak_time timestamptz,
  metric text,
  threshold_text text not null default '',
  rule_id text,
  rule_version int,
  sources text[] not null default '{}',
  reopened int not null default 0,
  flapping boolean not null default false,
  values_used jsonb not null default '{}',
  simulated boolean not null default false,
  historical boolean not null default false,
  handler_name text, handle_time timestamptz, measure text, photos jsonb not null default '[]', outcome text,
  create_time timestamptz not null default now(),
  version int not null default 0
);
-- An alarm is right once: at most one open one per subject and key, whoever writes.
create unique index alarm_open_once on alarm (device_id, point, alarm_key) where active and not simulated and not historical;
create index alarm_project on alarm (project_code, start_time desc);
create index alarm_todo on alarm (project_code, level) where state = 'open';

create table alarm_log (
  id text primary key,
  alarm_id text not null references alarm on delete cascade,
  project_code text not null,
  at timestamptz not null,
  event text not null,
  text text not null,
  by_name text
);
create index alarm_log_alarm on alarm_log (alarm_id, at);

-- The ingest holds gateways, devices, applications and rules in memory: whoever changes one says so.
create function tell_ingest() returns trigger language plpgsql as $$
begin
  perform pg_notify('zg_fleet', tg_table_name || ':' || coalesce(new.id, old.id));
  return null;
end $$;
create trigger tell_gateway after insert or delete or update of project_code, connection_type, secret, status on gateway
  for each row execute function tell_ingest();
create trigger tell_device after insert or delete
  or update of project_code, name, device_sn, family, access, protocol, access_key, access_secret, gateway_id, params, interval_seconds, status
  on device for each row execute function tell_ingest();
create trigger tell_app after insert or update or delete on open_app for each row execute function tell_ingest();
create trigger tell_rule after insert or update or delete on rule_trigger for each row execute function tell_ingest();

call zg_by_project('gateway');
call zg_by_project('device');
call zg_by_parent('device_latest', 'device_id', 'device');
call zg_open('telemetry');
-- Not correlated: the set of visible devices is hashed once, however many readings are met.
create policy of_visible_devices on telemetry to zg_some, zg_wide using (device_id in (select id from device));
call zg_open('telemetry_5m');
create policy of_visible_devices on telemetry_5m to zg_some, zg_wide using (device_id in (select id from device));
call zg_by_parent('device_event', 'device_id', 'device');
call zg_by_project('device_record');
call zg_open('unregistered_device');
call zg_by_project('open_app');
call zg_open('rule_trigger');
create policy platform_rules on rule_trigger for select to zg_some, zg_wide using (project_code is null);
create policy some_projects on rule_trigger to zg_some, zg_wide using (project_code in (select unnest(zg_list('app.projects'))));
call zg_by_parent('rule_state', 'device_id', 'device');
call zg_by_project('alarm');
call zg_by_project('alarm_log');
