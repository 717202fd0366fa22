-- The compendium of policies (政策汇编): texts that the platform and authorities publish for everybody.
create table policy (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  -- Significant front of the area that the text is for; empty: the country.
  area_front text not null,
  title text not null,
  doc_no text,
  -- doc_no as it is compared.
  doc_key text,
  level text not null check (level in ('1', '2', '3', '4')),
  category text not null,
  -- Dictionary checkDiscipline.
  subject text,
  issuer text not null,
  issue_date date not null,
  effect_date date not null,
  -- Filtered HTML, and its text for the search.
  content text not null,
  body text not null,
  files text[] not null default '{}',
  state text not null default '0' check (state in ('0', '1', '2')),
  published_at timestamptz,
  withdraw_reason text,
  top_at timestamptz,
  views int not null default 0,
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index policy_group on policy (group_id, update_time desc);
create index policy_shown on policy (issue_date desc, id) where state = '1';
-- No document number is published twice.
create unique index policy_number on policy (doc_key) where state = '1' and doc_key is not null;
call zg_open('policy');
create policy own_group on policy to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
create policy published_reads on policy for select to zg_some, zg_wide using (state = '1');

-- What a later text changes or ends. Without a later one it is ended alone.
create table policy_link (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  earlier_id text not null references policy on delete cascade,
  later_id text references policy on delete cascade,
  kind text not null check (kind in ('amend', 'repeal')),
  since date not null
);
create unique index policy_link_pair on policy_link (earlier_id, later_id) nulls not distinct;
create index policy_link_later on policy_link (later_id);
call zg_open('policy_link');
create policy own_group on policy_link to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
-- Both ends are texts, which say themselves who may read them.
create policy all_read on policy_link for select to zg_some, zg_wide using (true);
