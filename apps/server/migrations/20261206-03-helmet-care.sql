-- What was said to everybody within a circle: to whom, by whom, where. What became of each call stands with the commands.
create table helmet_broadcast (
  id text primary key,
  project_code text not null references project on delete cascade,
  at timestamptz not null,
  lng double precision not null,
  lat double precision not null,
  radius_meters int not null,
  text text not null,
  by_name text not null,
  -- [{deviceId, cmdId}]
  people jsonb not null
);
create index helmet_broadcast_of on helmet_broadcast (project_code, at desc);
call zg_by_project('helmet_broadcast');

-- How long a site keeps where people have been.
create table helmet_setting (
  project_code text primary key references project on delete cascade,
  place_days int not null,
  version int not null default 1,
  update_by text not null,
  update_time timestamptz not null
);
call zg_by_project('helmet_setting');

-- Until when the places of a site's helmets are forgotten already: they are looked for once.
create table helmet_forgotten (
  project_code text primary key references project on delete cascade,
  until timestamptz not null
);
call zg_by_project('helmet_forgotten');
