-- 消防验收现场评定. A case belongs to the 建设单位 that applied and to the authorities of the area: `groups`; `shown_at` stays empty, since no
-- other party of the site learns of it. What is found on the site is the authorities' until the opinion is signed; then it gets the groups
-- of its case.

-- Whose settings hold for a group, the nearest first: its own, those of the authorities of the area, those of the platform.
create function zg_fire_setters(p_group text) returns text[] language sql stable security definer set search_path = public as $$
  select array_agg(s.id order by s.rank, s.id) from (
    select o.id, 0 as rank from tenant o where o.id = p_group
    union all
    select t.id, 10 - length(regexp_replace(t.area_code, '(00){1,2}$', '')) from tenant o
      join tenant t on t.type = 1 and t.id <> o.id and o.area_code ^@ regexp_replace(t.area_code, '(00){1,2}$', '') where o.id = p_group
    union all
    select t.id, 100 from tenant t where t.type = 0 and t.id <> p_group) s
$$;

-- The catalogue of an authority, one row per version. Items are what differs from the delivered catalogue; a version is never changed.
create table fire_catalogue (
  id text primary key,
  group_id text not null,
  version int not null,
  create_by text not null,
  create_time timestamptz not null
);
create unique index fire_catalogue_version on fire_catalogue (group_id, version);
call zg_open('fire_catalogue');
create policy everybody_reads on fire_catalogue for select to zg_some, zg_wide using (true);
create policy own_group on fire_catalogue for insert to zg_some, zg_wide with check (group_id = (select zg_setting('app.group')));

create table fire_catalogue_item (
  catalogue_id text not null references fire_catalogue on delete cascade,
  code text not null,
  name text not null,
  level text check (level in ('A', 'B', 'C')),
  method text not null,
  needs_value boolean not null,
  applicable text[] not null,
  full_check boolean not null,
  enable boolean not null,
  seq int not null,
  primary key (catalogue_id, code)
);
call zg_open('fire_catalogue_item');
create policy everybody_reads on fire_catalogue_item for select to zg_some, zg_wide using (true);
create policy own_catalogue on fire_catalogue_item for insert to zg_some, zg_wide with check (
  exists (select 1 from fire_catalogue c where c.id = catalogue_id and c.group_id = (select zg_setting('app.group'))));

-- Kinds of place as an authority sets them; what has no row is as delivered.
create table fire_place (
  group_id text not null,
  code text not null,
  name text not null,
  uses text[] not null,
  area_over numeric(12, 2),
  height_over numeric(8, 2),
  within text[] not null,
  special boolean not null,
  projects text[] not null,
  enable boolean not null,
  version int not null default 0,
  update_by text,
  update_time timestamptz not null default now(),
  primary key (group_id, code)
);
call zg_open('fire_place');
create policy everybody_reads on fire_place for select to zg_some, zg_wide using (true);
create policy own_inserts on fire_place for insert to zg_some, zg_wide with check (group_id = (select zg_setting('app.group')));
create policy own_updates on fire_place for update to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));

-- A draw among 备案; the frozen list and the seed are those of draw_run with the same id.
create table fire_draw (
  id text primary key,
  organiser_group text not null,
  groups text[] not null,
  ratio numeric(5, 2) not null,
  candidates int not null,
  drawn int not null,
  list_hash text not null,
  drawn_at timestamptz not null,
  drawn_name text not null
);
call zg_open('fire_draw');
create policy of_groups on fire_draw to zg_some, zg_wide using ((select zg_setting('app.group')) = any (groups))
  with check (organiser_group = (select zg_setting('app.group')));

