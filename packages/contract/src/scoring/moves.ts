import { z } from 'zod'
import { problemInputs } from '../checks/problems.ts'
import { filled, instant, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { itemResults } from './score.ts'

/** 0: being scored, known to the checking side only; then the state of its least advanced notice (dictionary rectifyState). */
export type InspectionState = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7'
export const submittedStates = ['1', '2', '3', '4', '5', '6', '7'] as const satisfies readonly InspectionState[]
export const scoringState = '0' satisfies InspectionState
/** With a notice that is not closed. */
export const openStates: readonly InspectionState[] = ['1', '2', '3', '4', '5', '6']

/** The kinds of scored inspection (dictionary inspectType): 企业, 监理, 专项, 季度, 节前. */
export const inspectionTypes: readonly string[] = ['11', '13', '02', '04', '05']

export const mostCheckers = 5
export const leastCheckers = 2
export const mostSheets = 30
export const mostItemPhotos = 6
/** A deduction has at most one decimal. */
const tenth = 0.1

const person = filled(50, '姓名')
const sheetInput = z.object({
  /** Given for a sheet that the inspection has. */
  id: nullable(ref('checkSheet')),
  /** A sheet of the library. */
  sheetCode: filled(8, '检查表'),
  /** Which machine or place, where one kind of sheet is used several times. */
  label: text(30, '对象').default(''),
  assignee: nullable(text(50, '检查人')),
})
export type SheetInput = z.output<typeof sheetInput>

/** The task: who checks what. */
export const taskFields = {
  inspectType: z.string().refine((one) => inspectionTypes.includes(one), '检查类型不适用于安全巡检'),
  checkTime: instant,
  checkers: z.array(person).min(1, '请填写检查人').max(mostCheckers, `检查人最多 ${mostCheckers} 名`),
  part: filled(100, '检查范围'),
  remark: nullable(text(500, '备注')),
  sheets: z.array(sheetInput).min(1, '至少选择一张检查表').max(mostSheets, `检查表最多 ${mostSheets} 张`),
}

/** What was found at one item of a sheet. */
export const resultInput = z.object({
  itemCode: filled(32, '检查项'),
  result: z.enum(itemResults, { error: '检查结果不正确' }),
  /** Only for 不合格. */
  deduction: z
    .number({ error: '扣分应为数字' })
    .min(0, '扣分不能为负')
    .max(100, '扣分过大')
    .multipleOf(tenth, '扣分最多一位小数')
    .default(0),
  note: nullable(text(300, '问题')),
  photos: z.array(text(400, '照片')).max(mostItemPhotos, `照片最多 ${mostItemPhotos} 张`).default([]),
  /** Why the item does not apply. */
  reason: nullable(text(100, '不涉及原因')),
})
export type ResultInput = z.output<typeof resultInput>

const check = 'inspection.check'
const opinion = filled(500, '签字意见')

/**
 * Transitions of a scored inspection. `checker`: the group that holds it; `site`: the inspected side; `supervisor`: 监理 of the project.
 * Of `saveSheet` the version is that of the sheet, so that two people on two sheets do not meet.
 */
export const inspectionMoves = {
  save: { label: '保存分工', from: ['0'], to: null, needs: check, acts: 'review', turn: 'checker', asks: taskFields, unlogged: true },
  saveSheet: {
    label: '保存检查表',
    from: ['0'],
    to: null,
    needs: check,
    acts: 'review',
    turn: 'checker',
    asks: {
      sheetId: ref('checkSheet'),
      /** Why the whole sheet does not apply; null: it does. */
      notApplicable: nullable(text(100, '不涉及原因')),
      /** Only the items that changed. */
      items: z.array(resultInput).max(100, '检查项过多').default([]),
    },
    unlogged: true,
  },
  submit: { label: '提交', from: ['0'], to: ['1', '7'], needs: check, acts: 'review', turn: 'checker', asks: { problems: problemInputs } },
  sign: {
    label: '受检单位签字',
    from: submittedStates,
    to: null,
    needs: 'inspection.rectifySign',
    acts: 'site',
    turn: 'site',
    asks: { opinion },
  },
  signSupervisor: {
    label: '监理签字',
    from: submittedStates,
    to: null,
    needs: 'inspection.rectifyReview',
    acts: 'supervisor',
    turn: 'supervisor',
    asks: { opinion },
  },
} as const satisfies Record<string, Move<InspectionState>>
export type InspectionAction = keyof typeof inspectionMoves
