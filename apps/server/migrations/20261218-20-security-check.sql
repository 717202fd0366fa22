-- Open problems of a site by the state of their line, recent phrases, and problems that come again at one part or item.
create index site_check_problem_project on site_check_problem (project_code, part);
create index site_check_day on site_check (project_code, check_time desc) where shown_at is not null;
