-- Terminals of JT/T 808, commands to devices, what went over the wire, and devices that are asked rather than heard.

-- The authentication code is random and kept hashed; it is bound to the phone.
create table jt808_terminal (
  device_id text primary key references device on delete cascade,
  phone text not null,
  code_hash bytea,
  registered_at timestamptz,
  may_register_again boolean not null default false,
  terminal_id text, maker text, model text,
  plate text, plate_color int,
  edition text
);

create table device_command (
  id text primary key,
  device_id text not null references device on delete cascade,
  project_code text not null,
  cmd text not null,
  params jsonb not null default '{}',
  by_name text,
  sent_at timestamptz not null,
  expire_at timestamptz,
  answered_at timestamptz,
  -- Null while it waits; 0 done, 1 and above refused by the device, -1 not reachable, -2 no reply.
  result int,
  message text not null default '',
  -- What was seen on the way, for exchanges of several steps.
  steps jsonb not null default '[]',
  data jsonb
);
create index device_command_device on device_command (device_id, sent_at desc);

-- What went over the wire, for a day. It may be lost in a crash and is dear to nobody: unlogged.
create unlogged table device_frame (
  id text primary key,
  time timestamptz not null,
  -- Null for strangers: only the platform sees those.
  project_code text,
  device_id text,
  gateway_id text,
  identifier text not null,
  protocol text not null,
  address text not null default '',
  direction text not null,
  kind text not null,
  result text not null,
  length int not null,
  body bytea not null,
  is_text boolean not null,
  decoded jsonb,
  answer text,
  delay_ms int
);
create index device_frame_device on device_frame (device_id, time desc);
create index device_frame_identifier on device_frame (identifier, time desc);
create index device_frame_gateway on device_frame (gateway_id, time desc);
create index device_frame_time on device_frame (time);

-- What an HJ 212 station needs beside its access: the key of the edition 2025, what it is told on its first connection.
create table hj212_station (
  id text primary key references device on delete cascade,
  sm4_key bytea,
  first_actions jsonb not null default '{}',
  edition smallint,
  seen_at timestamptz
);

-- Devices that are asked: a gateway with an address, and what is behind it.
create table poll_gateway (
  id text primary key references gateway on delete cascade,
  -- modbusTcp, modbusRtu, dlt645, cjt188: the last three over a transparent line
  protocol text not null,
  host text not null,
  port int not null check (port between 1 and 65535),
  interval_seconds numeric(8,2) not null default 60,
  timeout_ms int not null default 3000,
  enabled boolean not null default true,
  last_ok timestamptz,
  last_error text
);
create table poll_device (
  id text primary key references device on delete cascade,
  gateway_id text not null references poll_gateway on delete cascade,
  -- Unit of Modbus, or the meter's address
  address text not null,
  -- Modbus: [{metric, address, table, type, scale, offset, unit}]; meters: ids to be read, none = the usual ones
  registers jsonb not null default '[]',
  unique (gateway_id, address)
);

-- Gates that push records under a key of their own in the path.
create table gate_push (
  id text primary key references device on delete cascade,
  adapter text not null,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_time timestamptz
);

create trigger tell_hj212_station after insert or update of sm4_key, first_actions or delete on hj212_station
  for each row execute function tell_ingest();
create trigger tell_poll_gateway after insert or update of protocol, host, port, interval_seconds, timeout_ms, enabled or delete on poll_gateway
  for each row execute function tell_ingest();
create trigger tell_poll_device after insert or update or delete on poll_device for each row execute function tell_ingest();
create trigger tell_gate_push after insert or update of adapter, key_hash or delete on gate_push for each row execute function tell_ingest();

call zg_by_parent('hj212_station', 'id', 'device');
call zg_by_parent('poll_gateway', 'id', 'gateway');
call zg_by_parent('poll_device', 'id', 'device');
call zg_by_parent('gate_push', 'id', 'device');
call zg_by_parent('jt808_terminal', 'device_id', 'device');
call zg_by_project('device_command');
call zg_by_project('device_frame');
