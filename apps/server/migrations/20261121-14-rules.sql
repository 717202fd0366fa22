-- What goes at once (level 1) leaves an empty group behind: what follows within half a minute is told together, and not at once.
alter table notice_group add column after_told boolean not null default false;
