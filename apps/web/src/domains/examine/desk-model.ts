import type { ExamineDetail } from '@zhugong/contract/examine/calls'
import { examineProblem } from '@zhugong/contract/examine/moves'
import { usualDays } from '@zhugong/contract/rectify/moves'
import type { InspectionSheet, SheetItem } from '@zhugong/contract/scoring/inspections'
import { itemResults, type ScoredSheet } from '@zhugong/contract/scoring/score'
import { inDays, type Problem } from '../checks/public.tsx'
import { type Found, foundOf } from '../scoring/public.tsx'
import type { Head } from './head-fields.tsx'

/** What was changed on this device and is not saved yet. */
export interface DeskDraft {
  head: Head
  /** By sheet and item. */
  found: Readonly<Record<string, Readonly<Record<string, Found>>>>
  /** By sheet: why it does not apply. */
  left: Readonly<Record<string, string | null>>
  /** By sheet and item: what differs from the proposed problem. */
  problems: Readonly<Record<string, Partial<Problem>>>
}

export function begin({ round, checkTime, checkers, part, remark, corps, sheets }: ExamineDetail): DeskDraft {
  const head: Head = {
    round,
    checkTime,
    checkers,
    part,
    remark,
    corpCodes: corps.map((one) => one.code),
    sheets: sheets.map(({ sheetCode, label }) => ({ sheetCode, label })),
  }
  return { head, found: {}, left: {}, problems: {} }
}

export const isWhole = ({ result, deduction, reason }: Found) =>
  result === itemResults.wrong ? deduction > 0 : result === itemResults.notApplicable ? Boolean(reason?.trim()) : true

/** A sheet as it stands on this device. */
export const withDraft = (sheet: InspectionSheet, { found, left }: DeskDraft): InspectionSheet => ({
  ...sheet,
  notApplicable: left[sheet.id] === undefined ? sheet.notApplicable : (left[sheet.id] ?? null),
  items: sheet.items.map((item) => ({ ...item, ...found[sheet.id]?.[item.itemCode] })),
})

export const scoredOf = ({ name, category, notApplicable, items }: InspectionSheet): ScoredSheet => ({
  name,
  category,
  notApplicable: notApplicable !== null,
  items,
})

export const isDone = ({ notApplicable, items }: InspectionSheet) =>
  notApplicable !== null || items.every((item) => item.result !== itemResults.unchecked && isWhole(foundOf(item)))

export interface Lost {
  key: string
  sheet: InspectionSheet
  item: SheetItem
}
/** The items that lost points: each becomes a problem. */
export const lostOf = (sheets: readonly InspectionSheet[]): Lost[] =>
  sheets.flatMap((sheet) =>
    sheet.notApplicable === null
      ? sheet.items
          .filter((item) => item.result === itemResults.wrong)
          .map((item) => ({ key: `${sheet.id}/${item.itemCode}`, sheet, item }))
      : [],
  )

/** The problem of a lost item: as it was saved, or as it is proposed, with what was typed since. */
export function problemOf(
  { key, sheet, item }: Lost,
  file: ExamineDetail,
  held: DeskDraft,
  corpCode: string,
): Problem & { itemCode: string } {
  const part = sheet.label || sheet.name
  const saved = file.problems.find((one) => one.itemCode === item.itemCode && one.part === part)
  const { description, requirement, dangerLevel, majorClause, person, deadline, mended } = saved ?? {
    description: item.note ?? '',
    requirement: `按“${item.name}”要求整改到位`,
    dangerLevel: '1',
    majorClause: null,
    person: null,
    deadline: inDays(usualDays[1] ?? 1),
    mended: null,
  }
  return {
    ...{ description, requirement, dangerLevel, majorClause, person, deadline, mended, part },
    clause: item.clause,
    placeId: null,
    pin: null,
    corpCode: saved?.corpCode ?? corpCode,
    photos: saved?.photos ?? item.photos,
    mendedPhotos: saved?.mendedPhotos ?? [],
    ...held.problems[key],
    itemCode: item.itemCode,
  }
}

/** What is sent. A saved draft leaves out what cannot be stored yet; it stays on the device. */
export function bodyOf(file: ExamineDetail, held: DeskDraft, problems: readonly (Problem & { itemCode: string })[], whole: boolean) {
  const sheets = file.sheets.map((sheet) => withDraft(sheet, held))
  return {
    ...held.head,
    sheets: held.head.sheets.map(({ sheetCode, label }) => {
      const own = sheets.find((one) => one.sheetCode === sheetCode && one.label === label)
      const items = (own?.items ?? []).filter((item) => item.result !== itemResults.unchecked && isWhole(foundOf(item)))
      return {
        sheetCode,
        label,
        notApplicable: own?.notApplicable ?? null,
        items: items.map(({ itemCode, result, deduction, note, photos, reason }) => ({
          itemCode,
          result,
          deduction,
          note,
          photos,
          reason,
        })),
      }
    }),
    problems: whole ? [...problems] : problems.filter((one) => examineProblem.safeParse(one).success),
  }
}
