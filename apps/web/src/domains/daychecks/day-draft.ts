import type { DayCheckDetail, DayCheckUnit } from '@zhugong/contract/daychecks/calls'
import type { DayProblem } from '@zhugong/contract/daychecks/moves'
import { itemResults } from '@zhugong/contract/scoring/score'
import { type Found, foundOf } from '../scoring/public.tsx'

/** What was changed in one unit on this device and is not on the server yet. */
export interface UnitDraft {
  /** By sheet and item. */
  items: Readonly<Record<string, Readonly<Record<string, Found>>>>
  /** Sheets that do not apply, or apply again (null). */
  notApplicable: Readonly<Record<string, string | null>>
  /** Sent, waiting for the network: until the server has counted the unit up to this version. */
  waiting: { upTo: number; items: UnitDraft['items']; notApplicable: UnitDraft['notApplicable']; done: boolean } | null
}
export const emptyUnit: UnitDraft = { items: {}, notApplicable: {}, waiting: null }
export const unitKey = (unitId: string): string => `daycheck unit ${unitId}`

/** What of it still waits, given what the server has. */
export const stillWaiting = (unit: Pick<DayCheckUnit, 'version'>, draft: UnitDraft): UnitDraft['waiting'] =>
  draft.waiting && unit.version < draft.waiting.upTo ? draft.waiting : null

/** A unit as it stands on this device. */
export function withDraft(unit: DayCheckUnit, draft: UnitDraft): DayCheckUnit {
  const waiting = stillWaiting(unit, draft)
  const sheets = unit.sheets.map((sheet) => {
    const own = { ...waiting?.notApplicable, ...draft.notApplicable }
    const given = sheet.id in own ? (own[sheet.id] ?? null) : sheet.notApplicable
    const items = sheet.items.map((item) => ({
      ...item,
      ...waiting?.items[sheet.id]?.[item.itemCode],
      ...draft.items[sheet.id]?.[item.itemCode],
    }))
    return { ...sheet, notApplicable: given, items }
  })
  const all = sheets.flatMap((sheet) => (sheet.notApplicable === null ? sheet.items : []))
  return {
    ...unit,
    sheets,
    judged: all.filter((one) => one.result !== itemResults.unchecked).length,
    items: all.length,
    wrong: all.filter((one) => one.result === itemResults.wrong).length,
    done: waiting ? waiting.done : unit.done,
  }
}

/** Can be saved: a failed item has points and a photo or words, one that does not apply has a reason. */
export const isWhole = ({ result, deduction, reason, note, photos }: Found, maxScore: number): boolean =>
  result === itemResults.wrong
    ? (deduction > 0 || maxScore === 0) && (photos.length > 0 || Boolean(note?.trim()))
    : result === itemResults.notApplicable
      ? Boolean(reason?.trim())
      : true

export { foundOf }

/** The check as a whole on this device: what is written in the last step. */
export interface CheckDraft {
  /** Arrived, and the check-in waits for the network. */
  arrived: boolean
  progress: string | null
  conclusion: string | null
  summary: string | null
  problems: readonly DayProblem[]
  signatures: Readonly<Record<string, { id: string; name: string | null; image: string }>>
}
export const checkDraftOf = (file: DayCheckDetail): CheckDraft => ({
  arrived: false,
  progress: file.progress,
  conclusion: file.conclusion,
  summary: file.summary,
  problems: file.problems.map(
    ({ id: _id, seq: _seq, dangerLevelName: _level, corpName: _corp, notice: _notice, placeName: _place, placeId, pin, ...one }) => ({
      ...one,
      placeId,
      pin,
    }),
  ),
  signatures: {},
})
export const checkKey = (id: string): string => `daycheck ${id}`
