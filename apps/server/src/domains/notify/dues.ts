import { dueKinds } from '@zhugong/contract/equipment/codes'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { formatDay } from '#kit/clock'
import { inTransaction } from '#kit/transaction'
import type { NotifyDependencies } from './deps.ts'
import { spread, writeNotices } from './telling.ts'

/** Reminders are sent from this hour on. */
const fromHour = 8
const perBatch = 200
const delivered = [30, 7, 1]

interface Row {
  id: string
  project_code: string
  project_name: string
  device_id: string
  device_name: string
  kind: string
  due_date: string
  days: number[] | null
}

/**
 * Sends reminders of due dates on machines. The project's or general contractor's setting says how many days ahead; after the date,
 * once a week.
 */
export async function tellDues(deps: NotifyDependencies): Promise<void> {
  const now = deps.now()
  const today = formatDay(now)
  if (new Date(now + shanghaiOffsetMs).getUTCHours() < fromHour) return
  for (;;) {
    const result = await inTransaction(deps.pool, async (client) => {
      const { rows } = await client.query<Row>(
        `select u.id, u.project_code, coalesce(p.short_name, p.name) as project_name, u.device_id, d.name as device_name, u.kind, u.due_date::text, s.days
         from device_due u join device d on d.id = u.device_id and d.status = '1' join project p on p.project_code = u.project_code
         left join lateral (select days from due_setting s join tenant t on t.id = s.group_id
           where (t.type = 3 and t.code = u.project_code) or (t.type = 2 and t.code in (select corp_code from project_corp c where c.project_code = u.project_code and c.corp_type = '009' and c.exit_time is null))
           order by t.type desc limit 1) s on true
         where u.notice_state <> '2' and coalesce((u.noticed_at at time zone 'Asia/Shanghai')::date, '-infinity') < $1::date
           and (u.due_date - $1::date = any (coalesce(s.days, $2::int[])) or (u.due_date < $1::date and ($1::date - u.due_date) % 7 = 1))
         order by u.id limit ${perBatch} for update of u skip locked`,
        [today, delivered],
      )
      for (const row of rows) {
        const left = Math.round((Date.parse(row.due_date) - Date.parse(today)) / 86_400_000)
        const what = dueKinds[row.kind as keyof typeof dueKinds] ?? row.kind
        const when = left < 0 ? `已超期 ${-left} 天` : left === 0 ? '今天到期' : `${left} 天后到期`
        const notices = await spread(
          client,
          {
            projectCode: row.project_code,
            alarmIds: [],
            execId: null,
            kind: 'notify',
            step: 'due',
            level: 4,
            title: `${row.device_name}${what}${when}`,
            text: `${row.project_name}：${row.device_name}的${what}于 ${row.due_date} 到期，${when}`,
            link: `/administrationDetails?id=${row.device_id}`,
            simulated: false,
          },
          { roles: ['机械员', '安全员'], userIds: [], onDuty: false },
          left <= 7 ? ['1', '2'] : ['1'],
          now,
        )
        await writeNotices(client, notices, now)
        const names = [...new Set(notices.filter((n) => n.receiverId !== null).map((n) => n.receiverName))]
        await client.query(
          `update device_due set notice_state = case when $3 = '' then notice_state else '1' end, noticed_at = $2, noticed_to = nullif($3, '') where id = $1`,
          [row.id, new Date(now), names.join('、').slice(0, 200)],
        )
      }
      return rows.length
    })
    if (result < perBatch) return
  }
}
