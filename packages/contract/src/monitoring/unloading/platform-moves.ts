import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, instant, nullable, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

/** Tolerance of the zero point of an empty platform, t; beyond it the device must be zeroed first. */
export const zeroTolerance = 0.05
/** A reading older than this does not show the current load. */
export const zeroFreshMs = 10 * 60_000
/** After a move the empty weighing must be done within this time. */
export const zeroWithinMs = 2 * 3_600_000
/** A move may be entered this many days late. */
export const movePastDays = 30

export const platformMove = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  movedAt: epoch,
  fromPlace: z.string(),
  toPlace: z.string(),
  /** Who accepted the platform at its new place. */
  personName: z.string(),
  remark: z.string(),
  files: z.array(z.string()),
  byName: z.string(),
  zeroWeight: z.number().nullable(),
  zeroedAt: epoch.nullable(),
  zeroedBy: z.string().nullable(),
})
export type PlatformMove = z.infer<typeof platformMove>

export const listPlatformMoves = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/platformMove',
  summary: '卸料平台移位记录',
  needs: 'unloading.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional() }),
  response: paged(platformMove),
})
const mostFiles = 6
/** Records a move of the platform; photographs document the acceptance. */
export const addPlatformMove = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/platformMove',
  summary: '登记卸料平台移位',
  needs: 'unloading.move',
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    toPlace: filled(100, '新位置'),
    /** Default: now. */
    movedAt: nullable(instant),
    personName: filled(50, '验收人'),
    remark: text(300, '说明').default(''),
    files: z.array(text(400, '验收照片')).min(1, '请上传验收照片').max(mostFiles, `验收照片最多 ${mostFiles} 张`),
  }),
  response: z.object({ id: z.string() }),
})
/** Confirms that the platform is empty and its load cells show zero; stores the reading of that moment. */
export const zeroPlatform = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/platformMove/:id',
  summary: '卸料平台校零',
  needs: 'unloading.move',
  params: z.object({ id: ref('platformMove') }),
  query: ofProject,
  body: z.object({ empty: z.literal(true, { error: '请先确认平台上没有材料' }) }),
  response: z.object({ zeroWeight: z.number() }),
})
