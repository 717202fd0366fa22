-- Documents: folders and files of projects and of persons. A folder or document with grants is a gate: `gates` of everything below it names
-- it, so that who sees a row is one comparison of arrays. Whoever passes every gate sees it; a child can only add gates.
create table document (
  id text primary key,
  -- Who keeps it: its quota, its bin.
  group_id text not null,
  -- Null: kept by one person, `home_user`.
  project_code text references project on delete cascade,
  home_user text,
  category text not null default '6',
  -- No reference: what lay in a folder that is gone keeps its place by name.
  parent_id text,
  -- Where it lies: the id of its folder, or the name of its root.
  place text not null,
  name text not null,
  -- Names of its folders.
  path text not null default '',
  is_dir boolean not null,
  ancestors text[] not null default '{}',
  gates text[] not null default '{}',
  security text not null default '2' check (security in ('1', '2', '3')),
  file_id text,
  mime text,
  size bigint not null default 0,
  version_no int not null default 0,
  owner_id text not null,
  owner_name text not null,
  data_state text not null default '1' check (data_state in ('1', '2')),
  archived_at timestamptz,
  deleted_at timestamptz,
  deleted_by text,
  deleted_by_name text,
  -- The entry of the bin that it is in; the entry itself names itself.
  bin_id text,
  bin_count int,
  bin_bytes bigint,
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null,
  check ((project_code is null) = (home_user is not null)),
  check (is_dir = (file_id is null))
);
create unique index document_name on document (place, lower(name)) where deleted_at is null;
create index document_place on document (place, is_dir desc, update_time desc) where deleted_at is null;
create index document_project on document (project_code, update_time desc) where deleted_at is null;
create index document_project_folders on document (project_code) where is_dir and deleted_at is null;
create index document_library on document (category, project_code, update_time desc) where deleted_at is null and category <> '6';
create index document_home on document (home_user, group_id, update_time desc) where deleted_at is null;
create index document_below on document using gin (ancestors);
create index document_gates on document using gin (gates) where gates <> '{}';
create index document_bin on document (group_id, deleted_at) where bin_id = id;
create index document_bin_content on document (bin_id) where bin_id is not null;

-- Whom a gate lets in, and to do what: 1 view, 2 upload, 3 edit, 4 manage.
create table document_grant (
  id text primary key,
  document_id text not null references document on delete cascade,
  user_id text,
  role_id text,
  name text not null,
  level smallint not null check (level between 1 and 4),
  check ((user_id is null) <> (role_id is null))
);
create unique index document_grant_user on document_grant (user_id, document_id) where user_id is not null;
create unique index document_grant_role on document_grant (role_id, document_id) where role_id is not null;
create index document_grant_document on document_grant (document_id);

-- Contents never change: one made current again is a new row.
create table document_version (
  id text primary key,
  document_id text not null references document on delete cascade,
  no int not null,
  file_id text not null,
  name text not null,
  mime text not null,
  size bigint not null,
  from_no int,
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  unique (document_id, no)
);

-- Every time somebody asked for its file.
create table document_look (
  id text primary key,
  document_id text not null references document on delete cascade,
  what text not null check (what in ('view', 'download', 'print')),
  version_no int not null,
  by_id text not null,
  by_name text not null,
  group_name text not null,
  at timestamptz not null
);
create index document_look_document on document_look (document_id, at desc);
create index document_look_person on document_look (by_id, at desc);

create table document_star (
  user_id text not null,
  document_id text not null references document on delete cascade,
  at timestamptz not null,
  primary key (user_id, document_id)
);
create index document_star_document on document_star (document_id);

-- Bytes that a group's documents occupy with all versions.
create table document_use (
  group_id text primary key,
  bytes bigint not null
);

create function zg_document_roles() returns text[] language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(array_agg(r.role_id), '{}') from member m join member_role r on r.member_id = m.id
  where m.user_id = zg_setting('app.user') and m.group_id = zg_setting('app.group') and m.enable = '1'
    and (r.deadline is null or r.deadline >= (now() at time zone 'Asia/Shanghai')::date)
$$;
-- The gates that the caller may pass.
create function zg_document_passes() returns text[] language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(array_agg(distinct g.document_id), '{}') from document_grant g
  where g.user_id = zg_setting('app.user') or g.role_id = any ((select zg_document_roles())::text[])
$$;

call zg_open('document');
create policy some_documents on document to zg_some using (
  project_code = any ((select zg_list('app.projects'))::text[])
  or (project_code is null and group_id = (select zg_setting('app.group')) and (home_user = (select zg_setting('app.user')) or gates <> '{}')));
create policy wide_documents on document to zg_wide using (
  project_code in (select unnest(zg_list('app.projects')))
  or (project_code is null and group_id = (select zg_setting('app.group')) and (home_user = (select zg_setting('app.user')) or gates <> '{}')));
-- The platform sees every project, and nobody's own papers.
create policy own_papers on document as restrictive to zg_all using (
  (select current_user <> 'zg_all') or project_code is not null or home_user = (select zg_setting('app.user'))
  or (gates <> '{}' and group_id = (select zg_setting('app.group'))));
