import { z } from 'zod'
import { nullable } from '../kit/fields.ts'
import { dict } from '../settings/dict-field.ts'

/** How one category of materials is sampled and weighed. */
export interface MaterialRule {
  needRetest: boolean
  /** One set of samples for each begun quantity of this size; null: one set for each batch. */
  perQuantity: number | null
  /** Dictionary materialUnit, of `perQuantity`. */
  unit: string | null
  /** Deviation of the weighed from the delivered weight that is accepted, in thousandths. */
  tolerance: number
}

const usualTolerance = 20
const plain: MaterialRule = { needRetest: false, perQuantity: null, unit: null, tolerance: usualTolerance }
const [tonne, cubicMetre, squareMetre, piece] = ['1', '2', '3', '6'] as const
const retested = (perQuantity: number | null, unit: string | null, tolerance = usualTolerance): MaterialRule => ({
  needRetest: true,
  perQuantity,
  unit,
  tolerance,
})

/**
 * Usual rules by code of dictionary materialCategory: GB 1499.2 (60 t of one heat), GB 50204 (500 t of bulk cement, 400 m3 or 600 t of
 * aggregate), GB 50203 (10,000 blocks), GB 50208 and GB 50411 (areas). A site may set others.
 */
const usualRules: Readonly<Record<string, MaterialRule>> = {
  '01': retested(60, tonne, 3),
  '02': retested(500, tonne),
  '03': retested(600, tonne),
  '04': retested(100, cubicMetre),
  '05': retested(250, cubicMetre),
  '06': retested(10_000, piece),
  '07': retested(10_000, squareMetre),
  '08': retested(5_000, squareMetre),
  '11': retested(null, null),
}
export const usualRule = (category: string): MaterialRule => usualRules[category] ?? plain

/** Sets of samples that a batch of this quantity needs. A rule in another unit than the batch asks for one set. */
export function samplesDue(rule: MaterialRule, quantity: number, unit: string): number {
  if (!rule.needRetest) return 0
  if (rule.perQuantity === null || rule.unit !== unit) return 1
  return Math.max(1, Math.ceil(quantity / rule.perQuantity))
}

/** Weighed minus delivered weight, in thousandths of the delivered weight; null where either is unknown. */
export const deviationOf = (actual: number | null, bill: number | null): number | null =>
  actual === null || bill === null || bill <= 0 ? null : Math.round(((actual - bill) / bill) * 1000 * 100) / 100

/** Categories of which every batch has a number of its manufacturer. */
export const numberedCategories: readonly string[] = ['01', '02', '07', '11']
/** Units that a weighbridge measures. */
export const weighedUnits: readonly string[] = ['1', '8']

const mostTolerance = 200
export const materialRuleFields = {
  category: dict('materialCategory', '材料类别'),
  needRetest: z.boolean(),
  perQuantity: nullable(z.number().positive('取样批量应大于 0').max(1_000_000, '取样批量过大')),
  unit: nullable(dict('materialUnit', '单位')),
  tolerance: z
    .number()
    .int('偏差以千分之整数填写')
    .min(1, '允许偏差至少千分之 1')
    .max(mostTolerance, `允许偏差最多千分之 ${mostTolerance}`),
}