create table fire_case (
  id text primary key,
  code text,
  project_code text not null references project on delete cascade,
  -- The 建设单位.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  applicant_group text not null,
  apply_corp text not null,
  authority_group text,
  authority_name text,
  -- Dictionary fireProjectKind.
  kind text not null,
  apply_type text not null default '1',
  contact text not null,
  tel bytea not null,
  is_part boolean not null,
  design_review_no text,
  design_review_date date,
  license_no text not null,
  fire_places text[] not null,
  special boolean not null,
  materials text[] not null,
  -- Null: the delivered catalogue; set when the first round begins.
  catalogue_id text references fire_catalogue,
  no_accept_reason text,
  no_accept_note text,
  submit_time timestamptz,
  accept_time timestamptz,
  -- The day from which the term counts.
  due_from date,
  due_date date,
  -- Set while the applicant repairs papers.
  paused_at date,
  in_random boolean,
  draw_id text references fire_draw,
  assess_date date,
  -- Accounts and names of the assessors; fire_assessor has them one by one.
  assessor_ids text[] not null default '{}',
  assessors text[] not null default '{}',
  round int not null default 1,
  finish_date date,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index fire_case_project on fire_case (project_code, state);
create index fire_case_due on fire_case (due_date) where state in ('3', '4');
create index fire_case_state on fire_case (state, submit_time);
call zg_by_project('fire_case', 'project_code', 'corp_code');
call zg_until_shown('fire_case');

create table fire_build (
  id text primary key,
  case_id text not null references fire_case on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  unit_id text references unit_project on delete set null,
  name text not null,
  use text not null,
  structure_type text,
  fire_rating text not null,
  danger text not null,
  use_property text not null,
  floors_up int not null,
  floors_down int not null,
  height numeric(8, 2) not null,
  length numeric(10, 2),
  footprint numeric(12, 2),
  area_up numeric(12, 2) not null,
  area_down numeric(12, 2) not null,
  added_places text[] not null default '{}',
  places text[] not null,
  -- Codes of the projects of the catalogue that are looked at.
  projects text[] not null
);
create unique index fire_build_name on fire_build (case_id, name);
call zg_by_project('fire_build', 'project_code', 'corp_code');
call zg_until_shown('fire_build');

create table fire_part (
  case_id text not null references fire_case on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  kind text not null check (kind in ('decoration', 'insulation', 'storage', 'useChange')),
  place text not null,
  content text not null,
  floor text not null,
  amount numeric(14, 2),
  grade text,
  primary key (case_id, seq)
);
call zg_by_project('fire_part', 'project_code', 'corp_code');
call zg_until_shown('fire_part');

create table fire_pause (
  case_id text not null references fire_case on delete cascade,
  from_day date not null,
  to_day date,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  reason text not null,
  primary key (case_id, from_day)
);
call zg_by_project('fire_pause', 'project_code', 'corp_code');
call zg_until_shown('fire_pause');

create table fire_assessor (
  case_id text not null references fire_case on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  user_id text,
  expert_id text,
  name text not null,
  unit text,
  primary key (case_id, seq)
);
call zg_by_project('fire_assessor', 'project_code', 'corp_code');
call zg_until_shown('fire_assessor');

-- A round of assessment with its running and its signed verdict, which is derived and never typed.
create table fire_round (
  case_id text not null references fire_case on delete cascade,
  round int not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  -- Sub-items of a 复评 as `build sub`; null: all.
  only_subs text[],
  verdict text not null,
  line text not null,
  causes text[] not null default '{}',
  subs_done int not null,
  subs_total int not null,
  started_at timestamptz,
  place_reason text,
  outside_m int,
  submitted_at timestamptz,
  opinion text,
  remark text,
  doc_no text,
  issued_at timestamptz,
  issued_by text,
  primary key (case_id, round)
);
call zg_by_project('fire_round', 'project_code', 'corp_code');
call zg_until_shown('fire_round');

-- What was found of a point at a place. Only added to: the newest entry of a point and place holds, the earlier ones stay beside it.
create table fire_point (
  id text primary key,
  case_id text not null references fire_case on delete cascade,
  round int not null,
  build_id text not null references fire_build on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  item_code text not null,
  level text not null,
  check_part text not null,
  result text not null check (result in ('1', '2', '3')),
  product_fail boolean not null,
  design_value text,
  actual_value text,
  tolerance numeric(5, 2) not null,
  description text,
  photos text[] not null,
  change_reason text,
  by_id text not null,
  by_name text not null,
  at timestamptz not null
);
create index fire_point_of on fire_point (case_id, round, build_id, item_code, check_part, at);
create index fire_point_failed on fire_point (at) where result = '2';
call zg_by_project('fire_point', 'project_code', 'corp_code');
call zg_until_shown('fire_point');
create function zg_fire_point_fixed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'groups' is distinct from to_jsonb(old) - 'groups' then raise exception 'a finding is never changed'; end if;
  return new;
end $$;
create trigger fixed before update on fire_point for each row execute function zg_fire_point_fixed();

create table fire_sub (
  case_id text not null references fire_case on delete cascade,
  round int not null,
  build_id text not null references fire_build on delete cascade,
  sub_code text not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  total int,
  absent_reason text,
  primary key (case_id, round, build_id, sub_code)
);
call zg_by_project('fire_sub', 'project_code', 'corp_code');
call zg_until_shown('fire_sub');

-- What the applicant shows for each failed point when it asks for a 复评.
create table fire_proof (
  point_id text primary key references fire_point on delete cascade,
  case_id text not null references fire_case on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  note text not null,
  files text[] not null,
  at timestamptz not null
);
create index fire_proof_of on fire_proof (case_id);
call zg_by_project('fire_proof', 'project_code', 'corp_code');
call zg_until_shown('fire_proof');
