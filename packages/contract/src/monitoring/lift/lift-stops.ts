import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { day, filled, nullable, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

/** Alarms after which a lift must be inspected before it runs again. */
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
  /** Date of the inspection after which it returned to use; null while it is out of use. */
  checkedOn: z.string().nullable(),
  personName: z.string().nullable(),
  unitName: z.string(),
  finding: z.string().nullable(),
  files: z.array(z.string()),
  resumedAt: epoch.nullable(),
  resumedBy: z.string().nullable(),
})
export type LiftStop = z.infer<typeof liftStop>

/** A lift that is out of use: what is missing before it may return to use, and whether it ran nevertheless. */
export const stateStop = liftStop.pick({ id: true, alarmId: true, alarmLabel: true, stoppedAt: true, reason: true, byName: true }).extend({
  missing: z.array(z.string()),
  runsSince: z.number().int(),
})
export type ActiveStop = z.infer<typeof stateStop>

export const listLiftStops = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/liftStop',
  summary: '升降机停用记录',
  needs: 'lifter.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional() }),
  response: paged(liftStop),
})
/** Takes a lift out of use. Everyone who may handle its alarms may do so, because that is the safe side. */
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
/** Returns a lift to use after a passed inspection, if nothing else prevents it. */
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
