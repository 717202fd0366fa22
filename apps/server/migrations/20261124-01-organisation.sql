-- The tree of departments inside one group, and who works where in it.

-- What names a row of another group's does not fit its key: departments and people of two groups never meet.
alter table member add constraint member_in_group unique (group_id, id);

create table org_node (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  parent_id text,
  name text not null,
  sort int not null default 0,
  enable text not null default '1',
  create_time timestamptz not null default now(),
  version int not null default 0,
  unique (group_id, id),
  foreign key (group_id, parent_id) references org_node (group_id, id)
);
create unique index org_node_name on org_node (group_id, coalesce(parent_id, ''), name);
create index org_node_parent on org_node (parent_id);

create table org_member (
  group_id text not null,
  org_id text not null,
  member_id text not null,
  post text not null default '',
  is_head boolean not null default false,
  create_time timestamptz not null default now(),
  version int not null default 0,
  primary key (org_id, member_id),
  foreign key (group_id, org_id) references org_node (group_id, id),
  foreign key (group_id, member_id) references member (group_id, id) on delete cascade
);
create index org_member_member on org_member (member_id);

call zg_by_group('org_node');
call zg_by_group('org_member');

-- No department stands below itself, whoever writes: moves of one group come one after the other, and each looks at what the last one left.
create function org_acyclic() returns trigger language plpgsql as $$
begin
  if new.parent_id is null then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('org ' || new.group_id, 0));
  if exists (
    with recursive above as (
      select id, parent_id from org_node where id = new.parent_id
      union select n.id, n.parent_id from org_node n join above a on n.id = a.parent_id)
    select 1 from above where id = new.id)
  then raise exception 'department % would stand below itself', new.id using errcode = 'check_violation'; end if;
  return new;
end $$;
create trigger acyclic before insert or update of parent_id on org_node for each row execute function org_acyclic();
