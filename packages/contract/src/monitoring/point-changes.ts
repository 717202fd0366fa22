import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, ofProject, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { epoch } from '../telemetry/model.ts'

export const pointChangeKinds = { damaged: '标记损坏', replaced: '更换接续', zeroed: '归零' } as const
export type PointChangeKind = keyof typeof pointChangeKinds

export const pointChange = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  pointCode: z.string(),
  kind: z.enum(Object.keys(pointChangeKinds) as [PointChangeKind]),
  at: epoch,
  reason: z.string(),
  /** Value at the change; for a replaced instrument the value carried forward. */
  value: z.number().nullable(),
  /** Initial value of the new instrument. */
  initial: z.number().nullable(),
  files: z.array(z.string()),
  byName: z.string(),
})
export type PointChange = z.infer<typeof pointChange>

const mostFiles = 6
const most = 1_000_000
const within = (label: string) =>
  nullable(
    z.coerce
      .number({ error: `${label}应为数字` })
      .min(-most, `${label}应在 ±${most} 之间`)
      .max(most, `${label}应在 ±${most} 之间`),
  )
export const listPitPointChanges = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pitPoint',
  summary: '基坑测点损坏与更换记录',
  needs: 'foundation-pit.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional(), pointCode: text(64).optional() }),
  response: paged(pointChange),
})
/** Effective from now: a damaged point is excluded from figures and rules; a new instrument continues from the displacement so far. */
export const changePitPoint = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pitPoint',
  summary: '登记基坑测点损坏或更换',
  needs: 'foundation-pit.point',
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    pointCode: filled(64, '测点'),
    kind: z.enum(['damaged', 'replaced'], { error: '请选择损坏或更换' }),
    reason: text(200, '原因').min(2, '请填写原因（至少 2 个字）'),
    initial: within('新测点初始值'),
    /** Value carried forward; default: the last good value. */
    carried: within('接续累计值'),
    files: z.array(text(400, '照片')).max(mostFiles, `照片最多 ${mostFiles} 张`).default([]),
  }),
  response: z.object({ id: z.string() }),
})

export const listPointZeros = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/formworkZero',
  summary: '高支模测点归零记录',
  needs: 'high-formwork.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional(), bayName: text(60).optional() }),
  response: paged(pointChange),
})
/** A reading older than this does not show the current state of a point. */
export const zeroReadingMs = 10 * 60_000
/** Sets the zero of all points of a bay before concreting: settlement, displacement and tilt, never a force. */
export const zeroBay = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/formworkZero',
  summary: '高支模测点归零',
  needs: 'high-formwork.point',
  query: ofProject,
  body: z.object({ bayName: filled(60, '浇筑部位'), reason: text(200, '说明').default('') }),
  /** `missing`: points without a recent reading, which keep their old zero. */
  response: z.object({ zeroed: z.array(z.string()), missing: z.array(z.string()) }),
})
