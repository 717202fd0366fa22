import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { familyOf } from '@zhugong/contract/telemetry/families'
import type { City } from '@zhugong/simulator/city-types'
import { poursBefore, stoppedPour } from './past-pours.ts'
import type { PastAlarm } from './past-rules.ts'

/** Alarms of pits and pours in the last weeks: creep, a rate after rain, a displaced prism; a stopped pour, two impacts. */
export function pitAndPourAlarms(city: City, now: number): PastAlarm[] {
  const pours = poursBefore(now)
  const stopped = (pours[stoppedPour] ?? now) + 70 * minuteMs
  const shown: [point: string, key: string, start: number, lasted: number, peak: number, text: string][] = [
    ['CX-07', 'displacementRate', now - 9 * dayMs, 20 * hourMs, 3.4, '每日 3 mm'],
    ['DB-04', 'displacementRate', now - 15 * dayMs, 7 * hourMs, -3.2, '每日 3 mm'],
    ['SP-01', 'topHorizontalWarning', now - 20 * dayMs, hourMs, 22.6, '≥ 21 mm'],
    ['GZ-01', 'axialForceWarning', stopped, 75 * minuteMs, 99.1, '≥ 设计值的 80 %'],
    ['GZ-01', 'axialForceAlarm', stopped + 25 * minuteMs, 30 * minuteMs, 102.3, '≥ 设计值'],
    ['GZ-02', 'suddenChange', (pours[3] ?? now) + 40 * minuteMs, 15_000, 14.2, '前三次均值的 1.5 倍'],
    ['GZ-04', 'suddenChange', (pours[10] ?? now) + 90 * minuteMs, 10_000, 12.8, '前三次均值的 1.5 倍'],
  ]
  return shown.flatMap(([point, alarmKey, startTime, lasted, peak, text]): PastAlarm[] => {
    const device = city.devices.find((d) => d.params.pointCode === point && d.behaviour === 'normal')
    const alarm = device && familyOf(device.family)?.alarm(alarmKey)
    if (!device || !alarm) return []
    const { metric } = alarm.condition as { metric?: string }
    return [
      {
        deviceId: device.id,
        alarmKey,
        label: alarm.label,
        level: alarm.level,
        startTime,
        fireTime: startTime + 1_000,
        clearTime: startTime + lasted,
        metric: metric ?? null,
        peak,
        peakTime: startTime + lasted / 2,
        text,
        values: {},
      },
    ]
  })
}
