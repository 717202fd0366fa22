import { z } from 'zod'
import { day, filled, instant, nullable, pointsTo, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'

/** States of a record sheet (dictionary manualSheetState). */
export const sheetStates = { draft: '0', signing: '1', signed: '2', archived: '3', void: '4' } as const
export type SheetState = (typeof sheetStates)[keyof typeof sheetStates]

/** Documents (dictionary superviseDocType) that are written by hand; the others are issued by a check, a notice or a decision. */
export const sheetTypes = ['102', '105', '106', '208', '304', '305', '306'] as const
export type SheetType = (typeof sheetTypes)[number]

/** What the listed persons are called, by the document; a document without an entry lists none. */
export const personTitles: Partial<Record<SheetType, string>> = { 102: '交底参加人', 208: '被约谈人', 305: '验收组成员' }
/** Documents that name a time and a place. */
export const meetings: readonly string[] = ['208']
/** Documents that carry the seal of the institution. */
export const sealed: readonly string[] = ['208', '306']

/** Dictionary checkResult. */
export const opinions = { fine: '1', mended: '2', rectify: '3', stop: '4' } as const
/** Opinions that ask for a notice before the sheet is filed. */
export const asksNotice: readonly string[] = [opinions.rectify, opinions.stop]

export const leastOfficers = 2
export const mostOfficers = 6
export const leastContent = 20
export const mostSheetProblems = 30
export const mostProblemPhotos = 9
export const mostSheetPhotos = 30
export const mostScans = 20
export const mostPersons = 12

const photos = (max: number, label: string) => z.array(text(400, label)).max(max, `${label}最多 ${max} 张`).default([])

const problem = z.object({
  description: filled(500, '问题描述'),
  clause: nullable(text(200, '依据条款')),
  /** Unit responsible for it. */
  corpCode: nullable(pointsTo('corporation', text(64, '责任单位'))),
  photos: photos(mostProblemPhotos, '问题照片'),
})
const person = z.object({ name: filled(50, '姓名'), unit: nullable(text(100, '单位')), post: nullable(text(50, '职务')) })

/** What the officers write. A draft may lack anything but its type; what the type requires is checked when it is submitted. */
export const sheetFields = {
  docType: z.enum(sheetTypes, { error: '请选择文书类型' }),
  checkDate: nullable(day),
  /** Names of officers of the caller's institution. */
  officers: z
    .array(text(50, '监督人员'))
    .max(mostOfficers, `监督人员最多 ${mostOfficers} 名`)
    .refine((names) => new Set(names).size === names.length, '同一监督人员只列一次')
    .default([]),
  progress: nullable(text(4, '形象进度')),
  checkPart: text(200, '检查部位').default(''),
  content: text(4000, '检查情况').default(''),
  problems: z.array(problem).max(mostSheetProblems, `问题最多 ${mostSheetProblems} 条`).default([]),
  opinion: nullable(text(4, '处理意见')),
  photos: photos(mostSheetPhotos, '现场照片'),
  /** Written on paper on site and entered afterwards: the scan carries the signatures. */
  onPaper: z.boolean().default(false),
  scans: photos(mostScans, '原件扫描'),
  meetTime: nullable(instant),
  meetPlace: nullable(text(100, '地点')),
  persons: z.array(person).max(mostPersons, `人员最多 ${mostPersons} 名`).default([]),
}

const edits = 'supervision.sheetEdit'
const voids = 'supervision.sheetVoid'

/** Transitions of a record sheet. `author`: the institution that wrote it. */
export const sheetMoves = {
  save: { label: '保存草稿', from: ['0'], to: null, needs: edits, acts: 'site', turn: 'author', asks: sheetFields, unlogged: true },
  // A sheet that was signed on paper is signed at once.
  submit: { label: '提交', from: ['0'], to: ['1', '2'], needs: edits, acts: 'site', turn: 'author', asks: {} },
  urge: { label: '催签', from: ['1'], to: null, needs: edits, acts: 'site', turn: 'author', asks: {} },
  archive: { label: '归档', from: ['2'], to: '3', needs: edits, acts: 'site', turn: 'author', asks: {} },
  void: {
    label: '作废',
    from: ['0', '1'],
    to: '4',
    needs: voids,
    acts: 'site',
    turn: 'author',
    asks: { opinion: text(500, '作废原因').min(5, '作废原因至少 5 个字') },
  },
} as const satisfies Record<string, Move<SheetState>>
export type SheetAction = keyof typeof sheetMoves
