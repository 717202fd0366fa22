-- What a machine photographed is for whoever reads what the machine said, the company's and the authority's people as well, while a file's own
-- row is its group's. Of its own site alone, whatever id a machine writes into its record.
create function zg_site_file(p_project text, p_id text) returns text language sql stable security definer set search_path = public as $$
  select id from stored_file where id = p_id and project_code = p_project and source = 'device'
    and (p_project = any (zg_list('app.projects')) or current_setting('role') not in ('zg_some', 'zg_wide'))
$$;
