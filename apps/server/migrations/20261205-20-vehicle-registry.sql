-- Vehicles a site knows, and vehicles it does not let in: what gates and rules hold a plate against. Who is on both lists is barred.
create table vehicle_registry (
  id text primary key,
  project_code text not null references project on delete cascade,
  kind text not null check (kind in ('known', 'black')),
  plate_no text not null,
  vehicle_type text check (vehicle_type in ('1', '2', '3', '4', '9')),
  corp_name text,
  permit_no text,
  -- Of a known vehicle its permit's last day, of a barred one the last day of the ban; null is without end.
  until_day date,
  -- Why it is barred; of a known one a remark.
  reason text,
  create_time timestamptz not null,
  create_by text not null, update_time timestamptz, update_by text, version int not null default 0,
  unique (project_code, kind, plate_no),
  check (kind = 'known' or length(reason) > 0)
);
create index vehicle_registry_plate on vehicle_registry (project_code, plate_no);
call zg_by_project('vehicle_registry');
