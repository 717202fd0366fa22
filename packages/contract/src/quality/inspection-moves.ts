import { z } from 'zod'
import { patrolFields, patrolMoves } from '../checks/patrol-moves.ts'
import { mostProblems, problemInput } from '../checks/problems.ts'
import { filled, nullable, text } from '../kit/fields.ts'
import { itemResults } from '../scoring/score.ts'
import { dict } from '../settings/dict-field.ts'

export const mostItems = 40

/** 裂缝, 空鼓开裂, 空鼓脱落 in dictionary qualityProblem: their size is judged on a photograph with a scale. */
export const scaledProblems: readonly string[] = ['03', '09', '12']
/** One of the place, one close with the scale. */
export const scaledPhotos = 2

const itemInput = z.object({
  /** Dictionary qualityCheckItem. */
  itemCode: dict('qualityCheckItem', '检查项'),
  result: z.enum(itemResults, { error: '检查结果不正确' }),
  measured: nullable(text(60, '实测值')),
  /** Design value with tolerance. */
  standard: nullable(text(60, '设计值与允许偏差')),
  note: nullable(text(300, '说明')),
})
export type QualityItemInput = z.output<typeof itemInput>

export const qualityProblemInput = problemInput.extend({
  itemCode: filled(32, '检查项'),
  qualityProblem: dict('qualityProblem', '质量通病'),
  measured: nullable(text(60, '实测值')),
  standard: nullable(text(60, '设计值与允许偏差')),
})
export type QualityProblemInput = z.output<typeof qualityProblemInput>

export const qualityFields = {
  ...patrolFields,
  items: z.array(itemInput).min(1, '至少检查一项').max(mostItems, `一次检查最多 ${mostItems} 项`),
  problems: z.array(qualityProblemInput).max(mostProblems, `一次检查最多 ${mostProblems} 个问题`),
}
export const qualityMoves = patrolMoves(qualityFields)

/** What is wrong between the items and the problems of a check that is submitted: the field and the message; undefined: nothing. */
export function itemFault(
  items: readonly Pick<QualityItemInput, 'itemCode' | 'result'>[],
  problems: readonly { itemCode: string; qualityProblem: string; photos: readonly string[] }[],
): { field: string; message: string } | undefined {
  const seen = new Set<string>()
  for (const [at, { itemCode, result }] of items.entries()) {
    if (seen.has(itemCode)) return { field: `items.${at}.itemCode`, message: '检查项重复' }
    seen.add(itemCode)
    if (result === itemResults.unchecked) return { field: `items.${at}.result`, message: '还有检查项没有结果' }
    if (result === itemResults.wrong && !problems.some((one) => one.itemCode === itemCode))
      return { field: `items.${at}.result`, message: '不合格的检查项须写明问题' }
  }
  for (const [at, { itemCode, qualityProblem, photos }] of problems.entries()) {
    if (!items.some((one) => one.itemCode === itemCode && one.result === itemResults.wrong))
      return { field: `problems.${at}.itemCode`, message: '问题所属的检查项须在本次检查中判为不合格' }
    if (scaledProblems.includes(qualityProblem) && photos.length < scaledPhotos)
      return { field: `problems.${at}.photos`, message: `裂缝、空鼓须附全景和带标尺的近景照片，至少 ${scaledPhotos} 张` }
  }
  return undefined
}
