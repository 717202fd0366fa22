-- Maps stand on the tiles of the deployment where the group has chosen the world map. A deployment that has tiles has shown them to all so far:
-- its operator's choice, which those below follow, says so from now on.
update tenant set settings = jsonb_set(settings, '{info}', coalesce(settings -> 'info', '{}') || '{"mapType": "2"}')
where type = 0 and not coalesce(settings -> 'info', '{}') ? 'mapType'
  and exists (select 1 from setting where key = 'profile' and jsonb_typeof(value -> 'map') = 'object');

-- The working calendar of the deployment: terms in working days are counted by it for everybody, who cannot read the operator's row.
create function zg_common_calendar() returns jsonb language sql stable security definer set search_path = public as $$
  select settings -> 'info' -> 'calendar' from tenant where type = 0 order by id limit 1
$$;
