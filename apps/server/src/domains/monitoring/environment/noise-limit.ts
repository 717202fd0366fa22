import { hourMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { familyOf } from '@zhugong/contract/telemetry/families'

const dayFrom = 6
const nightFrom = 22

const hourOf = (at: number): number => (at - startOfShanghaiDay(at)) / hourMs
/** Whether the day limit of noise applies: from 6 to 22 (GB 12523-2011). */
export const hasDay = (at: number): boolean => {
  const hour = hourOf(at)
  return hour >= dayFrom && hour < nightFrom
}

/** The noise limit in force and the time of its next change: 22:00 or 6:00. */
export function noiseLimitAt(now: number) {
  const hour = hourOf(now)
  const isDay = hasDay(now)
  const alarm = familyOf('environment')?.alarm(isDay ? 'noiseDay' : 'noiseNight')
  const value = alarm?.condition.value ?? (isDay ? 70 : 55)
  const next = isDay ? nightFrom : hour < dayFrom ? dayFrom : dayFrom + 24
  return { value, period: isDay ? '昼间' : '夜间', until: startOfShanghaiDay(now) + next * hourMs }
}
