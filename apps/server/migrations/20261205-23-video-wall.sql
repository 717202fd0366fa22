-- Walls of cameras as somebody arranged them at a site: one's own, or for all of one's group.
create table video_wall (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  project_code text not null references project on delete cascade,
  name text not null,
  size int not null check (size in (1, 4, 9, 16)),
  cameras text[] not null,
  shared boolean not null,
  by_id text not null,
  by_name text not null,
  update_time timestamptz not null,
  version int not null default 0,
  unique (group_id, project_code, by_id, name)
);
call zg_by_group('video_wall');
