-- 生活区: rooms of a site, who sleeps in which bed, and what was found there.
create table living_room (
  id text primary key,
  project_code text not null references project on delete cascade,
  type text not null,
  building_name text not null,
  floor int not null,
  room_no text not null,
  area numeric(6, 1) not null check (area > 0),
  beds int not null check (beds >= 0),
  usage text,
  manager text not null,
  fire_next date,
  extinguisher boolean not null,
  smoke_alarm boolean not null,
  emergency_light boolean not null,
  exit_sign boolean not null,
  low_voltage boolean not null,
  power_limit boolean not null,
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz
);
create unique index living_room_no on living_room (project_code, building_name, room_no);
call zg_by_project('living_room');

-- The history stays for tracing (illness, wage disputes).
create table room_stay (
  id text primary key,
  room_id text not null references living_room on delete cascade,
  project_code text not null references project on delete cascade,
  -- The company whose person it is.
  corp_code text not null references corporation,
  worker_id text not null references worker,
  name text not null,
  gender text not null,
  bed int not null,
  from_day date not null,
  to_day date,
  reason text,
  by_name text not null
);
create unique index room_stay_bed on room_stay (room_id, bed) where to_day is null;
create unique index room_stay_person on room_stay (project_code, worker_id) where to_day is null;
create index room_stay_room on room_stay (room_id, from_day desc);
call zg_by_project('room_stay', 'project_code', 'corp_code');

create table room_check (
  id text primary key,
  room_id text not null references living_room on delete cascade,
  project_code text not null references project on delete cascade,
  at timestamptz not null,
  by_name text not null,
  fire boolean not null,
  power boolean not null,
  hygiene boolean not null,
  note text,
  photos text[] not null default '{}'
);
create index room_check_room on room_check (room_id, at desc);
call zg_by_project('room_check');

-- How many live in a room, and how many of them have left the project: numbers for everybody who sees the room, also of companies whose
-- people the caller does not see.
create function zg_room_living(p_room text) returns int language sql stable security definer set search_path = public as $$
  select count(*)::int from room_stay where room_id = p_room and to_day is null
$$;
create function zg_room_left(p_room text) returns int language sql stable security definer set search_path = public as $$
  select count(*)::int from room_stay s where s.room_id = p_room and s.to_day is null and not exists (
    select from project_worker w where w.project_code = s.project_code and w.worker_id = s.worker_id and w.exit_time is null)
$$;
