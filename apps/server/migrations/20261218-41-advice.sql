-- History and to-dos of records that belong to no project: they are for the groups they name. Whoever hands a record over writes the to-do of
-- the next group without being able to read it.
alter table process_log alter column project_code drop not null;
alter table process_todo alter column project_code drop not null;
create procedure zg_without_project(target regclass) language plpgsql as $$
begin
  execute format(
    'create policy of_groups on %s to zg_some, zg_wide using (project_code is null and (select zg_setting(''app.group'')) = any (groups))', target);
  execute format('create policy handed_over on %s for insert to zg_some, zg_wide with check (project_code is null)', target);
  execute format(
    'alter policy own_people on %s using (project_code is null
       or project_code <> all ((select zg_list(''app.limited''))::text[]) or corp_code = any ((select zg_list(''app.corps''))::text[]))', target);
end $$;
call zg_without_project('process_log');
call zg_without_project('process_todo');

-- A row that says who nobody was may stand in the log of another group: that of whoever handles a complaint.
create policy concealed on audit_log for insert to zg_some, zg_wide with check (user_id = '');

-- Questions, proposals and complaints, put to the platform or an authority, or by an authority to a site. Seen by the groups that have or had
-- to answer, by the submitter, and by the submitter's group unless it is a complaint: never by the project or company it is about.
create table advice (
  id text primary key,
  title text not null,
  type text not null,
  secret boolean not null,
  anonymous boolean not null,
  -- Not `project_code`: the project it is about does not see it.
  about_project text references project on delete set null,
  about_name text,
  addressee_kind text not null check (addressee_kind in ('platform', 'government', 'project')),
  addressee_group text not null,
  addressee_name text not null,
  -- Every group that has or had to answer.
  handlers text[] not null,
  submitter_id text not null,
  submitter_name text not null,
  submitter_group text not null,
  submitter_group_name text not null,
  -- Questions so far.
  rounds int not null default 1,
  asked_at timestamptz not null,
  first_reply_at timestamptz,
  replied_at timestamptz,
  replier text,
  satisfaction smallint check (satisfaction between 1 and 3),
  closed_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index advice_handlers on advice using gin (handlers);
create index advice_submitter on advice (submitter_id, create_time);
create index advice_submitter_group on advice (submitter_group, create_time) where not secret;
create index advice_unclosed on advice (replied_at) where state = '1';
call zg_open('advice');
create policy of_parties on advice to zg_some, zg_wide using (
  (select zg_setting('app.group')) = any (handlers) or submitter_id = (select zg_setting('app.user'))
  or (not secret and submitter_group = (select zg_setting('app.group'))));

create table advice_entry (
  id text primary key,
  advice_id text not null references advice on delete cascade,
  kind text not null check (kind in ('ask', 'reply', 'forward')),
  text text not null,
  images text[] not null default '{}',
  by_submitter boolean not null,
  by_name text not null,
  group_name text not null,
  at timestamptz not null
);
create index advice_entry_advice on advice_entry (advice_id, at);
call zg_by_parent('advice_entry', 'advice_id', 'advice');

-- Notes of one institution, seen by nobody else.
create table advice_note (
  id text primary key,
  advice_id text not null references advice on delete cascade,
  group_id text not null,
  text text not null,
  by_name text not null,
  at timestamptz not null
);
create index advice_note_advice on advice_note (advice_id, at);
call zg_by_group('advice_note');
