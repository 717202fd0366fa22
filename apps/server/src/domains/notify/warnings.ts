import { inTransaction } from '#kit/transaction'
import type { NotifyDependencies } from './deps.ts'
import { spread, writeNotices } from './telling.ts'

/** Repeated attempts are reported once in this time. */
const againMs = 3_600_000
const perBatch = 50

const titles: Readonly<Record<string, string>> = {
  registration: '终端注册被拒绝，可能有人冒用',
  guessing: '有人在猜设备密码',
  checksum: '校验方式与设置不符',
}

interface Row {
  device_id: string
  kind: string
  project_code: string
  project_name: string
  device_name: string
  address: string
  text: string
  count: number
}

/** Notifies those responsible for a site's devices about refused attempts in a device's name and about settings that do not fit it. Returns the number of warnings. */
export function tellWarnings({ pool, now }: NotifyDependencies): Promise<number> {
  return inTransaction(pool, async (client) => {
    const at = now()
    const { rows } = await client.query<Row>(
      `select w.device_id, w.kind, w.project_code, coalesce(p.short_name, p.name) as project_name, d.name as device_name, w.address, w.text, w.count
       from device_warning w join device d on d.id = w.device_id join project p on p.project_code = w.project_code
       where w.told_time is null or (w.told_time < $1 and w.told_time < w.last_time)
       order by w.last_time limit ${perBatch} for update of w skip locked`,
      [new Date(at - againMs)],
    )
    for (const row of rows) {
      const title = `${row.device_name}：${titles[row.kind] ?? row.kind}`
      const notices = await spread(
        client,
        {
          projectCode: row.project_code,
          alarmIds: [],
          execId: null,
          kind: 'notify',
          step: 'warning',
          level: 2,
          title,
          text: `${row.project_name}：${row.device_name} ${row.text}（来自 ${row.address || '未知地址'}，共 ${row.count} 次）`,
          link: `/equipmentDetail/${row.device_id}`,
          simulated: false,
        },
        { roles: ['机械员', '安全员'], userIds: [], onDuty: false },
        ['1'],
        at,
      )
      await writeNotices(client, notices, at)
      await client.query('update device_warning set told_time = $3 where device_id = $1 and kind = $2', [
        row.device_id,
        row.kind,
        new Date(at),
      ])
    }
    return rows.length
  })
}
