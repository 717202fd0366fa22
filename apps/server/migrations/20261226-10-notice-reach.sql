-- Whom a request may write to is known to its session alone: what it hands in is narrowed to that. A request that names the reach or the
-- sender of another group reaches nobody more.
drop function zg_notice_people(text, text[], jsonb, date);
drop function zg_notice_units(text, text[], jsonb);

-- Groups within the session's reach, as announcements/reach.ts reads them: its own, the sites that it runs or supervises, and of an authority
-- those below it and the companies of its sites.
create function zg_notice_within() returns table (id text)
language sql stable security definer set search_path = public as $$
  with recursive below as (
    select g.gov_code from government g join tenant o on o.type = 1 and o.code = g.gov_code where o.id = zg_setting('app.group')
    union select g.gov_code from government g join below b on g.parent_gov_code = b.gov_code)
  select t.id from tenant t
  where t.id = zg_setting('app.group')
    or zg_setting('app.group_type') = '1' and t.type = 1 and t.code in (select gov_code from below)
    or zg_setting('app.group_type') = '1' and t.type = 2 and t.code in (select pc.corp_code from project_corp pc
      where pc.project_code = any (zg_list('app.projects')) and pc.exit_time is null)
    or t.type = 3 and t.code = any (zg_list('app.projects')) and t.code <> all (zg_list('app.limited')) and (
      zg_setting('app.group_type') <> '2' or exists (select 1 from project_corp pc join tenant o on o.type = 2 and o.code = pc.corp_code
        where o.id = zg_setting('app.group') and pc.project_code = t.code and pc.exit_time is null and pc.corp_type in ('008', '009')))
$$;

create function zg_notice_units(p_sender text, p_reach text[], p_lines jsonb)
returns table (seq bigint, group_id text, group_type int, group_name text, project_code text, project_name text, area_code text, kind text, members text[], roles text[], without text[])
language sql stable security definer set search_path = public as $$
  select l.seq, t.id, t.type::int, t.name, p.project_code, p.name, coalesce(p.area_code, g.area_code, c.area_code, t.area_code), l.kind, l.members, l.roles,
    l."except"
  from unnest(p_reach) as reach(id)
  join tenant t on t.id = reach.id and t.enable = '1'
    and (not zg_in_request() or current_setting('role') = 'zg_all' or t.id in (select w.id from zg_notice_within() w))
  left join project p on t.type = 3 and p.project_code = t.code
  left join government g on t.type = 1 and g.gov_code = t.code
  left join corporation c on t.type = 2 and c.corp_code = t.code
  cross join lateral (
    select x.ordinality as seq, y.* from jsonb_array_elements(p_lines) with ordinality as x(line, ordinality),
      jsonb_to_record(x.line) as y(kind text, areas text[], groups text[], members text[], roles text[], "except" text[])
  ) l
  where case l.kind
      when 'all' then true
      when 'area' then exists (select 1 from unnest(l.areas) a
        where coalesce(p.area_code, g.area_code, c.area_code, t.area_code) like regexp_replace(a, '(00){1,2}$', '') || '%')
      when 'person' then t.id = p_sender and (not zg_in_request() or t.id = zg_setting('app.group'))
      else t.id = any (l.groups) end
    and not t.id = any (l."except")
$$;

-- The people of those groups, each once: by the group that each opens first, else by a site before a company before an authority. A line
-- leaves out groups and members.
create function zg_notice_people(p_sender text, p_reach text[], p_lines jsonb, p_day date)
returns table (user_id text, group_id text, group_name text, group_type int, project_code text, project_name text, area_code text, name text, phone_mask text, role text)
language sql stable security definer set search_path = public as $$
  with unit as materialized (select * from zg_notice_units(p_sender, p_reach, p_lines)),
  own as materialized (
    select m.id, m.user_id, m.group_id, m.is_default, u.name, u.phone_mask from member m join app_user u on u.id = m.user_id and u.enable = '1'
    where m.group_id in (select k.group_id from unit k) and m.enable = '1' and (m.deadline is null or m.deadline >= p_day)),
  called as materialized (
    select mr.member_id, array_agg(distinct r.name) as roles from member_role mr join role r on r.id = mr.role_id and r.enable = '1'
    where mr.member_id in (select o.id from own o) and mr.enable = '1' and (mr.deadline is null or mr.deadline >= p_day) group by mr.member_id)
  select distinct on (o.user_id) o.user_id, o.group_id, k.group_name, k.group_type, k.project_code, k.project_name, k.area_code, o.name, o.phone_mask,
    coalesce(array_to_string(c.roles, '、'), '')
  from unit k join own o on o.group_id = k.group_id left join called c on c.member_id = o.id
  where (k.kind <> 'person' or o.id = any (k.members)) and (k.roles = '{}' or c.roles && k.roles) and not o.id = any (k.without)
  order by o.user_id, o.is_default desc, k.group_type desc, o.group_id
$$;
revoke execute on function zg_notice_within, zg_notice_units, zg_notice_people from public;
grant execute on function zg_notice_units, zg_notice_people to zg_some, zg_wide, zg_all, zg_runtime;
