-- Checks that are being written, by their author: the to-do tab begins with them.
create index site_check_draft on site_check (create_by) where state = '0';
