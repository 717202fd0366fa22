import { type LabourAlarmType, labourAlarmTypes } from '@zhugong/contract/labour-alarms/codes'
import { isQuiet } from '@zhugong/contract/notify/telling'
import { type Clock, formatInstant } from '#kit/clock'
import type { Database } from '#kit/db'
import { inTransaction } from '#kit/transaction'
import { thresholdsOf } from '../attendance/public.ts'
import { tellRoles } from '../notify/public.ts'

const level = 3

/** Notifies each site of its new alarms, in one message and outside its quiet hours. Returns the number of sites. */
export async function tellLabourAlarms({ pool, kysely }: Pick<Database, 'pool' | 'kysely'>, clock: Clock): Promise<number> {
  const now = clock.now()
  const { rows: sites } = await pool.query<{ code: string }>(
    `select distinct project_code as code from labor_alarm where told_at is null and active and state = '1' order by 1`,
  )
  let count = 0
  for (const { code } of sites) {
    const setting = await thresholdsOf(kysely, code, now)
    if (isQuiet(formatInstant(now).slice(11, 16), setting.quietFrom, setting.quietTo)) continue
    await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ type: LabourAlarmType; count: number; site: string }>(
        `with fresh as (update labor_alarm set told_at = $2 where project_code = $1 and told_at is null and active and state = '1' returning type)
         select f.type, count(*)::int as count, max(coalesce(p.short_name, p.name)) as site
         from fresh f join project p on p.project_code = $1 group by f.type order by f.type`,
        [code, new Date(now)],
      )
      const [first] = rows
      if (!first) return
      const sum = rows.reduce((all, r) => all + r.count, 0)
      const kinds = rows.map((r) => `${labourAlarmTypes[r.type]} ${r.count} 条`).join('、')
      await tellRoles(
        client,
        { projectCode: code, level, title: `人员预警 ${sum} 条`, text: `${first.site}：${kinds}`, link: '/alarmSet?tab=records&state=1' },
        { roles: setting.tellRoles, channels: setting.tellChannels },
        now,
      )
      count++
    })
  }
  return count
}
