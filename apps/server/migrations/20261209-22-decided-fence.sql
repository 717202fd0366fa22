-- What a site may move its own fence by is measured from the fence that was decided last, not from its own last step: each row in force
-- names it. Rows from before name none; for them it is the fence in force now.
alter table project_fence add column base jsonb;
