import { sql } from 'kysely'
import { addDays } from '#kit/clock'
import { type Condition, condition } from '#kit/list'

/**
 * 设备在线率 is machines online divided by machines in use (enabled). Machines in review, disabled or dismantled count in neither. All pages
 * use these expressions, over `device d left join device_latest l`.
 */
export const machinesInUse = sql<number>`count(*) filter (where d.status = '1')::int`
export const machinesOnline = sql<number>`count(*) filter (where d.status = '1' and l.online)::int`

/** Days before the due date in which an item counts as due soon. */
export const dueSoonDays = 30

/** 30 日内到期 of due items `u`: not handled, due between today and then. Overdue items are counted separately. */
export const isDueSoon = (today: string, days = dueSoonDays): Condition =>
  condition(sql`(u.notice_state <> '2' and u.due_date between ${today}::date and ${addDays(today, days)}::date)`)

/** Devices `d` with an item that is due soon. */
export const hasDueSoon = (today: string): Condition =>
  condition(sql`exists (select 1 from device_due u where u.device_id = d.id and ${isDueSoon(today)})`)
