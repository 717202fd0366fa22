import { dayMs, hourMs, minuteMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { machineFor } from '@zhugong/simulator/machines'
import { idOf } from '@zhugong/simulator/random'
import type { StoredReading } from '#domains/telemetry/store'
import { apart, type Client } from './past-readings.ts'

/** Days of pit history. */
export const pitDays = 45

/** Days ago on which a kind of point was not surveyed: gaps for the page to show. */
const missedSurveys: Readonly<Record<string, readonly number[]>> = { surface: [12, 13], waterLevel: [5] }

/** Readings of a pit's points up to the last day: manual surveys in the morning, loggers in the afternoon. */
export function surveyed(city: City, device: Device, now: number): StoredReading[] {
  const order = storedOrder(device.family)
  const known = familyOf(device.family)
  if (!order || !known) return []
  const machine = machineFor(city, device, { purpose: 'past' })
  const midnight = startOfShanghaiDay(now)
  const out: StoredReading[] = []
  for (let back = pitDays; back >= 1; back--) {
    if (missedSurveys[String(device.params.pointType)]?.includes(back)) continue
    for (const [hour, source] of [
      [8, 'manual'],
      [15, undefined],
    ] as const) {
      const time = midnight - back * dayMs + hour * hourMs
      const data = time < Date.parse(device.installTime) || time > now - dayMs ? undefined : machine.telemetry(time)
      if (!data) continue
      const values = Object.fromEntries(Object.entries(data).filter(([key]) => known.metric(key)))
      const unknown = {
        pointCode: data.pointCode,
        pointType: data.pointType,
        source: source || undefined,
        ...machine.extra?.(time),
      }
      out.push(apart(device, order, time, values, unknown, time + (source ? 40 * minuteMs : 300)))
    }
  }
  return out
}

/** Excavation stages as shares of the pit's depth. */
const digs = [
  { back: 40, share: 0.33, note: '第一层土方，第 1 道支撑已安装' },
  { back: 24, share: 0.66, note: '第二层土方，第 2 道支撑已安装' },
  { back: 9, share: 0.88, note: '第三层土方，坑底以上预留 300 mm 人工清底' },
]
export async function writeStages(client: Client, city: City, now: number): Promise<void> {
  const pits = new Map(
    city.devices.filter((d) => d.family === 'foundationPit' && d.behaviour === 'normal').map((d) => [`${d.projectCode} ${d.place}`, d]),
  )
  for (const device of pits.values())
    for (const { back, share, note } of digs)
      await client.query(
        'insert into pit_stage (id, project_code, pit_name, at, depth, note, create_by) values ($1, $2, $3, $4, $5, $6, $7)',
        [
          idOf(city.seed, 'pitStage', device.projectCode, String(back)),
          device.projectCode,
          device.place,
          new Date(now - back * dayMs),
          Math.round(Number(device.params.depth) * share * 10) / 10,
          note,
          '演示',
        ],
      )
}
