import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, nullable, ofProject, paged, pageQuery, ref } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

/** Result of checking a doubtful weighing. */
export const weighOutcomes = { short: '短斤扣款', wrong: '误报', reweighed: '复磅' } as const
export type WeighOutcome = keyof typeof weighOutcomes
/** A load can be weighed again within this time. */
export const reweighWithinHours = 24
/** Highest plausible price, yuan per tonne. */
const dearest = 100_000

const weighCheck = z.object({
  id: z.string(),
  outcome: z.enum(['short', 'wrong', 'reweighed']),
  shortWeight: z.number().nullable(),
  unitPrice: z.number().nullable(),
  /** Deduction in yuan. */
  amount: z.number().nullable(),
  againId: z.string().nullable(),
  againWeight: z.number().nullable(),
  reason: z.string(),
  byName: z.string(),
  time: epoch,
})
export type WeighCheck = z.infer<typeof weighCheck>

const path = '/api/v1/oa/process/weighCheck'
/** Checks of one ticket, newest first. */
export const listWeighChecks = endpoint({
  method: 'GET',
  path,
  summary: '磅单核实记录',
  needs: 'weighbridge.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, ticketId: ref('deviceRecord') }),
  response: paged(weighCheck),
})
export const checkTicket = endpoint({
  method: 'POST',
  path,
  summary: '核实磅单',
  needs: 'weighbridge.edit',
  query: ofProject,
  body: z
    .object({
      ticketId: ref('deviceRecord'),
      outcome: z.enum(['short', 'wrong', 'reweighed'], { error: '请选择核实结果' }),
      unitPrice: nullable(
        z.coerce
          .number({ error: '单价应为数字' })
          .positive('单价应大于 0')
          .max(dearest, `单价不应超过 ${dearest} 元`)
          .refine((n) => Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, '单价最多两位小数'),
      ).default(null),
      againId: nullable(ref('deviceRecord')).default(null),
      reason: filled(200, '核实说明'),
    })
    .superRefine(({ outcome, unitPrice, againId }, ctx) => {
      if (outcome === 'short' && unitPrice === null)
        ctx.addIssue({ code: 'custom', path: ['unitPrice'], message: '请填写单价，用于折合扣款金额' })
      if (outcome === 'reweighed' && againId === null) ctx.addIssue({ code: 'custom', path: ['againId'], message: '请选择复磅的磅单' })
    }),
  response: weighCheck,
})
