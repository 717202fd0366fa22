import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, month, nullable, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'
import { settlement } from './meters.ts'

const metersView = 'meters.view'
const settle = 'meters.settle'

const kind = z.enum(['electric', 'water'], { error: '应为用电或用水' })
export type MeterKind = z.infer<typeof kind>
export const meterKindNames: Record<MeterKind, string> = { electric: '用电', water: '用水' }
export const meterUnits: Record<MeterKind, string> = { electric: 'kWh', water: 'm³' }

/** Highest plausible price, yuan per kWh or m³. */
const dearest = 100
const yuan = z.coerce
  .number({ error: '单价应为数字' })
  .positive('单价应大于 0')
  .max(dearest, `单价不应超过 ${dearest} 元`)
  .refine((n) => Math.abs(n * 10_000 - Math.round(n * 10_000)) < 1e-6, '单价最多四位小数')

const prices = z.object({ price: z.number(), peakPrice: z.number().nullable(), valleyPrice: z.number().nullable() })
export type MeterPrices = z.infer<typeof prices>

export const meterPrice = prices.extend({
  id: z.string(),
  projectCode: z.string(),
  kind,
  fromMonth: z.string(),
  createBy: z.string(),
  /** It applies to a settled month and can no longer be changed. */
  locked: z.boolean(),
})

const pricePath = '/api/v1/oa/process/meterPrice'
export const listMeterPrices = endpoint({
  method: 'GET',
  path: pricePath,
  summary: '水电单价',
  needs: metersView,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, kind: kind.optional() }),
  response: paged(meterPrice),
})
export const createMeterPrice = endpoint({
  method: 'POST',
  path: pricePath,
  summary: '新增水电单价',
  needs: 'meters.price',
  query: ofProject,
  body: z
    .object({ kind, fromMonth: month, price: yuan, peakPrice: nullable(yuan).default(null), valleyPrice: nullable(yuan).default(null) })
    .superRefine(({ kind: of, peakPrice, valleyPrice }, ctx) => {
      if ((peakPrice === null) !== (valleyPrice === null))
        ctx.addIssue({ code: 'custom', path: ['valleyPrice'], message: '峰价与谷价应同时填写' })
      if (of === 'water' && peakPrice !== null) ctx.addIssue({ code: 'custom', path: ['peakPrice'], message: '水价不分峰谷' })
    }),
  response: meterPrice,
})
export const removeMeterPrice = endpoint({
  method: 'DELETE',
  path: `${pricePath}/:id`,
  summary: '删除水电单价',
  needs: 'meters.price',
  params: z.object({ id: ref('meterPrice') }),
  query: ofProject,
})

export const sheetRow = settlement.omit({ projectCode: true, projectName: true, month: true, locked: true, amount: true }).extend({
  /** From the meter's own registers; null if it has none. */
  peakUsage: z.number().nullable(),
  valleyUsage: z.number().nullable(),
  amount: z.number().nullable(),
  /** Percent of consumption that is interpolated over missing readings. */
  estimatedShare: z.number(),
  /** Consumption of the previous month that arrived after that month was settled. */
  carried: z.number(),
})
export type SheetRow = z.infer<typeof sheetRow>

export const meterSheet = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  kind,
  month: z.string(),
  totalUsage: z.number(),
  lossPercent: z.number().nullable(),
  amount: z.number().nullable(),
  price: nullable(prices),
  rows: z.array(sheetRow),
  /** Why it cannot be settled; null if it can. */
  hindrance: z.string().nullable(),
})

export const signResults = { agreed: '确认', objected: '有异议' } as const
const signed = z.object({
  corpName: z.string(),
  signer: z.string(),
  result: z.enum(['agreed', 'objected']),
  remark: z.string(),
  by: z.string(),
  time: z.number(),
})
export const settledMonth = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  kind,
  month: z.string(),
  totalUsage: z.number(),
  lossPercent: z.number().nullable(),
  amount: z.number().nullable(),
  closeBy: z.string(),
  closeTime: z.number(),
  /** Number of units in the sheet, and of those that have signed. */
  corps: z.number().int(),
  signedCorps: z.number().int(),
  version: z.number().int(),
})
export const settledSheet = settledMonth.extend({ price: nullable(prices), rows: z.array(sheetRow), signed: z.array(signed) })

const path = '/api/v1/oa/process/meterSettle'
const one = z.object({ id: ref('meterMonth') })

/** A month as it would be settled now. */
export const draftSheet = endpoint({
  method: 'GET',
  path: '/api/v1/iot/electricMeter/sheet',
  summary: '水电结算单草稿',
  needs: metersView,
  query: z.object({ ...ofProject.shape, kind, month }),
  response: meterSheet,
})
export const listSettledMonths = endpoint({
  method: 'GET',
  path,
  summary: '水电月结列表',
  needs: metersView,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, kind: kind.optional() }),
  response: paged(settledMonth),
})
export const getSettledSheet = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '水电结算单',
  needs: metersView,
  params: one,
  query: ofProject,
  response: settledSheet,
})
/** Settles a finished month. `totalUsage` is the total the caller saw: if readings have arrived since, the call is refused. */
export const settleMonth = endpoint({
  method: 'POST',
  path,
  summary: '水电月结',
  needs: settle,
  query: ofProject,
  body: z.object({ kind, month, totalUsage: z.number({ error: '请先查看结算单' }) }),
  response: settledMonth,
})
/** A unit's statement about its lines, as signed on paper. */
export const signSheet = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '登记结算单签认',
  needs: settle,
  params: one,
  query: ofProject,
  body: z
    .object({
      corpName: filled(80, '使用单位'),
      signer: filled(30, '签认人'),
      result: z.enum(['agreed', 'objected'], { error: '请选择确认或有异议' }),
      remark: text(200, '说明').default(''),
      version: z.coerce.number().int(),
    })
    .superRefine(({ result, remark }, ctx) => {
      if (result === 'objected' && !remark) ctx.addIssue({ code: 'custom', path: ['remark'], message: '请写明异议' })
    }),
  response: settledSheet,
})
export const meterSheetFeature = 'meterSheet'
