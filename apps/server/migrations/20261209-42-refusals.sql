-- Who was refused for several reasons has a row for each, with its own count: the last reason does not hide the others.
alter table unregistered_device drop constraint unregistered_device_pkey, add primary key (identifier, reason);
