import { dayStart, weekday } from './calendar.ts'
import type { City, Device } from './city-types.ts'
import type { MachineRecord } from './machine.ts'
import { stream } from './random.ts'

const round2 = (value: number) => Math.round(value * 100) / 100

/** AI events of a camera on a day; one in five is a false recognition. */
export function aiEvents(city: City, device: Device, day: string): MachineRecord[] {
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  if (!project || project.prjStatus === '005' || device.behaviour === 'offline' || day < device.installTime) return []
  const random = stream(city.seed, 'ai', device.deviceSn, day)
  return Array.from({ length: random.int(0, weekday(day) === 0 ? 1 : 3) }, (_, i) => {
    const time = dayStart(day) + random.int(7 * 3600, 18 * 3600) * 1000
    const confidence = Math.round(random.float(0.55, 0.97) * 100) / 100
    return {
      record: 'aiEvent',
      time,
      data: {
        eventId: `${device.deviceSn}-${day.replaceAll('-', '')}-${i}`,
        type: random.weighted([
          ['noHelmet', 5],
          ['noVest', 4],
          ['smoking', 1],
          ['intrusion', 1],
          ['nakedSoil', 1],
          ['truckNotWashed', 1],
        ] as const),
        confidence,
        time: new Date(time).toISOString(),
        boxes: JSON.stringify([[round2(random.float(0.2, 0.7)), round2(random.float(0.2, 0.6)), 0.08, 0.2]]),
        review: random.weighted([
          ['1', 6],
          ['2', 2],
          ['0', 2],
        ] as const),
      },
    }
  }).sort((a, b) => a.time - b.time)
}
