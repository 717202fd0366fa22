-- Rounds of reply to a notice: who sent one, and what 监理 and the issuer decided. The answers to each problem are in rectify_answer.
create table rectify_reply (
  rectify_id text not null references rectify on delete cascade,
  round int not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  -- As in the notice: it does not change, and the list of replies is read by it.
  origin text not null check (origin in ('gov', 'site')),
  lines int not null,
  at timestamptz not null,
  by_id text not null,
  by_name text not null,
  group_name text not null,
  opinion text,
  -- Written down by the authority from paper.
  on_behalf boolean not null default false,
  reason text,
  scans text[] not null default '{}',
  review_sheet text[] not null default '{}',
  state text not null check (state in ('review', 'recheck', 'passed', 'returned')),
  -- When it came to whoever has it now, or when it was decided.
  since timestamptz not null,
  review_passed boolean,
  review_by text,
  review_at timestamptz,
  recheck_passed boolean,
  recheck_by text,
  recheck_group text,
  second text,
  on_site boolean,
  recheck_at timestamptz,
  primary key (rectify_id, round)
);
-- The list of an authority: what waits, oldest first, over all its projects; and the decided ones, newest first.
create index rectify_reply_waiting on rectify_reply (origin, state, since);
create index rectify_reply_sent on rectify_reply (origin, state, at);
create index rectify_reply_project on rectify_reply (project_code, origin, state);
create index rectify_reply_done on rectify_reply (recheck_group, recheck_at);
call zg_by_project('rectify_reply', 'project_code', 'corp_code');
call zg_until_shown('rectify_reply');

-- Rounds that were sent before this table existed: verdicts from the answers, names and times from the history.
insert into rectify_reply (rectify_id, round, project_code, corp_code, shown_at, groups, origin, lines, at, by_id, by_name, group_name, opinion,
  state, since, review_passed, review_by, review_at, recheck_passed, recheck_by, recheck_group, recheck_at)
select r.id, a.round, r.project_code, r.corp_code, a.at, r.groups, r.origin, a.lines, a.at, a.by_id, a.by_name,
  coalesce(sent.group_name, ''), sent.opinion,
  case when coalesce(recheck.action, review.action) in ('jlReturn', 'recheckFail') then 'returned'
    when recheck.action = 'recheckPass' then 'passed' when review.action = 'jlPass' or r.state = '5' then 'recheck' else 'review' end,
  coalesce(recheck.at, review.at, a.at),
  review.action = 'jlPass', review.by_name, review.at,
  recheck.action = 'recheckPass', recheck.by_name, case when recheck.at is not null then r.issuer_group end, recheck.at
from (
  select rectify_id, round, count(*)::int as lines, max(at) as at, min(by_id) as by_id, min(by_name) as by_name,
    lead(max(at)) over (partition by rectify_id order by round) as next_at
  from rectify_answer where not draft group by rectify_id, round
) a
join rectify r on r.id = a.rectify_id
left join lateral (select l.group_name, l.opinion from process_log l where l.kind = 'rectify' and l.object_id = r.id and l.action = 'reply'
  and l.at >= a.at and (a.next_at is null or l.at < a.next_at) order by l.at limit 1) sent on true
left join lateral (select l.action, l.by_name, l.at from process_log l where l.kind = 'rectify' and l.object_id = r.id
  and l.action in ('jlPass', 'jlReturn') and l.at >= a.at and (a.next_at is null or l.at < a.next_at) order by l.at limit 1) review on true
left join lateral (select l.action, l.by_name, l.at from process_log l where l.kind = 'rectify' and l.object_id = r.id
  and l.action in ('recheckPass', 'recheckFail') and l.at >= a.at and (a.next_at is null or l.at < a.next_at) order by l.at limit 1) recheck on true;
