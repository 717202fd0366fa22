-- Row-level security: three database roles, one per size of scope, and the procedures that protect a table.
-- A request takes one of the roles for its transaction and writes its scope into app.* settings (kit/db.ts).

do $$
declare name text;
begin
  foreach name in array array['zg_some', 'zg_wide', 'zg_all'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null; -- roles belong to the cluster, not to the database
    end;
    execute format('grant %I to current_user', name);
    execute format('grant usage on schema public to %I', name);
  end loop;
end $$;

-- The settings are read in scalar sub-selects: called per row, current_setting() costs 27 times as much.
create function zg_list(setting text) returns text[] language sql stable parallel safe as
$$ select string_to_array(coalesce(current_setting(setting, true), ''), ',') $$;

create function zg_setting(setting text) returns text language sql stable parallel safe as
$$ select coalesce(current_setting(setting, true), '') $$;

-- Grants the three roles the usual rights on a table and switches row-level security on.
create procedure zg_open(target regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('grant select, insert, update, delete on %s to zg_some, zg_wide, zg_all', target);
  execute format('create policy sees_all on %s to zg_all using (true) with check (true)', target);
end $$;

-- A table whose rows belong to a project. With p_corp_column, a subcontractor's view of a project ends at its own people.
create procedure zg_by_project(target regclass, p_column text default 'project_code', p_corp_column text default null) language plpgsql as $$
begin
  call zg_open(target);
  execute format('create policy some_projects on %s to zg_some using (%I = any ((select zg_list(''app.projects''))::text[]))', target, p_column);
  -- A long list met by a scan is searched linearly with "= any"; unnested it is hashed.
  execute format('create policy wide_projects on %s to zg_wide using (%I in (select unnest(zg_list(''app.projects''))))', target, p_column);
  if p_corp_column is not null then
    execute format(
      'create policy own_people on %s as restrictive to zg_some, zg_wide using (
         %I <> all ((select zg_list(''app.limited''))::text[]) or %I = any ((select zg_list(''app.corps''))::text[]))',
      target, p_column, p_corp_column);
  end if;
end $$;

-- A table whose rows hang on a parent that is protected itself: visible when the parent is.
create procedure zg_by_parent(target regclass, p_column text, parent regclass, parent_key text default 'id') language plpgsql as $$
begin
  call zg_open(target);
  execute format(
    'create policy with_parent on %s to zg_some, zg_wide using (exists (select 1 from %s p where p.%I = %s.%I))',
    target, parent, parent_key, target, p_column);
end $$;

-- A table whose rows belong to a group (tenant).
create procedure zg_by_group(target regclass, p_column text default 'group_id') language plpgsql as $$
begin
  call zg_open(target);
  execute format('create policy own_group on %s to zg_some, zg_wide using (%I = (select zg_setting(''app.group'')))', target, p_column);
end $$;

-- Reference data: everybody reads, nobody but the platform writes.
create procedure zg_reference(target regclass) language plpgsql as $$
begin
  call zg_open(target);
  execute format('create policy everybody_reads on %s for select to zg_some, zg_wide using (true)', target);
end $$;
