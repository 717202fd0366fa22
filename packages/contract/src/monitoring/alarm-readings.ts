import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { instant, ofProject, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { epoch } from '../telemetry/model.ts'

/** The page of a machine's readings by family; `deviceId` and `period` are query parameters. */
export const readingPages: Readonly<Record<string, string>> = {
  towerCrane: '/tower/monitoringRecord',
  lifter: '/equipment/monitor',
}
/** Longest period of readings attached to an alarm, days. */
export const attachedDays = 31
export const mostAttached = 20

export const alarmReading = z.object({
  id: z.string(),
  projectCode: z.string(),
  alarmId: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  family: z.string(),
  from: epoch,
  to: epoch,
  note: z.string(),
  byName: z.string(),
})
export const listAlarmReadings = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/alarmReading',
  summary: '告警附带的监测记录',
  needs: ['alarm.view', 'tower-crane.view', 'lifter.view'],
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, alarmId: ref('alarm') }),
  response: paged(alarmReading),
})
export const attachReadings = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/alarmReading',
  summary: '监测记录附到告警',
  needs: 'alarm.handle',
  query: ofProject,
  body: z.object({
    alarmId: ref('alarm'),
    deviceId: ref('device'),
    from: instant,
    to: instant,
    note: text(200, '说明').default(''),
  }),
  response: z.object({ id: z.string() }),
})
export const detachReadings = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/alarmReading/:id',
  summary: '从告警取下监测记录',
  needs: 'alarm.handle',
  params: z.object({ id: ref('alarmReading') }),
  query: ofProject,
})
