-- The library behind the devices (makers and providers, brands, models), third-party platforms, and what keeps a device in service.

create table factory (
  id text primary key,
  name text not null,
  corp_code text,
  -- maker | sale | rent | install | maintain: one company may be all of them
  roles text[] not null default '{maker}',
  families text[] not null default '{}',
  contact text, contact_phone bytea, contact_phone_mask text,
  sales_contact text, sales_phone bytea, sales_phone_mask text,
  service_hours text,
  area_codes text[] not null default '{}',
  service_until date,
  -- 0 not tested, 1 under test, 2 passed, 3 lapsed
  dock_state text not null default '0',
  -- [{id, protocol, deviceId, startedAt, endedAt, state, reason, by}]
  dock_tests jsonb not null default '[]',
  files text[] not null default '{}',
  remark text,
  enable text not null default '1',
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz not null default now(), update_by text, version int not null default 0
);
create unique index factory_name on factory (lower(name));
create unique index factory_corp on factory (corp_code) where corp_code is not null;

create table brand (
  id text primary key,
  factory_id text not null references factory,
  name text not null,
  alias text[] not null default '{}',
  logo text,
  families text[] not null default '{}',
  remark text,
  enable text not null default '1',
  merged_into text references brand,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz not null default now(), update_by text, version int not null default 0
);
create unique index brand_name on brand (lower(name));
create index brand_factory on brand (factory_id);

-- What was moved when brands were made one, so that it can be taken back.
create table brand_merge (
  id text primary key,
  into_id text not null references brand on delete cascade,
  at timestamptz not null,
  by_name text,
  -- [{brandId, models: [], devices: []}]
  moved jsonb not null,
  undone_at timestamptz
);

create table model (
  id text primary key,
  -- Versions of one model share their root.
  root_id text not null,
  factory_id text not null references factory,
  brand_id text not null references brand,
  family text not null,
  name text not null,
  model_version int not null default 1,
  protocols text[] not null default '{}',
  -- [{key, precision, min, max, alias}]
  metrics jsonb not null default '[]',
  -- [{metric, address, type, scale, unit, code}]
  registers jsonb not null default '[]',
  -- [{code, alarmKey}]
  alarm_codes jsonb not null default '[]',
  params jsonb not null default '{}',
  photo text,
  docs text[] not null default '{}',
  remark text,
  enable text not null default '1',
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz not null default now(), update_by text, version int not null default 0
);
create unique index model_name on model (brand_id, lower(name), model_version);
create index model_family on model (family);
create index model_root on model (root_id);

alter table device
  add column factory_id text references factory,
  add column brand_id text references brand,
  add column model_id text references model,
  add column provider_id text references factory,
  -- 1 our own access, 2 another vendor's platform
  add column source text not null default '1',
  -- how it was entered: 1 by hand, 2 import, 3 adopted stranger, 4 open interface
  add column origin text not null default '1',
  -- registration number of the hoisting machine this device watches
  add column special_record_no text,
  add column apply_time timestamptz,
  add column audit_time timestamptz,
  add column audit_by text,
  add column audit_remark text,
  -- A change of key fields that waits for its review while the old values stay in force.
  add column pending jsonb,
  add column files text[] not null default '{}';
create index device_model on device (model_id);
create index device_brand on device (brand_id);
create index device_provider on device (provider_id);

-- How well a device reported on a day (Asia/Shanghai). Counted on from `through`, so that counting twice adds nothing.
create table device_day (
  device_id text not null,
  day date not null,
  through timestamptz not null,
  readings int not null default 0,
  doubtful int not null default 0,
  -- five-minute spans with data, 288 make a full day
  spans smallint not null default 0,
  primary key (device_id, day)
);

create table equipment_change (
  id text primary key,
  -- factory | brand | model | device | gateway | docking
  subject text not null,
  subject_id text not null,
  project_code text,
  at timestamptz not null,
  by_name text not null,
  act text not null,
  -- [{label, before, after}]
  detail jsonb not null default '[]'
);
create index equipment_change_subject on equipment_change (subject, subject_id, at desc);

create table device_move (
  id text primary key,
  device_id text not null,
  device_name text not null,
  from_project text not null,
  to_project text not null,
  at timestamptz not null,
  since timestamptz not null,
  by_name text not null,
  reason text not null default ''
);
create index device_move_device on device_move (device_id, at desc);

