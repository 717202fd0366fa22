import { z } from 'zod'
import { filled, text } from '../kit/fields.ts'

/** Places made at once: a tower of 50 floors with 30 rooms each has 1,550. */
export const mostAtOnce = 2_000
const mostUnits = 10
const mostRooms = 60
const floor = z.coerce.number({ error: '楼层应为数字' }).int('楼层为整数').min(-10, '楼层 -10 至 200').max(200, '楼层 -10 至 200')

/** Floors of a building, each with the same rooms. `{层}` stands for the number of the floor, `{序}` for that of the room in two digits. */
export const seriesFields = {
  /** Names of units (单元), each with all floors; none: the floors stand in the building itself. */
  units: z.array(filled(20, '单元')).max(mostUnits, `单元最多 ${mostUnits} 个`).default([]),
  /** Floors below ground are negative; there is no floor 0. */
  from: floor,
  to: floor,
  floorName: filled(20, '楼层名称').default('{层}层'),
  rooms: z.coerce.number({ error: '房间数应为数字' }).int('房间数为整数').min(0, '房间数 0-60').max(mostRooms, `房间数 0-${mostRooms}`),
  roomName: text(30, '房间名称').default('{层}{序}'),
}
const series = z.object(seriesFields)
export type PlaceSeries = z.output<typeof series>

export interface PlannedFloor {
  /** Null: the floor stands in the building itself. */
  unit: string | null
  name: string
  rooms: string[]
}

/** The floors and rooms of a series, in their order; a floor below ground is named 地下 N 层. Rooms are made above ground only. */
export function plannedFloors({ units, from, to, floorName, rooms, roomName }: PlaceSeries): PlannedFloor[] {
  const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).filter((n) => n !== 0)
  return (units.length > 0 ? units : [null]).flatMap((unit) =>
    numbers.map((n) => ({
      unit,
      name: n < 0 ? `地下${-n}层` : named(floorName, n, 0),
      rooms: n < 0 ? [] : Array.from({ length: rooms }, (_, i) => named(roomName, n, i + 1)),
    })),
  )
}

const named = (pattern: string, floorNo: number, room: number): string =>
  pattern.replaceAll('{层}', String(floorNo)).replaceAll('{序}', String(room).padStart(2, '0'))

/** How many places a series makes. */
export const sizeOf = (floors: readonly PlannedFloor[]): number =>
  new Set(floors.flatMap((one) => one.unit ?? [])).size + floors.reduce((sum, one) => sum + 1 + one.rooms.length, 0)

/** What is wrong with a series; undefined: nothing. */
export function seriesFault(given: PlaceSeries): { field: keyof PlaceSeries; message: string } | undefined {
  if (given.to < given.from) return { field: 'to', message: '止层不能低于起层' }
  if (given.to > given.from && !given.floorName.includes('{层}')) return { field: 'floorName', message: '楼层名称须含 {层}，否则各层重名' }
  if (given.rooms > 1 && !given.roomName.includes('{序}')) return { field: 'roomName', message: '房间名称须含 {序}，否则同层重名' }
  if (given.rooms > 0 && given.roomName === '') return { field: 'roomName', message: '请填写房间名称' }
  if (new Set(given.units).size < given.units.length) return { field: 'units', message: '单元不能重名' }
  const size = sizeOf(plannedFloors(given))
  return size > mostAtOnce ? { field: 'rooms', message: `一次最多生成 ${mostAtOnce} 个部位，现为 ${size} 个` } : undefined
}