create policy gated on document as restrictive to zg_some, zg_wide, zg_all using (
  (select current_user not in ('zg_some', 'zg_wide', 'zg_all')) or gates = '{}' or gates <@ (select zg_document_passes()));
create policy internal on document as restrictive to zg_some, zg_wide, zg_all using (
  (select current_user not in ('zg_some', 'zg_wide', 'zg_all')) or security <> '2' or project_code is null
  or (select zg_setting('app.group_type') in ('2', '3')) or group_id = (select zg_setting('app.group')) or gates <> '{}');
-- A company that takes a small part in a project sees its own papers there, and what is shared to it by name.
create policy own_people on document as restrictive to zg_some, zg_wide using (
  (select zg_outside() or zg_setting('app.limited') = '') or project_code is null
  or project_code <> all ((select zg_list('app.limited'))::text[]) or group_id = (select zg_setting('app.group')) or gates <> '{}');
-- What others keep in a project is not changed by whoever only oversees it.
call zg_write_only('document', $$(select zg_setting('app.group_type') in ('2', '3')) or group_id = (select zg_setting('app.group'))$$);

do $$
declare
  name text;
begin
  foreach name in array array['document_grant', 'document_version', 'document_look'] loop
    call zg_by_parent(name::regclass, 'document_id', 'document');
    execute format(
      'create policy of_document on %I as restrictive to zg_all using (
         (select current_user <> ''zg_all'') or exists (select 1 from document d where d.id = %I.document_id))', name, name);
  end loop;
end $$;
call zg_open('document_star');
create policy own_stars on document_star to zg_some, zg_wide using (user_id = (select zg_setting('app.user')));
call zg_by_group('document_use');

create function zg_document_used() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  owner text := (select group_id from document where id = coalesce(new.document_id, old.document_id));
  grown bigint := coalesce(new.size, 0) - coalesce(old.size, 0);
begin
  -- With its document gone, its size is taken off by the statement that removed that.
  if owner is not null then
    insert into document_use as u (group_id, bytes) values (owner, grown) on conflict (group_id) do update set bytes = u.bytes + excluded.bytes;
  end if;
  return null;
end $$;
create trigger document_used after insert on document_version for each row execute function zg_document_used();
create function zg_document_freed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update document_use set bytes = greatest(0, bytes - coalesce((select sum(v.size) from document_version v where v.document_id = old.id), 0))
  where group_id = old.group_id;
  return old;
end $$;
create trigger document_freed before delete on document for each row execute function zg_document_freed();

-- What changes with a folder is changed in all of its content, also in what the caller does not see: a part left behind would keep the rights
-- that its folder had. The caller's right to change the folder itself is asked before.
create function zg_document_gate(p_id text, p_on boolean) returns void language sql security definer set search_path = public, pg_temp as $$
  update document set gates = case when p_on then array_append(gates, p_id) else array_remove(gates, p_id) end
  where (id = p_id or ancestors @> array[p_id]) and (gates @> array[p_id]) <> p_on
    and exists (select 1 from document d where d.id = p_id and d.gates <@ zg_document_passes())
$$;
-- After a folder got another name or place: `p_path` and `p_gates` are what its content had from it before.
create function zg_document_moved(p_id text, p_depth int, p_path text, p_gates text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  with n as (
    select ancestors || id as ancestors, case when path = '' then name else path || '/' || name end as path, gates from document
    where id = p_id and gates <@ zg_document_passes()
  )
  update document d set ancestors = n.ancestors || d.ancestors[p_depth + 1:], path = n.path || substr(d.path, length(p_path) + 1),
    gates = array(select unnest(n.gates) union select g from unnest(d.gates) g where g <> all (p_gates) order by 1)
  from n where d.ancestors @> array[p_id]
$$;
-- What a folder holds, seen or not; of a document that is in the bin only what went there with it.
create function zg_document_content(p_id text) returns table (documents int, bytes bigint, deepest int, archived int)
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*)::int, coalesce(sum(d.size), 0)::bigint, coalesce(max(cardinality(d.ancestors)), 0)::int,
    (count(*) filter (where d.data_state = '2' or d.category = '1'))::int
  from document d join document t on t.id = p_id where (d.id = p_id or d.ancestors @> array[p_id]) and d.bin_id is not distinct from t.bin_id
$$;

-- A document's content is reached by its document alone, so it gets a row of its own that no group sees. Only whoever sent the file in this
-- group makes a document of it.
alter table stored_file drop constraint stored_file_source_check;
alter table stored_file add constraint stored_file_source_check check (source in ('attendance', 'device', 'video', 'document'));
create function zg_document_file(p_file text, p_id text) returns table (name text, mime text, bytes bigint)
language sql security definer set search_path = public, pg_temp as $$
  insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by, source, small_sha256)
  select p_id, null, '', f.name, f.mime, f.bytes, f.sha256, f.create_by, 'document', f.small_sha256 from stored_file f
  where f.id = p_file and f.create_by = zg_setting('app.user') and f.group_id = zg_setting('app.group')
  returning name, mime, bytes
$$;
