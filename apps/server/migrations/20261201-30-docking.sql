-- Docking: passages entered by hand go up, a project that is taken away is deleted above, and what a connection holds of a project that was
-- away from it for a while is brought up to date when it is enrolled again.

-- A passage somebody entered is a correction; with it come corrections of passages, entered ones among them.
create or replace function zg_docking_fixed() returns trigger language plpgsql as $$
declare kinds constant text[] := array['add', 'void', 'direction', 'assign', 'release', 'revoke'];
begin
  if tg_op = 'INSERT' then
    insert into docking_outbox (object_type, source_id, op)
      select 'passageFix', n.id, '2' from after n
      where n.state = '2' and n.kind = any (kinds) and exists (select 1 from docking_enrol e where e.project_code = n.project_code);
  else
    insert into docking_outbox (object_type, source_id, op)
      select 'passageFix', n.id, '2' from after n join before o using (id)
      where (n.state = '2') is distinct from (o.state = '2') and n.kind = any (kinds)
        and exists (select 1 from docking_enrol e where e.project_code = n.project_code);
  end if;
  return null;
end $$;

-- What was handed up of a project outlives it: it has to be deleted above, and both sides are counted by the day.
alter table docking_record drop constraint docking_record_project_code_fkey;
alter table docking_day drop constraint docking_day_project_code_fkey;
create function zg_docking_project_gone() returns trigger language plpgsql as $$
begin
  insert into docking_outbox (object_type, source_id, op)
    select distinct r.object_type, r.source_id, '3' from before b join docking_record r on r.project_code = b.project_code
    where r.object_type <> 'corporation';
  return null;
end $$;
create trigger docking_gone_project after delete on project referencing old table as before
  for each statement execute function zg_docking_project_gone();

-- Counts of the list over a million rows: equal keys share their place in an index that includes nothing, so each of these is a tenth of what
-- they replace (7 MB). By name a filter over the index alone; row-level security lets no trigram index be asked before it.
drop index docking_record_count;
create index docking_record_count on docking_record (project_code, corp_code);
create index docking_record_states on docking_record (project_code, upload_status, object_type, op, corp_code);
create index docking_record_names on docking_record (project_code, corp_code, biz_name);
