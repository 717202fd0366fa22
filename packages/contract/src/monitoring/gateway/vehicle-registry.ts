import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { dayRange, day as dayText, filled, flag, nullable, ofProject, paged, pageQuery, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { plateField, plateSearch } from '../../kit/plate.ts'
import { epoch } from '../../telemetry/model.ts'

export const registryKinds = { known: '登记车辆', black: '黑名单' } as const
export type RegistryKind = keyof typeof registryKinds
const kind = z.enum(['known', 'black'], { error: '应为登记车辆或黑名单' })

const fields = z.object({
  kind,
  plateNo: plateField,
  vehicleType: nullable(z.enum(['1', '2', '3', '4', '9'], { error: '车型不正确' })),
  corpName: nullable(text(80, '运输单位')),
  permitNo: nullable(text(40, '准运证号')),
  untilDay: nullable(dayText),
  reason: nullable(text(200, '说明')),
})
const registryBody = fields.superRefine(({ kind, reason }, ctx) => {
  if (kind === 'black' && !reason) ctx.addIssue({ code: 'custom', path: ['reason'], message: '请填写列入黑名单的原因' })
})

export const registryRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  kind,
  plateNo: z.string(),
  vehicleType: z.string().nullable(),
  corpName: z.string().nullable(),
  permitNo: z.string().nullable(),
  untilDay: z.string().nullable(),
  reason: z.string().nullable(),
  /** Its last day has passed: the permit has expired or the ban is lifted. */
  ended: z.boolean(),
  /** Passages in the last thirty days. */
  passages: z.number().int(),
  lastTime: epoch.nullable(),
  createBy: z.string(),
  createTime: epoch,
  updateBy: z.string().nullable(),
  version: z.number().int(),
  mayChange: z.boolean(),
})
export type RegistryRow = z.infer<typeof registryRow>

const path = '/api/v1/oa/process/vehicleRegistry'
const one = z.object({ id: ref('vehicleRegistry') })
const registry = 'vehicle-access.registry'

export const listRegistry = endpoint({
  method: 'GET',
  path,
  summary: '登记与黑名单车辆列表',
  needs: 'vehicle-access.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    kind: kind.default('known'),
    plateNo: plateSearch.optional(),
    corpName: text(80).optional(),
    permitNo: text(40).optional(),
    vehicleType: several.optional(),
    untilDay: dayRange.optional(),
    ended: flag.optional(),
    sort: sortBy('plateNo', 'untilDay', 'lastTime', 'createTime'),
  }),
  response: paged(registryRow).extend({
    counts: z.object({ known: z.number().int(), black: z.number().int(), ended: z.number().int() }),
  }),
})
export const registryList = listOf(listRegistry, {
  feature: 'vehicleRegistry',
  columns: {
    plateNo: '车牌',
    projectName: '项目',
    vehicleType: '车型',
    corpName: '运输单位',
    permitNo: '准运证号',
    untilDay: '有效期至',
    ended: '状态',
    passages: '近 30 天通行',
    lastTime: '最近通行',
    reason: '说明',
    createBy: '登记人',
    createTime: '登记时间',
  },
})
export const addRegistered = endpoint({
  method: 'POST',
  path,
  summary: '登记车辆或列入黑名单',
  needs: registry,
  query: ofProject,
  body: registryBody,
  response: registryRow,
})
export const changeRegistered = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改登记或黑名单车辆',
  needs: registry,
  params: one,
  query: ofProject,
  body: registryBody.safeExtend({ version: z.coerce.number().int() }),
  response: registryRow,
})
/** Lifting a ban needs a reason; the audit log keeps both. */
export const removeRegistered = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '移出登记或黑名单',
  needs: registry,
  params: one,
  query: ofProject.extend({ reason: filled(200, '移出原因') }),
})
