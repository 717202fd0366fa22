import { judgeArea, pointResults } from '@zhugong/contract/measuring/judge'
import type { MeasuredArea } from '@zhugong/contract/measuring/moves'
import type { MeasureTaskDetail, ShownArea, TaskItem } from '@zhugong/contract/measuring/tasks'

/** What the device knows of one area: as typed, before and after it is sent. */
export interface HeldArea {
  designValue: number | null
  values: (number | null)[]
  photos: Record<string, string[]>
  pin: { planId: string; x: number; y: number } | null
}
export interface EntryDraft {
  areas: Readonly<Record<string, HeldArea>>
  /** Keys of areas that have not been sent. */
  dirty: readonly string[]
  instrumentNo: string | null
  /** The version after 开始测量, where that still waits for the network. */
  started: number | null
  /** New values of failed points, by area. */
  retests: Readonly<Record<string, (number | null)[]>>
}

export const keyOf = (placeId: string, itemNo: number, areaNo: number): string => `${placeId} ${itemNo} ${areaNo}`

const heldOf = ({ designValue, points, planId, x, y }: ShownArea, pointCount: number): HeldArea => ({
  designValue,
  values: Array.from({ length: pointCount }, (_, i) => points.find((one) => one.pointNo === i + 1)?.value ?? null),
  photos: Object.fromEntries(points.filter((one) => one.photos.length > 0).map((one) => [String(one.pointNo), one.photos])),
  pin: planId !== null && x !== null && y !== null ? { planId, x, y } : null,
})

export function heldFrom(task: MeasureTaskDetail): EntryDraft {
  const countOf = new Map(task.items.map((one) => [one.no, one.pointCount]))
  return {
    areas: Object.fromEntries(
      task.areas.map((one) => [keyOf(one.placeId, one.itemNo, one.areaNo), heldOf(one, countOf.get(one.itemNo) ?? one.points.length)]),
    ),
    dirty: [],
    instrumentNo: task.instrumentNo,
    started: null,
    retests: {},
  }
}

export const emptyArea = (item: Pick<TaskItem, 'pointCount'>): HeldArea => ({
  designValue: null,
  values: Array.from({ length: item.pointCount }, () => null),
  photos: {},
  pin: null,
})

/** The areas to send, by their keys. */
export function areasToSend(held: EntryDraft): MeasuredArea[] {
  return held.dirty.flatMap((key) => {
    const area = held.areas[key]
    const [placeId = '', itemNo, areaNo] = key.split(' ')
    return area ? [{ placeId, itemNo: Number(itemNo), areaNo: Number(areaNo), ...area }] : []
  })
}

export interface Progress {
  measured: number
  total: number
  failed: number
  burst: number
  /** Burst points without a photograph. */
  bare: number
}

/** How far one place and item is, and how far all of it. */
export function progressOf(held: EntryDraft, placeIds: readonly string[], items: readonly TaskItem[]): Progress {
  const sum: Progress = { measured: 0, total: 0, failed: 0, burst: 0, bare: 0 }
  for (const placeId of placeIds)
    for (const item of items)
      for (let areaNo = 1; areaNo <= item.areaCount; areaNo++) {
        sum.total += item.pointCount
        const area = held.areas[keyOf(placeId, item.no, areaNo)]
        if (!area) continue
        sum.measured += area.values.filter((one) => one !== null).length
        const verdicts = judgeArea(item, area.designValue, area.values)
        sum.failed += verdicts.filter((one) => one?.result === pointResults.failed).length
        const bursts = verdicts.flatMap((one, i) => (one?.result === pointResults.burst ? [i + 1] : []))
        sum.burst += bursts.length
        const shown = bursts.filter((no) => area.photos[String(no)]?.length)
        sum.bare += item.isRange ? (bursts.length > 0 && shown.length === 0 ? 1 : 0) : bursts.length - shown.length
      }
  return sum
}
