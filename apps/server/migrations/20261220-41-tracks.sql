-- Positions of officers on duty, sent by their own devices. Seen within their institution only, and kept for a limited time.
create table officer_setting (
  group_id text primary key,
  begin_at text not null,
  end_at text not null,
  -- Days of the week with duty, 1 Monday to 7 Sunday.
  weekdays int[] not null,
  keep_days int not null,
  version int not null default 0,
  update_by text,
  update_time timestamptz not null default now()
);
call zg_by_group('officer_setting');

-- When an officer had switched the position on: nothing outside of it is stored.
create table officer_shift (
  id text primary key,
  group_id text not null,
  user_id text not null references app_user on delete cascade,
  begin_time timestamptz not null,
  end_time timestamptz
);
create unique index officer_shift_open on officer_shift (group_id, user_id) where end_time is null;
create index officer_shift_of on officer_shift (group_id, user_id, begin_time desc);
call zg_by_group('officer_shift');

create table officer_place (
  -- Made by the device: a repeated report stores nothing more.
  id text not null,
  group_id text not null,
  user_id text not null references app_user on delete cascade,
  at timestamptz not null,
  lng double precision not null,
  lat double precision not null,
  -- Metres.
  accuracy real not null,
  -- The site whose fence it lies in.
  project_code text,
  primary key (user_id, id)
);
create index officer_place_of on officer_place (group_id, user_id, at desc);
create index officer_place_old on officer_place (group_id, at);
call zg_by_group('officer_place');

-- Who looked at whose positions; added to, never changed.
create table officer_look (
  id text primary key,
  group_id text not null,
  -- Null: all officers on the map.
  user_id text,
  looker_id text not null,
  looker_name text not null,
  kind text not null check (kind in ('latest', 'day', 'sheet')),
  -- The day that was looked at.
  day date not null,
  purpose text,
  at timestamptz not null
);
create index officer_look_of on officer_look (group_id, user_id, at desc);
call zg_by_group('officer_look');
revoke update, delete on officer_look from zg_some, zg_wide, zg_all;
