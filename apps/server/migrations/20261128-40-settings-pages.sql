-- What sites, companies and bodies set for themselves and for each other, and the papers a site hands in.

alter table project
  -- Parts of the works that are built and accepted by themselves.
  add column unit_works jsonb not null default '[]',
  -- Who said last that the file is true: quarter, name, time.
  add column confirmed jsonb;

-- Settings of one project by part: arranged by the site, or set over it from above.
create table project_setting (
  project_code text not null references project on delete cascade,
  part text not null,
  value jsonb not null,
  update_time timestamptz not null,
  update_by text not null,
  version int not null default 1,
  primary key (project_code, part)
);
call zg_by_project('project_setting');
-- What is set from above is never written by the site it holds for.
create policy above_inserts on project_setting as restrictive for insert to zg_some, zg_wide
  with check ((select zg_outside()) or part not like '%Policy' or (select zg_setting('app.group_type')) <> '3');
create policy above_updates on project_setting as restrictive for update to zg_some, zg_wide
  using ((select zg_outside()) or part not like '%Policy' or (select zg_setting('app.group_type')) <> '3');
create policy above_deletes on project_setting as restrictive for delete to zg_some, zg_wide
  using ((select zg_outside()) or part not like '%Policy' or (select zg_setting('app.group_type')) <> '3');

-- Papers a project hands in, one row an item of its checklist.
create table project_material (
  id text primary key,
  project_code text not null references project on delete cascade,
  item text not null,
  stage text not null check (stage in ('1', '2', '3')),
  name text not null,
  -- 0 brought or asked for, 1 waits, 2 accepted, 3 returned
  state text not null check (state in ('0', '1', '2', '3')),
  files jsonb not null default '[]',
  valid_end date,
  -- Why the item does not apply.
  not_needed text,
  opinion text,
  -- Asked for beyond the checklist, by whom.
  asked_by text,
  judged_by text,
  judge_time timestamptz,
  -- Earlier versions, the newest first: files, validEnd, state, opinion, byName, at.
  earlier jsonb not null default '[]',
  create_time timestamptz not null,
  update_time timestamptz not null,
  update_by text not null,
  version int not null default 1,
  unique (project_code, item)
);
create index project_material_waiting on project_material (project_code) where state = '1';
call zg_by_project('project_material');
-- A site brings papers, it never accepts its own.
create function zg_judge_material() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if zg_in_request() and coalesce((zg_group()).type, 3) = 3 then
    raise insufficient_privilege using message = 'a paper is accepted by somebody above the site';
  end if;
  return new;
end $$;
create trigger project_material_judged before update of state on project_material for each row
  when (old.state <> '2' and new.state = '2') execute function zg_judge_material();
create trigger project_material_brought before insert on project_material for each row
  when (new.state = '2') execute function zg_judge_material();

-- Why a project was added to a body or taken out by hand, by project: reason, name, time.
alter table government add column scope_notes jsonb not null default '{}';
