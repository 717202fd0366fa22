-- Papers of the quality and the safety library: uploaded by hand, or a link to a record. Records that file themselves are read where they are.
create table library_paper (
  id text primary key,
  -- Dictionary documentCategory: 2 quality, 3 safety.
  category text not null check (category in ('2', '3')),
  project_code text not null references project on delete cascade,
  -- Null: the site itself.
  corp_code text references corporation,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  author_name text not null,
  -- Of a quality paper: the cell of the matrix.
  place_id text,
  work text,
  col text,
  -- Of a safety paper: the obligation.
  duty text,
  period text,
  name text not null,
  -- Of a link: the record; such a paper has no file.
  ref_source text,
  ref_id text,
  work_date date not null,
  valid_end date,
  version_no int not null default 1,
  -- 后补: fixed by the day of the upload; nobody sets or clears it.
  late boolean generated always as ((create_time at time zone 'Asia/Shanghai')::date - work_date > 7) stored,
  approver text,
  approved_at timestamptz,
  reason text,
  state text not null default '0' check (state in ('0', '1', '2', '3')),
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  foreign key (project_code, place_id) references site_place (project_code, id),
  check (case category when '2' then place_id is not null and work is not null and col is not null else duty is not null and period is not null end),
  check ((ref_source is null) = (ref_id is null))
);
create index library_paper_place on library_paper (place_id) where place_id is not null;
create index library_paper_project on library_paper (project_code, category);
create unique index library_paper_link on library_paper (place_id, work, col, ref_source, ref_id) where category = '2' and ref_id is not null;
-- An obligation is filed once by hand.
create unique index library_paper_duty on library_paper (project_code, duty, period) where category = '3';
call zg_by_project('library_paper', 'project_code', 'corp_code');
call zg_until_shown('library_paper');

-- The day of the work and of the upload are fixed, so that the mark of a late paper stays.
create function zg_library_fixed() returns trigger language plpgsql as $$
begin
  new.work_date := old.work_date;
  new.create_time := old.create_time;
  return new;
end $$;
create trigger library_fixed before update on library_paper for each row execute function zg_library_fixed();

-- The files of each version; a version never changes.
create table library_version (
  paper_id text not null references library_paper on delete cascade,
  version_no int not null,
  project_code text not null references project on delete cascade,
  files text[] not null,
  by_name text not null,
  at timestamptz not null,
  primary key (paper_id, version_no)
);
call zg_by_parent('library_version', 'paper_id', 'library_paper');
revoke update on library_version from zg_some, zg_wide, zg_all;

-- Obligations that the manager of the site has dispensed with.
create table library_exempt (
  id text primary key,
  project_code text not null references project on delete cascade,
  duty text not null,
  period text not null,
  reason text not null,
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  unique (project_code, duty, period)
);
call zg_by_project('library_exempt');

-- From which day the obligations of a site are counted.
create table library_since (
  project_code text primary key references project on delete cascade,
  since date not null,
  reason text not null,
  by_name text not null,
  at timestamptz not null
);
call zg_by_project('library_since');
