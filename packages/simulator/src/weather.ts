import { dayMs, hourOfDay } from './calendar.ts'
import { clamp, noiseKey, smoothNoise } from './random.ts'

export interface Wind {
  /** m/s at 10 m */
  windSpeed: number
  /** Direction it comes from, degrees. */
  windDirection: number
}

export interface Weather extends Wind {
  /** °C */
  temperature: number
  /** % */
  humidity: number
  /** kPa */
  pressure: number
  /** mm/h */
  rain: number
}

const keys = new Map<number, Record<'front' | 'day' | 'wind' | 'gust' | 'flutter' | 'turn' | 'rain' | 'shower', number>>()
function keysOf(seed: number) {
  let known = keys.get(seed)
  if (!known) {
    const key = (name: string) => noiseKey(seed, 'weather', name)
    known = {
      front: key('front'),
      day: key('day'),
      wind: key('wind'),
      gust: key('gust'),
      flutter: key('flutter'),
      turn: key('turn'),
      rain: key('rain'),
      shower: key('shower'),
    }
    keys.set(seed, known)
  }
  return known
}

const frontAt = (key: number, timeMs: number) => smoothNoise(key, timeMs, 3.3 * dayMs)

/** The wind alone; cheaper, for cranes that turn with the wind. */
export function windAt(seed: number, timeMs: number): Wind {
  const key = keysOf(seed)
  return windUnder(key, frontAt(key.front, timeMs), timeMs)
}

function windUnder(key: ReturnType<typeof keysOf>, front: number, timeMs: number): Wind {
  const day = 0.9 * Math.sin((2 * Math.PI * (hourOfDay(timeMs) - 8)) / 24)
  const mean = Math.max(0.3, 2.6 + front * -1.1 + smoothNoise(key.wind, timeMs, 5 * 3600_000) * 1.8 + day)
  const turn = smoothNoise(key.turn, timeMs, 4 * 3600_000) * 45 + smoothNoise(key.turn, timeMs + 13, 60_000) * 12
  return {
    windSpeed: Math.max(0, mean * (1 + 0.28 * smoothNoise(key.gust, timeMs, 45_000) + 0.12 * smoothNoise(key.flutter, timeMs, 7_000))),
    windDirection: (((315 + front * 70 + turn) % 360) + 360) % 360,
  }
}

/** Weather of the city at a moment: seasons, fronts of a few days, daily course, gusts. A pure function of time. */
export function weatherAt(seed: number, timeMs: number): Weather {
  const key = keysOf(seed)
  const year = ((timeMs / dayMs - 20) % 365.25) / 365.25
  const hour = hourOfDay(timeMs)
  const front = frontAt(key.front, timeMs)
  const season = 17.2 - 12.4 * Math.cos(2 * Math.PI * year)
  const swing = 4.2 * Math.cos((2 * Math.PI * (hour - 14.5)) / 24)
  const rainIndex = smoothNoise(key.rain, timeMs, 1.4 * dayMs) * 0.7 + smoothNoise(key.shower, timeMs, 3 * 3600_000) * 0.5
  const rain = Math.max(0, rainIndex - 0.62) * 14
  const temperature = season + front * 4.5 + swing * (rain > 0 ? 0.35 : 1) + smoothNoise(key.day, timeMs, 1800_000) * 0.4
  const humidity = clamp(66 - swing * 4 - front * 8 + (rain > 0 ? 24 : 0) + smoothNoise(key.day, timeMs + 7, 2400_000) * 4, 22, 99)
  return {
    temperature,
    humidity,
    pressure: 101.4 - (season - 17) * 0.06 - front * 0.55 + smoothNoise(key.day, timeMs + 31, 4 * 3600_000) * 0.05,
    rain,
    ...windUnder(key, front, timeMs),
  }
}

/** Wind increases with height; exponent for a built-up area. */
export const windAtHeight = (speed: number, height: number) => speed * (Math.max(height, 2) / 10) ** 0.22

const beaufort = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7]
export const windLevel = (speed: number) => beaufort.filter((limit) => speed >= limit).length
