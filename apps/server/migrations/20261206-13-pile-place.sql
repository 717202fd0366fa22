-- Where a pile stands in its site's plane, metres to the east and the north: drawn where it is known.
alter table pile add column x double precision check (x between -20000 and 20000);
alter table pile add column y double precision check (y between -20000 and 20000);
alter table pile add constraint pile_place check ((x is null) = (y is null));
