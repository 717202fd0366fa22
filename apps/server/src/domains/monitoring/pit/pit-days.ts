import type { pitDay } from '@zhugong/contract/monitoring/pit/pit-live'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, startOfDay } from '#kit/clock'
import type { ListContext } from '../../exports/registry.ts'
import type { ReadingRow } from '../../readings/public.ts'
import type { DeviceRow } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'
import type { Period } from '../shared/period.ts'
import { faultless } from '../shared/point-changes.ts'
import { pitTypeName, pitTypeOf, pitUnit, pitValue, profileOf, ratePerDay, toPointReading } from '../shared/points.ts'
import { isManual, pitFamily, pitNameOf, shareOf } from './pit-of.ts'

export type PitDayRow = z.infer<typeof pitDay>

/** Fields of a device independent of the metric. */
const named = (device: DeviceRow) => ({
  deviceId: device.id,
  projectName: device.projectName,
  pitName: pitNameOf(device),
  control: numberOr(device.params.controlValue),
  controlRate: numberOr(device.params.controlRate),
})

/**
 * The last good reading per point and day, oldest day first; shared by curve, daily report and the list of missing readings. A day without a reading
 * is a row without a value.
 */
export async function pitDays(ctx: ListContext, devices: readonly DeviceRow[], period: Period): Promise<PitDayRow[]> {
  const byId = new Map(devices.map((d) => [d.id, d]))
  const from = startOfDay(formatDay(period.from))
  const { rows } = await sql<ReadingRow & { day: string; deviceId: string; ts: Date | null; of: string }>`
    select to_char(g, 'YYYY-MM-DD') as day, i.id as of, t.* from unnest(${devices.map((d) => d.id)}::text[]) i(id)
      cross join generate_series((${new Date(from)}::timestamptz at time zone 'Asia/Shanghai')::date,
        ((${new Date(period.to)}::timestamptz - interval '1 ms') at time zone 'Asia/Shanghai')::date, interval '1 day') g
      left join lateral (
        select distinct on (r.extra ->> 'pointCode') r.device_id, r.ts, r.seq, r.received_at, r.schema_ver, r.v, r.w, r.extra, r.quality, r.flag
        from telemetry r where r.device_id = i.id and r.ts >= g at time zone 'Asia/Shanghai' and r.ts < (g + interval '1 day') at time zone 'Asia/Shanghai'
          and r.flag <> 2 and ${faultless('r')} order by r.extra ->> 'pointCode', r.ts desc) t on true
    order by g, i.id`.execute(ctx.db)
  const before = new Map<string, { time: number; value: number | null }>()
  return rows.flatMap(({ day, of, ...row }): PitDayRow[] => {
    const device = byId.get(of)
    if (!device) return []
    if (row.ts === null) {
      const type = textOr(device.params.pointType) ?? 'surface'
      return [
        {
          ...named(device),
          pointCode: textOr(device.params.pointCode) ?? device.name,
          pointType: type,
          pointTypeName: pitTypeName(type),
          unit: pitUnit(type),
          day,
          time: null,
          value: null,
          change: null,
          ratePerDay: null,
          share: null,
          rateShare: null,
          manual: false,
          profile: [],
        },
      ]
    }
    const reading = toPointReading(pitFamily, row, device)
    const type = pitTypeOf(reading)
    const value = pitValue(type, reading.values)
    const key = `${of} ${reading.pointCode}`
    const last = before.get(key)
    const rate = ratePerDay({ time: reading.time, value }, last)
    before.set(key, { time: reading.time, value })
    const place = named(device)
    return [
      {
        ...place,
        pointCode: reading.pointCode,
        pointType: type,
        pointTypeName: pitTypeName(type),
        unit: pitUnit(type),
        day,
        time: reading.time,
        value,
        change: last && value !== null && last.value !== null ? Math.round((value - last.value) * 1000) / 1000 : null,
        ratePerDay: rate,
        share: shareOf(value, place.control),
        rateShare: shareOf(rate, place.controlRate),
        manual: isManual(reading),
        profile: profileOf(reading.values),
      },
    ]
  })
}