create table device_due (
  id text primary key,
  device_id text not null references device on delete cascade,
  project_code text not null,
  -- service | sim | calibration | fallArrester | inspection | lifetime
  kind text not null,
  due_date date not null,
  owner text,
  -- 0 nobody told, 1 told, 2 dealt with
  notice_state text not null default '0',
  noticed_at timestamptz, noticed_to text,
  handled_at timestamptz, handled_by text,
  files text[] not null default '{}',
  remark text,
  create_time timestamptz not null default now(),
  version int not null default 0
);
create unique index device_due_kind on device_due (device_id, kind);
create index device_due_date on device_due (project_code, due_date);

create table due_setting (
  group_id text primary key,
  days int[] not null default '{30,7,1}',
  receivers text[] not null default '{}',
  update_time timestamptz not null default now(), update_by text
);

create table device_repair (
  id text primary key,
  device_id text not null,
  device_name text not null,
  project_code text not null,
  provider_id text references factory,
  at timestamptz not null,
  by_name text not null,
  fault text not null,
  done_at timestamptz, done_by text, measure text,
  score int, comment text
);
create index device_repair_device on device_repair (device_id, at desc);
create index device_repair_provider on device_repair (provider_id) where done_at is null;

-- Who is on a gate, and who still has to be written to it.
create table gate_face (
  device_id text not null references device on delete cascade,
  worker_id text not null,
  project_code text not null,
  corp_code text not null,
  -- 0 waiting, 1 on the gate, 2 refused by the gate, 3 to be taken off
  state text not null default '0',
  reason text,
  at timestamptz not null,
  primary key (device_id, worker_id)
);

-- Other vendors' platforms: accounts and mapping instead of boxes and sockets.
create table gateway3rd (
  id text primary key,
  code text not null unique,
  name text not null,
  vendor text not null,
  -- dictionary gatewayConnectionType: 2 they push, 3 we pull
  conn_type text not null,
  endpoint text,
  http_method text not null default 'GET',
  -- none | header | query | signature
  auth_kind text not null default 'none',
  auth_name text,
  auth_secret bytea,
  token_expire date,
  schedule_minutes int not null default 5,
  -- {list, externalId, name, project, model, time, sn, values: [{from, metric, factor}]}
  mapping jsonb not null default '{}',
  model_match jsonb not null default '{}',
  project_match jsonb not null default '{}',
  push_secret bytea,
  sample text,
  remark text,
  enable text not null default '0',
  last_run timestamptz,
  last_result text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz not null default now(), update_by text, version int not null default 0
);

create table gateway3rd_run (
  id text primary key,
  gateway_id text not null references gateway3rd on delete cascade,
  -- schedule | manual | push
  cause text not null,
  at timestamptz not null,
  ms int,
  rows int not null default 0,
  accepted int not null default 0,
  duplicated int not null default 0,
  rejected int not null default 0,
  -- running | ok | partial | failed
  result text not null,
  message text,
  -- [{externalId, reason, item}], the first 200
  refused jsonb not null default '[]'
);
create index gateway3rd_run_at on gateway3rd_run (gateway_id, at desc);

create table external_device (
  id text primary key,
  gateway_id text not null references gateway3rd on delete cascade,
  external_id text not null,
  external_name text,
  external_project text,
  external_model text,
  device_sn text,
  device_id text references device on delete set null,
  -- 1 matched, 2 model missing, 3 project missing, 4 gone at the other side
  match_state text not null default '2',
  enabled boolean not null default true,
  last_sync timestamptz,
  last_error text,
  first_seen timestamptz not null,
  unique (gateway_id, external_id)
);
create index external_device_device on external_device (device_id);

call zg_reference('factory');
call zg_reference('brand');
call zg_reference('model');
call zg_open('brand_merge');
call zg_open('device_day');
create policy of_visible_devices on device_day to zg_some, zg_wide using (device_id in (select id from device));
call zg_open('equipment_change');
create policy own_projects on equipment_change to zg_some, zg_wide using (project_code in (select unnest(zg_list('app.projects'))));
create policy library on equipment_change for select to zg_some, zg_wide using (project_code is null);
call zg_open('device_move');
-- Both sides keep the record of a move.
create policy either_side on device_move to zg_some, zg_wide
  using (from_project in (select unnest(zg_list('app.projects'))) or to_project in (select unnest(zg_list('app.projects'))));
call zg_by_project('device_due');
call zg_by_group('due_setting');
call zg_by_project('device_repair');
call zg_by_project('gate_face', 'project_code', 'corp_code');
call zg_open('gateway3rd');
call zg_open('gateway3rd_run');
call zg_open('external_device');
