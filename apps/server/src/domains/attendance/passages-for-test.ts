import type { City } from '@zhugong/simulator/city-types'
import { attendanceRecord, dayEvents, type GateEvent } from '@zhugong/simulator/shifts'
import type { GateRecord } from './gate-record.ts'

/** A passage of the simulated city, as its gate's listener passes it on. */
export function gateRecord(city: City, event: GateEvent, receivedAt = event.time + event.delaySeconds * 1000 + 2_000): GateRecord {
  const device = city.devices.find((d) => d.deviceSn === event.deviceSn)
  if (!device) throw new Error(`no gate ${event.deviceSn}`)
  return {
    deviceId: device.id,
    projectCode: event.projectCode,
    deviceName: device.name,
    params: device.params,
    time: event.time,
    receivedAt,
    seq: 0,
    id: event.recordId,
    data: attendanceRecord(event),
  }
}

export const passagesOf = (city: City, projectCode: string, days: readonly string[]): GateRecord[] =>
  days
    .flatMap((day) => dayEvents(city, projectCode, day))
    .map((event) => gateRecord(city, event))
    .sort((a, b) => a.receivedAt - b.receivedAt)

/** A gate record with given fields. */
export function passage(
  city: City,
  given: {
    gate: string
    workerId: string | null
    at: string
    receivedAt?: string
    direction?: '0' | '1' | undefined
    data?: Record<string, unknown>
  },
): GateRecord {
  const device = city.devices.find((d) => d.deviceSn === given.gate)
  if (!device) throw new Error(`no gate ${given.gate}`)
  const instant = (text: string) => Date.parse(`${text.replace(' ', 'T')}+08:00`)
  return {
    deviceId: device.id,
    projectCode: device.projectCode,
    deviceName: device.name,
    params: device.params,
    time: instant(given.at),
    receivedAt: given.receivedAt ? instant(given.receivedAt) : instant(given.at) + 2_000,
    seq: 0,
    id: `${given.at}`,
    data: {
      ...(given.workerId ? { workerId: given.workerId, personType: '1' } : { personType: '3' }),
      ...(given.direction ? { direction: given.direction } : {}),
      recordId: given.at,
      mode: '1',
      pass: '1',
      live: '1',
      score: 95,
      ...given.data,
    },
  }
}
