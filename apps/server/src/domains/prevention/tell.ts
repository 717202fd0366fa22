import { tempLevelNames } from '@zhugong/contract/prevention/codes'
import type { Clock } from '#kit/clock'
import type { Database } from '#kit/db'
import { inTransaction } from '#kit/transaction'
import { tellRoles } from '../notify/public.ts'
import { settingFor } from './settings.ts'

/** A fever is sent immediately with a higher level, also at night. A raised level is sent again. */
const [feverLevel, warmLevel] = [2, 3]
const fever = '3'

/** Notifies each site of new temperature alarms. Returns the number of sites. */
export async function tellTempAlarms({ pool, kysely }: Pick<Database, 'pool' | 'kysely'>, clock: Clock): Promise<number> {
  const { rows: sites } = await pool.query<{ code: string }>(
    `select distinct project_code as code from temp_alarm where (told_level is null or told_level < level) and handle_state = '0' order by 1`,
  )
  for (const { code } of sites) {
    const setting = await settingFor(kysely, code)
    await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ level: string; count: number; site: string }>(
        `with fresh as (update temp_alarm set told_level = level where project_code = $1 and (told_level is null or told_level < level) and handle_state = '0'
           returning level)
         select f.level, count(*)::int as count, max(coalesce(p.short_name, p.name)) as site
         from fresh f join project p on p.project_code = $1 group by f.level order by f.level desc`,
        [code],
      )
      const [first] = rows
      if (!first) return
      const kinds = rows.map((r) => `${tempLevelNames[r.level] ?? r.level} ${r.count} 人`).join('、')
      const level = first.level === fever ? feverLevel : warmLevel
      await tellRoles(
        client,
        { projectCode: code, level, title: `体温预警：${kinds}`, text: `${first.site}：${kinds}，请复测`, link: '/tempAlarmRecord' },
        { roles: setting.tellRoles, channels: setting.tellChannels },
        clock.now(),
      )
    })
  }
  return sites.length
}
