-- Where lorries of a site go, tip and may not go: corners as longitude and latitude (WGS-84). Fences of the site itself are the project's.
create table vehicle_fence (
  id text primary key,
  project_code text not null references project on delete cascade,
  name text not null,
  kind text not null check (kind in ('route', 'dumpSites', 'forbidden')),
  points jsonb not null,
  -- Of a forbidden area: minutes of the Shanghai day from and until which it holds; null is all day.
  from_minute int check (from_minute between 0 and 1439), until_minute int check (until_minute between 1 and 1440),
  remark text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (project_code, name)
);
call zg_by_project('vehicle_fence');
