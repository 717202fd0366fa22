-- Who may speak for a device: terminals register only while somebody has opened it to them, and whoever is refused is told of.

-- Open to a JT/T 808 terminal until it has registered, the time is up or somebody closes it.
create table jt808_registration (
  device_id text primary key references device on delete cascade,
  opened_at timestamptz not null,
  open_until timestamptz not null,
  by_name text not null,
  -- Another terminal takes the place of the one that is bound.
  replaces boolean not null default false
);

-- From where a device last showed who it is: the wrong guesses of others do not hold it up there.
create table device_origin (
  device_id text primary key references device on delete cascade,
  address text not null,
  at timestamptz not null
);

-- Somebody spoke for a device and was refused: one row per device and kind, counted, told at most once an hour.
create table device_warning (
  device_id text not null references device on delete cascade,
  kind text not null,
  project_code text not null,
  count bigint not null,
  address text not null,
  text text not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  told_time timestamptz,
  primary key (device_id, kind)
);
create index device_warning_told on device_warning (last_time) where told_time is null or told_time < last_time;

call zg_by_parent('jt808_registration', 'device_id', 'device');
call zg_by_parent('device_origin', 'device_id', 'device');
call zg_by_project('device_warning');

-- Whoever has not registered yet, or was allowed to do so again, has a day for it.
insert into jt808_registration (device_id, opened_at, open_until, by_name)
  select d.id, now(), now() + interval '24 hours', '升级' from device d left join jt808_terminal t on t.device_id = d.id
  where d.protocol = 'jt808' and (t.device_id is null or t.may_register_again or t.code_hash is null);
alter table jt808_terminal drop column may_register_again;
