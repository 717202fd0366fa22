import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { machineFor } from '@zhugong/simulator/machines'
import { idOf } from '@zhugong/simulator/random'
import type { StoredReading } from '#domains/telemetry/store'
import { apart, type Client } from './past-readings.ts'

const pourDays = 36
const everyDays = 3
const pourMs = 2.5 * hourMs
/** A pour that exceeded the design force: pump stopped, evacuated, resumed after the check. */
export const stoppedPour = 8
const stoppedFactor = 1.55
/** Start of each pour of the last weeks, every third day in the morning, oldest first. */
export function poursBefore(now: number): number[] {
  const morning = Math.floor(now / dayMs) * dayMs
  return Array.from({ length: Math.floor(pourDays / everyDays) }, (_, i) => morning - (pourDays - i * everyDays) * dayMs)
}

/** Writes the registered steps of those pours. */
export async function writePours(client: Client, city: City, now: number): Promise<void> {
  const bays = new Map(city.devices.filter((d) => d.family === 'highFormwork').map((d) => [`${d.projectCode} ${d.place}`, d]))
  for (const device of bays.values())
    for (const [no, start] of poursBefore(now).entries()) {
      const steps: [string, number, number | null, string | null][] = [
        ['start', 0, 0, '方案、交底、验收、测点归零、通信测试、警戒人员均已确认'],
        ['layer', 50, 62, '第一层'],
        ...(no === stoppedPour
          ? ([
              ['stop', 96, 88, 'GZ-01 轴力达到设计值'],
              ['evacuated', 96 + 70 / 60, 88, '现场 12 人全部撤离'],
              ['resume', 128, 88, '增设立杆、调整布料位置后，总监同意恢复'],
            ] as [string, number, number, string][])
          : []),
        ['end', 150, 140, null],
      ]
      for (const [i, [kind, minute, volume, note]] of steps.entries())
        await client.query(
          'insert into pour_step (id, project_code, bay_name, at, kind, volume, note, by_name) values ($1, $2, $3, $4, $5, $6, $7, $8)',
          [
            idOf(city.seed, 'pourStep', device.projectCode, String(no), String(i)),
            device.projectCode,
            device.place,
            new Date(start + minute * minuteMs),
            kind,
            volume,
            note,
            '演示',
          ],
        )
    }
}

/** Records of the pours by point. */
export function pourRecords(city: City, device: Device, now: number): { time: number; data: Record<string, unknown> }[] {
  const machine = machineFor(city, device, { purpose: 'past' })
  return [...poursBefore(now).entries()].map(([no, start]) => {
    const end = start + pourMs
    const last = machine.telemetry(end - 1000) ?? {}
    const more = raised(device, no, 1)
    const force = Math.round(Number(last.axialForce) * more * 100) / 100
    const data = {
      pointCode: String(device.params.pointCode),
      pourName: `${device.place} 第 ${no + 1} 次浇筑`,
      startTime: new Date(start).toISOString(),
      endTime: new Date(end).toISOString(),
      maxAxialForce: force,
      maxAxialForcePercent: Math.round((force / Number(device.params.designForce)) * 1000) / 10,
      maxDisplacement: Math.abs(Number(last.horizontalDisplacement)),
      maxSettlement: Math.abs(Number(last.settlement)),
      maxTilt: Math.round(Math.hypot(Number(last.tiltX), Number(last.tiltY)) * 100) / 100,
      alarmCount: more > 1 ? 2 : 0,
    }
    return { time: end, data }
  })
}

/** Factor of the exceeding point's force, growing with the concrete level. */
const raised = (device: Device, no: number, share: number): number =>
  no === stoppedPour && device.params.pointCode === 'GZ-01' ? 1 + (stoppedFactor - 1) * share : 1
/** One pour has half an hour of missing data. */
const isLost = (no: number, share: number): boolean => no === 5 && share >= 0.4 && share < 0.6

/** Minute readings of the pours of the last weeks, for replays. */
export function poured(city: City, device: Device, now: number): StoredReading[] {
  const order = storedOrder(device.family)
  const known = familyOf(device.family)
  if (!order || !known) return []
  const machine = machineFor(city, device, { purpose: 'past' })
  const out: StoredReading[] = []
  for (const [no, start] of poursBefore(now).entries())
    for (let time = start; time < start + pourMs; time += minuteMs) {
      const share = (time - start) / pourMs
      const data = isLost(no, share) ? undefined : machine.telemetry(time)
      if (!data) continue
      const more = raised(device, no, share)
      const values = Object.fromEntries(
        Object.entries(data).flatMap(([key, value]) =>
          known.metric(key) ? [[key, key.startsWith('axialForce') ? Math.round(Number(value) * more * 100) / 100 : value]] : [],
        ),
      )
      out.push(apart(device, order, time, values, { pointCode: data.pointCode }))
    }
  return out
}

/** Five-minute values of a point during the pours of the last weeks. */
export function pourSpans(city: City, device: Device, now: number): string {
  const machine = machineFor(city, device, { purpose: 'past' })
  const perSpan = 60
  let out = ''
  for (const [no, start] of poursBefore(now).entries())
    for (let time = start; time < start + pourMs; time += 5 * minuteMs) {
      const share = (time - start) / pourMs
      const data = isLost(no, share) ? undefined : machine.telemetry(time)
      if (!data) continue
      const more = raised(device, no, share)
      const v: Record<string, [number, number, number, number]> = {}
      for (const [key, value] of Object.entries(data)) {
        if (typeof value !== 'number') continue
        const so = key.startsWith('axialForce') ? Math.round(value * more * 100) / 100 : value
        v[key] = [so, so, so * perSpan, perSpan]
      }
      out += `${device.id}\t${new Date(time).toISOString()}\t${perSpan}\t${JSON.stringify(v)}\n`
    }
  return out
}
