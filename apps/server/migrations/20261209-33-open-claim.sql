-- A serial number that an application registers and that belongs to others waits like any other: an application is not told which numbers there are.
create table open_claim (
  app_id text not null references open_app on delete cascade,
  device_sn text not null,
  id text not null,
  name text not null,
  family text not null,
  at timestamptz not null,
  primary key (app_id, device_sn)
);
call zg_serve('open_claim');
