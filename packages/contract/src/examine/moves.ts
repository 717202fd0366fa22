import { z } from 'zod'
import { patrolFields, patrolMoves } from '../checks/patrol-moves.ts'
import { mostProblems, problemInput } from '../checks/problems.ts'
import { filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import type { RectifyState } from '../rectify/moves.ts'
import { mostSheets, resultInput, submittedStates } from '../scoring/moves.ts'
import { roundCodes } from './rhythm.ts'

export const mostSheetItems = 100
export const mostUnits = 20

const sheetInput = z.object({
  /** A sheet of the library (dictionary safetyCheckItem). */
  sheetCode: filled(8, '检查表'),
  /** Which machine or place, where one kind of sheet is used several times. */
  label: text(30, '对象').default(''),
  /** Why the whole sheet does not apply; null: it does. */
  notApplicable: nullable(text(100, '不涉及原因')),
  items: z.array(resultInput).max(mostSheetItems, '检查项过多').default([]),
})
export type ExamineSheetInput = z.output<typeof sheetInput>

/** Of an item that lost points; it becomes a line of the notice to the company. */
export const examineProblem = problemInput.extend({ itemCode: filled(32, '检查项') })
const problems = z.array(examineProblem).max(mostProblems, `一次检查最多 ${mostProblems} 个问题`)

const { checkTime, checkers, part, remark } = patrolFields
export const examineFields = {
  round: z.enum(roundCodes, { error: '请选择检查形式' }),
  checkTime,
  checkers,
  part,
  remark,
  /** 受检单位. */
  corpCodes: z.array(ref('corporation')).max(mostUnits, `受检单位最多 ${mostUnits} 家`).default([]),
  sheets: z.array(sheetInput).min(1, '至少选择一张检查表').max(mostSheets, `检查表最多 ${mostSheets} 张`),
  problems,
}

/** The site checks itself; `checker`: the group that holds the check. */
export const examineRights = { needs: 'safety-management.edit', acts: 'site', turn: 'checker' } as const

export const examineMoves = {
  ...patrolMoves(examineFields, examineRights),
  /** Problems found at a second look; the score stays. */
  supplement: {
    ...examineRights,
    label: '补充整改',
    from: submittedStates,
    to: submittedStates,
    asks: { problems: problems.min(1, '请填写要补充的问题') },
  },
  archive: { needs: 'safety-management.archive', acts: 'site', turn: 'checker', label: '归档', from: ['7'], to: null, asks: {} },
} as const satisfies Record<string, Move<RectifyState>>
export type ExamineAction = keyof typeof examineMoves
