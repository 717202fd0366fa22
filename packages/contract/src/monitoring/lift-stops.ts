import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, ofProject, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { epoch } from '../telemetry/model.ts'

/** Alarms after which a lift is not driven on before it was looked over. */
export const stoppingAlarms: readonly string[] = ['overload', 'speedAlarm', 'doorOpenRunning', 'safetyDevice', 'windDanger']

export const liftStop = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  alarmId: z.string().nullable(),
  alarmLabel: z.string().nullable(),
  stoppedAt: epoch,
  reason: z.string(),
  byName: z.string(),
  /** Of the inspection it was given back on; null while it stands. */
  checkedOn: z.string().nullable(),
  personName: z.string().nullable(),
  unitName: z.string(),
  finding: z.string().nullable(),
  files: z.array(z.string()),
  resumedAt: epoch.nullable(),
  resumedBy: z.string().nullable(),
})
export type LiftStop = z.infer<typeof liftStop>

/** A lift that is out of use now: what is still missing before it may be driven again, and whether it was driven all the same. */
export const standingStop = liftStop
  .pick({ id: true, alarmId: true, alarmLabel: true, stoppedAt: true, reason: true, byName: true })
  .extend({
    missing: z.array(z.string()),
    runsSince: z.number().int(),
  })
export type StandingStop = z.infer<typeof standingStop>

export const listLiftStops = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/liftStop',
  summary: '升降机停用记录',
  needs: 'lifter.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional() }),
  response: paged(liftStop),
})
/** Out of use from now on. Whoever may deal with its alarms may stop it; that is the safe side. */
export const stopLift = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/liftStop',
  summary: '停用升降机',
  needs: ['alarm.handle', 'device-admin.edit'],
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    alarmId: nullable(ref('alarm')),
    reason: text(200, '停用原因').min(2, '请填写停用原因（至少 2 个字）'),
  }),
  response: z.object({ id: z.string() }),
})
const mostFiles = 6
/** Given back after an inspection it passed, and only where nothing else stands against it. */
export const resumeLift = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/liftStop/:id',
  summary: '恢复使用升降机',
  needs: 'device-admin.edit',
  params: z.object({ id: ref('liftStop') }),
  query: ofProject,
  body: z.object({
    checkedOn: day,
    personName: filled(50, '检查人'),
    unitName: text(100, '检查单位').default(''),
    finding: text(300, '检查结论').min(2, '请填写检查结论（至少 2 个字）'),
    files: z.array(text(400, '检查照片')).min(1, '请上传检查照片').max(mostFiles, `检查照片最多 ${mostFiles} 张`),
  }),
})
