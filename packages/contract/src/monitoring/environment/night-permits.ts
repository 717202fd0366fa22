import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, flag, instant, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

/** Longest period of a night permit. */
export const longestPermitDays = 31
/** A permit may be entered this many days after it was issued. */
export const permitPastDays = 60
const mostFiles = 6

export const nightPermit = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  permitNo: z.string(),
  issuer: z.string(),
  scope: z.string(),
  from: epoch,
  until: epoch,
  files: z.array(z.string()),
  byName: z.string(),
  createTime: epoch,
  /** In force now. */
  active: z.boolean(),
  voidReason: z.string().nullable(),
  voidBy: z.string().nullable(),
  voidAt: epoch.nullable(),
  /** Night noise alarms during the permit. */
  noisy: z.number().int(),
})
export type NightPermit = z.infer<typeof nightPermit>

const path = '/api/v1/oa/process/nightPermit'
export const listNightPermits = endpoint({
  method: 'GET',
  path,
  summary: '夜间施工许可',
  needs: 'environment.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, active: flag.optional() }),
  response: paged(nightPermit),
})
/** Kept as evidence: a permit does not suppress alarms. */
export const addNightPermit = endpoint({
  method: 'POST',
  path,
  summary: '登记夜间施工许可',
  needs: 'environment.maintain',
  query: ofProject,
  body: z.object({
    permitNo: filled(60, '许可编号'),
    issuer: filled(80, '发证机关'),
    scope: filled(200, '许可范围'),
    from: instant,
    until: instant,
    files: z.array(text(400, '许可文件')).min(1, '请上传许可文件').max(mostFiles, `文件最多 ${mostFiles} 个`),
  }),
  response: z.object({ id: z.string() }),
})
export const voidNightPermit = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '作废夜间施工许可',
  needs: 'environment.maintain',
  params: z.object({ id: ref('nightPermit') }),
  query: ofProject,
  body: z.object({ reason: filled(200, '作废原因') }),
})
