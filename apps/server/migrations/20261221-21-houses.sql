-- 分户验收: the houses of a site as its source names them, their acceptance, and every sync.
create table house (
  id text primary key,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  -- The source's number: one house of a project.
  external_no text not null,
  place_id text not null,
  building_id text not null,
  building_name text not null,
  unit_name text,
  floor_name text not null,
  name text not null,
  house_type text,
  business_type text,
  build_area numeric(8, 2),
  -- Not in the source of the last sync, kept because acceptance has begun.
  gone_at timestamptz,
  problem_count int not null default 0,
  accept_date date,
  cert_no text,
  fix_note text,
  fix_photos text[] not null default '{}',
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  foreign key (project_code, place_id) references site_place (project_code, id),
  foreign key (project_code, building_id) references site_place (project_code, id)
);
create unique index house_external on house (project_code, external_no);
create index house_building on house (building_id, state);
create index house_place on house (place_id);
call zg_by_project('house', 'project_code', 'corp_code');
call zg_until_shown('house');

-- What was found of each item (dictionary houseAcceptItem).
create table house_item (
  house_id text not null references house on delete cascade,
  item_code text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  -- 1 good, 2 bad, 3 does not apply.
  result text not null check (result in ('1', '2', '3')),
  note text,
  photos text[] not null default '{}',
  -- Since when it is bad.
  bad_since timestamptz,
  by_name text not null,
  at timestamptz not null,
  primary key (house_id, item_code)
);
create index house_item_bad on house_item (project_code, bad_since) where result = '2';
call zg_by_project('house_item', 'project_code', 'corp_code');

create table house_sync (
  id text primary key,
  project_code text not null references project on delete cascade,
  source text not null check (source in ('file', 'outer', 'places')),
  at timestamptz not null,
  rows int not null,
  added int not null,
  changed int not null,
  missing int not null,
  failed int not null,
  failures jsonb not null default '[]',
  by_name text not null
);
create index house_sync_project on house_sync (project_code, at desc);
call zg_by_project('house_sync');
