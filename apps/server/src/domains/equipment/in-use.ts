import { sql } from 'kysely'
import { addDays } from '#kit/clock'
import { type Condition, condition } from '#kit/list'

/**
 * 设备在线率 is machines online out of machines in use (enabled): one that waits for its review, is switched off or was taken down counts in
 * neither. Everything that shows the figure counts with these, over `device d left join device_latest l`.
 */
export const machinesInUse = sql<number>`count(*) filter (where d.status = '1')::int`
export const machinesOnline = sql<number>`count(*) filter (where d.status = '1' and l.online)::int`

/** Days in which something is due soon. */
export const dueSoonDays = 30

/** 30 日内到期 of due items `u`: not handled, due between today and then; what is overdue is counted by itself. */
export const isDueSoon = (today: string, days = dueSoonDays): Condition =>
  condition(sql`(u.notice_state <> '2' and u.due_date between ${today}::date and ${addDays(today, days)}::date)`)

/** The same of devices `d`: those with such an item. */
export const hasDueSoon = (today: string): Condition =>
  condition(sql`exists (select 1 from device_due u where u.device_id = d.id and ${isDueSoon(today)})`)
