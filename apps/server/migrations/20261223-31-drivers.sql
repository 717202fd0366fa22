-- Who may operate cranes and lifts of a site, after an audit of the licence.
create table machine_driver (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- The company whose person it is.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  worker_id text not null references worker,
  name text not null,
  id_card_mask text not null,
  phone_mask text,
  driver_type text not null,
  cert_id text not null,
  cert_no text not null,
  cert_type text not null,
  cert_valid_end date not null,
  cert_files text[] not null default '{}',
  -- The licence ended, and the machines do not know the person any more.
  ended_at timestamptz,
  audit_remark text,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create unique index machine_driver_once on machine_driver (project_code, worker_id, driver_type);
create index machine_driver_end on machine_driver (cert_valid_end) where state = '1' and ended_at is null;
call zg_by_project('machine_driver', 'project_code', 'corp_code');
call zg_until_shown('machine_driver');

create table machine_driver_device (
  id text primary key,
  driver_id text not null references machine_driver on delete cascade,
  device_id text not null references device on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null
);
create unique index machine_driver_device_of on machine_driver_device (driver_id, device_id);
create index machine_driver_device_at on machine_driver_device (device_id);
call zg_by_project('machine_driver_device', 'project_code', 'corp_code');
call zg_until_shown('machine_driver_device');
