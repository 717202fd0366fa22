import { z } from 'zod'
import { patrolFields, patrolMoves } from '../checks/patrol-moves.ts'
import { mostProblems, problemInput } from '../checks/problems.ts'
import { filled, nullable, ref, text } from '../kit/fields.ts'
import { itemResults } from '../scoring/score.ts'

export const mostPoints = 60
export const mostPointItems = 20
export const mostPointPhotos = 4

const itemInput = z.object({
  itemCode: filled(32, '检查项'),
  result: z.enum(itemResults, { error: '检查结果不正确' }),
  deduction: z.number({ error: '扣分应为数字' }).min(0, '扣分不能为负').max(100, '扣分过大').multipleOf(0.1, '扣分最多一位小数').default(0),
  note: nullable(text(300, '说明')),
})
export type CivilItemInput = z.output<typeof itemInput>
const pointInput = z.object({
  pointId: ref('civilPoint'),
  /** Why the point was not walked; null: it was. */
  skipped: nullable(text(100, '跳过原因')),
  note: nullable(text(300, '说明')),
  photos: z.array(text(400, '照片')).max(mostPointPhotos, `每个点位照片最多 ${mostPointPhotos} 张`).default([]),
  items: z.array(itemInput).max(mostPointItems, `每个点位最多 ${mostPointItems} 项`).default([]),
})
export type CivilPointInput = z.output<typeof pointInput>

const { checkTime, checkers, remark } = patrolFields
export const civilFields = {
  checkTime,
  checkers,
  remark,
  points: z.array(pointInput).min(1, '至少走一个点位').max(mostPoints, `点位最多 ${mostPoints} 个`),
  /** Of each item that does not fit, at the place of its point. */
  problems: z.array(problemInput.extend({ itemCode: filled(32, '检查项') })).max(mostProblems, `一次检查最多 ${mostProblems} 个问题`),
}
export const civilMoves = patrolMoves(civilFields)
