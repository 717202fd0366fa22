import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'

export const alarmSource = 'alarm'

/** A notice that comes from an alarm closes only when the reading agrees: while the machine still alarms, nobody can call it mended. */
export function registerAlarmSource(): void {
  registerNoticeSource(alarmSource, {
    title: '监测告警',
    page: (id) => `/alarm/record?alarmId=${id}`,
    projectOf: async (ctx, id) => {
      const where = allOf(...equals('a.id', id), ...inProjects('a.projectCode', projectsFor(ctx)))
      const { rows } = await sql<{ projectCode: string }>`select a.project_code from alarm a where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
    keepsOpen: async (ctx, notice) => {
      const { rows } = await sql<{ label: string; deviceName: string }>`select n.label, n.device_name from alarm a
        join alarm n on n.device_id = a.device_id and n.alarm_key = a.alarm_key and n.active and not n.simulated and not n.historical
        where a.id = ${notice.sourceId} limit 1`.execute(ctx.db)
      const [open] = rows
      return open && `${open.deviceName}的告警“${open.label}”尚未解除，读数恢复后才能闭合`
    },
  })
}
