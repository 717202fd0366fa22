-- The figures above the list count what is to be held and what has open notices: a small part of all checks.
create index day_check_open on day_check (state, project_code) where state in ('0', '1', '3', '4');
