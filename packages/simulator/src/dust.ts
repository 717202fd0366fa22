import { addDays, dayOf, dayStart, hourOfDay, weekday } from './calendar.ts'
import { story } from './city-plan.ts'
import type { City, Device } from './city-types.ts'
import type { Machine, Values } from './machine.ts'
import { clamp, noiseKey, round, smoothNoise, stream } from './random.ts'
import { weatherAt } from './weather.ts'

export interface Episode {
  from: number
  to: number
  /** Maximum of PM10 in μg/m³. */
  pm10: number
}

/** Traffic of trucks and excavators by hour, relative to the maximum. */
function activity(hour: number, sunday: boolean): number {
  const day = hour < 6 || hour >= 22 ? 0.08 : hour < 7 ? 0.5 : hour < 11.5 ? 1 : hour < 12.8 ? 0.45 : hour < 17.8 ? 0.95 : 0.35
  return sunday ? day * 0.45 : day
}

/** Dust episodes (loading of earth, dry roads): one to three over the limit on most working days at dusty sites, fewer elsewhere. */
export function episodesOf(city: City, device: Device, day: string): Episode[] {
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  if (!project || project.prjStatus === '005' || project.shortName === story.green) return []
  const random = stream(city.seed, 'dust', device.deviceSn, day)
  const dusty = device.params.stage === 'earthwork'
  if (weekday(day) === 0 || !random.chance(dusty ? 0.8 : 0.45)) return []
  return Array.from({ length: random.int(1, dusty ? 3 : 2) }, () => {
    const from = dayStart(day) + random.int(7 * 60, 17 * 60) * 60_000
    return { from, to: from + random.int(18, dusty ? 80 : 45) * 60_000, pm10: random.float(60, dusty ? 150 : 95) }
  })
}

export class Dust implements Machine {
  readonly device: Device
  private readonly city: City
  private readonly key: number
  private readonly spells: Episode[]
  private readonly byDay = new Map<string, Episode[]>()
  private readonly idle: boolean
  private readonly every: number

  /** `extra`: episodes in addition to the day's own, such as one soon after the start of a demonstration. */
  constructor(city: City, device: Device, options: { extra?: Episode[]; intervalSeconds?: number } = {}) {
    this.city = city
    this.device = device
    this.key = noiseKey(city.seed, 'dust', device.deviceSn)
    this.spells = options.extra ?? []
    this.every = (options.intervalSeconds ?? 60) * 1000
    this.idle = city.projects.find((one) => one.projectCode === device.projectCode)?.prjStatus === '005'
  }

  step(): void {}

  intervalMs(): number {
    return this.every
  }

  private episodeAt(nowMs: number): number {
    let added = 0
    const day = dayOf(nowMs)
    for (const at of [addDays(day, -1), day]) {
      let known = this.byDay.get(at)
      if (!known) {
        known = episodesOf(this.city, this.device, at)
        this.byDay.set(at, known)
        // Live operation needs two days; without the limit a long back-fill would keep all.
        if (this.byDay.size > 4) this.byDay.delete(this.byDay.keys().next().value!)
      }
      for (const episode of known) added += shape(episode, nowMs)
    }
    for (const episode of this.spells) added += shape(episode, nowMs)
    return added
  }

  telemetry(nowMs: number): Values {
    const { seed } = this.city
    const weather = weatherAt(seed, nowMs)
    const hour = hourOfDay(nowMs)
    const sunday = weekday(dayOf(nowMs)) === 0
    const busy = this.idle ? 0.04 : activity(hour, sunday)
    const dusty = this.device.params.stage === 'earthwork'
    // Regional dust accumulates in still air and is washed out by rain; the site's own rises with work and wind.
    const still = clamp(1.45 - weather.windSpeed / 5, 0.55, 1.45)
    const wash = 1 / (1 + weather.rain * 1.4)
    const region = (44 + 12 * smoothNoise(this.city.seed, nowMs, 9 * 3600_000)) * still * (0.35 + 0.65 * wash)
    const site = busy * (dusty ? 44 : 24) * wash * clamp(1.2 - weather.humidity / 160, 0.4, 1.1) * (1 + weather.windSpeed / 14)
    const flicker = 1 + 0.07 * smoothNoise(this.key, nowMs, 90_000) + 0.035 * smoothNoise(this.key + 1, nowMs, 11_000)
    const episode = this.episodeAt(nowMs) * (0.4 + 0.6 * wash)
    const pm10 = Math.max(6, (region + site + episode) * flicker)
    const pm25 = Math.max(3, (region * 0.62 + site * 0.22 + episode * 0.16) * (1 + 0.05 * smoothNoise(this.key + 2, nowMs, 70_000)))
    const tsp = pm10 * (1.75 + 0.25 * busy) + episode * 1.3
    const noise =
      44 +
      (this.idle ? 2 : busy * 19.5) +
      3.2 * smoothNoise(this.key + 3, nowMs, 25_000) +
      1.8 * smoothNoise(this.key + 4, nowMs, 5_000) +
      weather.rain * 0.6
    const values: Values = {
      pm25: round(pm25, 1),
      pm10: round(pm10, 1),
      tsp: round(tsp, 1),
      noise: round(noise, 1),
      leq: round(44 + (this.idle ? 2 : busy * 20) + 2 * smoothNoise(this.key + 3, nowMs, 180_000), 1),
      temperature: round(weather.temperature, 1),
      humidity: round(weather.humidity, 1),
      pressure: round(weather.pressure, 3),
      windSpeed: round(weather.windSpeed * (0.92 + 0.08 * smoothNoise(this.key + 5, nowMs, 6000)), 1),
      windDirection: Math.round(weather.windDirection) % 360,
    }
    return values
  }
}

/** Curve of an episode: rises within four minutes, falls within six. */
function shape(episode: Episode, nowMs: number): number {
  if (nowMs < episode.from || nowMs > episode.to + 360_000) return 0
  return episode.pm10 * clamp((nowMs - episode.from) / 240_000, 0, 1) * clamp((episode.to + 360_000 - nowMs) / 360_000, 0, 1)
}
