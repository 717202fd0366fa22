-- Who reads an approval item: the group that owns or submitted it, the groups of its deciders and of its carbon copies (both in `groups`),
-- and the platform. Until now everybody who saw the project did, so a site read the title of what an authority decides about it.

-- Ids of the items of business records, whoever may see them. The workflow engine opens an item to its transaction (app.items) after it has
-- checked that the caller may see the business record: who edits a device renews its review even if another group submitted it.
create function zg_items_of(p_kind text, p_objects text[]) returns text[] language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(array_agg(id), '{}') from work_item where kind = p_kind and object_id = any (p_objects)
$$;
revoke execute on function zg_items_of from public;
grant execute on function zg_items_of to zg_some, zg_wide, zg_all, zg_runtime;

drop policy in_sight on work_item;
drop policy in_sight_wide on work_item;
drop policy own_people on work_item;
create policy taking_part on work_item to zg_some, zg_wide using (
  group_id = (select zg_setting('app.group')) or applicant_group = (select zg_setting('app.group'))
  or groups @> array[(select zg_setting('app.group'))] or id = any ((select zg_list('app.items'))::text[])
  or ((select zg_setting('app.group_type') = '0') and project_code = any ((select zg_list('app.projects'))::text[])))
with check (
  group_id = (select zg_setting('app.group')) or applicant_group = (select zg_setting('app.group'))
  or groups @> array[(select zg_setting('app.group'))]
  or ((id = any ((select zg_list('app.items'))::text[]) or (select zg_setting('app.group_type') = '0'))
    and (project_code is null or project_code = any ((select zg_list('app.projects'))::text[]))));

-- A seat or a copy of the caller's own group is visible without reading the item: its group is in the item's `groups`.
drop policy with_parent on work_approver;
create policy own_seats on work_approver to zg_some, zg_wide using (
  group_id = (select zg_setting('app.group')) or exists (select 1 from work_item p where p.id = work_approver.item_id));
drop policy with_parent on work_copy;
create policy own_copies on work_copy to zg_some, zg_wide using (
  group_id = (select zg_setting('app.group')) or exists (select 1 from work_item p where p.id = work_copy.item_id));
