import { hourMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { leastCoverage } from '@zhugong/contract/monitoring/analysis'
import { analysisRow, type StationRank } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import { rowOf } from '#kit/row-of'
import { ownerColumns } from '../shared/devices.ts'
import { hasDay } from './noise-limit.ts'
import { hourLimits, isValidHour, overIn, type StationHour, type StationScope, stationHours, stationsOf } from './station-hours.ts'

/** Means of the current hour so far. */
export async function hourMeans(db: Tx, deviceId: string, now: number): Promise<Record<string, number>> {
  const from = now - (now % hourMs)
  const { rows } = await sql<{ metric: string; mean: number }>`
    select m.key as metric, sum((m.value ->> 2)::float8) / nullif(sum((m.value ->> 3)::float8), 0) as mean
    from telemetry_5m t, jsonb_each(t.v) m where t.device_id = ${deviceId} and t.ts >= ${new Date(from)} group by 1`.execute(db)
  return Object.fromEntries(rows.filter((r) => r.mean !== null).map((r) => [r.metric, Math.round(r.mean * 10) / 10]))
}

const tidy = (n: number | null) => (n === null ? null : Math.round(n * 10) / 10)
const meanOf = (values: readonly (number | null)[]): number | null => {
  const shown = values.filter((one) => one !== null)
  return shown.length > 0 ? shown.reduce((sum, one) => sum + one, 0) / shown.length : null
}
/** Energy mean, so that one loud hour counts. */
const levelOf = (values: readonly (number | null)[]): number | null => {
  const energy = meanOf(values.map((one) => (one === null ? null : 10 ** (one / 10))))
  return energy === null ? null : 10 * Math.log10(energy)
}

interface Station {
  id: string
  name: string
  projectCode: string
  projectName: string
  areaCode: string
  ownerCorpName: string | null
  modelName: string | null
  params: Record<string, unknown>
}

async function stationsIn(db: Tx, scope: StationScope): Promise<Station[]> {
  const { rows } = await sql<Station>`
    select d.id, d.name, d.project_code, p.name as project_name, p.area_code, d.params, ${ownerColumns} from device d join project p on p.project_code = d.project_code
    where d.id in (${stationsOf(scope)}) order by d.id`.execute(db)
  return rows
}

const localOf = (at: Date) => new Date(at.getTime() + shanghaiOffsetMs)
const background = (station: Pick<Station, 'params'>): number | null => {
  const reported = Number(station.params.pm10Background)
  return Number.isFinite(reported) && reported > 0 ? reported : null
}

/** Air and noise of stations over a period by hour: what rose when, which limits were exceeded, and which stations are reliable. */
export async function environmentAnalysis(db: Tx, scope: StationScope, now: number) {
  const stations = await stationsIn(db, scope)
  const hours = await stationHours(db, scope)
  const length = Math.max(1, (Math.min(scope.period.to, now) - scope.period.from) / hourMs)
  const valid = hours.filter(isValidHour)
  const byHour = Map.groupBy(valid, (h) => `${localOf(h.time).getUTCDay()}/${localOf(h.time).getUTCHours()}`)
  const rose = Map.groupBy(
    valid.filter((h) => h.windDirection !== null && h.pm10 !== null),
    (h) => (Math.round((h.windDirection ?? 0) / 22.5) % 16) * 22.5,
  )
  const devices = ranksOf(stations, hours, length)
  const byDay = Map.groupBy(hours, (h) => `${h.deviceId}/${formatDay(h.time.getTime())}`)
  const noisy = (day: boolean) => valid.filter((h) => h.noise !== null && hasDay(h.time.getTime()) === day)
  const districts = stations.map(background).filter((one) => one !== null)
  return {
    coverage: devices.length ? (tidy(meanOf(devices.map((d) => d.validPercent))) ?? 0) : 0,
    byHour: [...byHour].map(([key, list]) => ({
      weekday: Number(key.split('/')[0]),
      hour: Number(key.split('/')[1]),
      pm10: tidy(meanOf(list.map((h) => h.pm10))),
      pm25: tidy(meanOf(list.map((h) => h.pm25))),
      noise: tidy(levelOf(list.map((h) => h.noise))),
    })),
    rose: [...rose]
      .map(([direction, list]) => ({ direction, pm10: tidy(meanOf(list.map((h) => h.pm10))) ?? 0, n: list.length }))
      .sort((a, b) => a.direction - b.direction),
    overHours: (['pm10', 'pm25', 'tsp', 'noise'] as const).map((metric) => ({
      metric,
      hours: valid.filter((h) => overIn(h).includes(metric)).length,
      limit: metric === 'tsp' ? hourLimits.tsp.structure : metric === 'noise' ? hourLimits.noise.day : hourLimits[metric],
    })),
    days: [...byDay]
      .map(([key, list]) => ({ key: key.split('/')[0] ?? '', day: key.split('/')[1] ?? '', ...dayOf(list) }))
      .sort((a, b) => (a.day === b.day ? 0 : a.day < b.day ? -1 : 1)),
    noise: {
      day: noisy(true).length,
      dayOver: noisy(true).filter((h) => overIn(h).includes('noise')).length,
      night: noisy(false).length,
      nightOver: noisy(false).filter((h) => overIn(h).includes('noise') && h.permitNo === null).length,
      nightPermit: noisy(false).filter((h) => overIn(h).includes('noise') && h.permitNo !== null).length,
    },
    district: tidy(meanOf(districts)),
    devices,
  }
}

function dayOf(list: readonly StationHour[]) {
  const valid = list.filter(isValidHour)
  return {
    pm10: tidy(meanOf(valid.map((h) => h.pm10))),
    pm25: tidy(meanOf(valid.map((h) => h.pm25))),
    tsp: tidy(meanOf(valid.map((h) => h.tsp))),
    noise: tidy(levelOf(valid.map((h) => h.noise))),
    overHours: valid.filter((h) => overIn(h).length > 0).length,
    validPercent: Math.min(100, tidy((valid.length / 24) * 100) ?? 0),
  }
}

/** Hours in which at least half of the other stations exceeded their PM10 limit. */
function peaksOf(hours: readonly StationHour[], stations: number): ReadonlyMap<number, ReadonlySet<string>> {
  const over = Map.groupBy(
    hours.filter((h) => overIn(h).includes('pm10')),
    (h) => h.time.getTime(),
  )
  return new Map(
    [...over].flatMap(([at, list]): [number, ReadonlySet<string>][] =>
      list.length * 2 >= Math.max(2, stations - 1)
        ? [[at, new Set(hours.flatMap((h) => (h.time.getTime() === at ? [h.deviceId] : [])))]]
        : [],
    ),
  )
}

/** Stations ranked by hours over a limit per hundred valid hours, night noise without a permit counted twice. */
export function ranksOf(stations: readonly Station[], hours: readonly StationHour[], length: number): StationRank[] {
  const of = Map.groupBy(hours, (h) => h.deviceId)
  const peaks = peaksOf(hours, stations.length)
  return stations.map((station) => {
    const own = of.get(station.id) ?? []
    const valid = own.filter(isValidHour)
    const over = valid.filter((h) => overIn(h).length > 0).length
    const loud = valid.filter((h) => !hasDay(h.time.getTime()) && overIn(h).includes('noise'))
    const night = loud.filter((h) => h.permitNo === null).length
    const validPercent = Math.min(100, tidy((valid.length / length) * 100) ?? 0)
    const pm10Mean = tidy(meanOf(valid.map((h) => h.pm10)))
    const district = background(station)
    return rowOf(analysisRow, station, {
      key: station.id,
      areaName: areaName(station.areaCode),
      stage: typeof station.params.stage === 'string' ? station.params.stage : null,
      pm10Mean,
      pm25Mean: tidy(meanOf(valid.map((h) => h.pm25))),
      tspMean: tidy(meanOf(valid.map((h) => h.tsp))),
      noiseMean: tidy(levelOf(valid.map((h) => h.noise))),
      overHours: over,
      validPercent,
      deltaToDistrict: pm10Mean === null || district === null ? null : tidy(pm10Mean - district),
      nightNoiseHours: night,
      nightPermitHours: loud.length - night,
      frozenHours: valid.filter((h) => h.pm10Low !== null && h.pm10Low === h.pm10Max).length,
      offlineAtPeak: [...peaks.values()].filter((there) => !there.has(station.id)).length,
      score: validPercent < leastCoverage || valid.length === 0 ? null : tidy(((over + night) / valid.length) * 100),
    })
  })
}
