import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { findDeviceRows, toDeviceNow } from '../shared/devices.ts'
import { hasDay } from './noise-limit.ts'
import { hourLimits } from './station-hours.ts'

const metrics = ['pm10', 'pm25', 'tsp', 'noise'] as const
/** The reading's spray state may be a boolean or a code. */
const isRunning = (running: unknown) => running === true || running === '1'

/** Current state of stations, ordered by excess over their own limits, because sites are in different stages; offline ones last. */
export async function stationsNow(db: Tx, projects: readonly string[] | undefined, deviceId: string | undefined, now: number) {
  const { rows } = await findDeviceRows(db, 'environment', projects, { deviceId })
  const inUse = rows.filter((row) => row.status === '1')
  const ids = inUse.map((row) => row.id)
  const { rows: frozen } = await sql<{ deviceId: string }>`
    select distinct device_id from alarm where device_id = any (${ids}) and alarm_key = 'constantValue' and active and not simulated`.execute(
    db,
  )
  const { rows: sprays } = await sql<{ projectCode: string; running: unknown }>`
    select d.project_code, l.v -> 'running' as running from device d left join device_latest l on l.device_id = d.id and l.online
    where d.family = 'sprayController' and d.status = '1' and d.project_code = any (${[...new Set(inUse.map((row) => row.projectCode))]})`.execute(
    db,
  )
  const doubted = new Set(frozen.map((one) => one.deviceId))
  const order = { over: 0, fine: 1, doubtful: 2, silent: 3 } as const
  return inUse
    .map((row) => {
      const device = toDeviceNow(row)
      const limits = limitsAt(row.params, now)
      const worst = metrics
        .flatMap((metric) => {
          const value = device.latest?.values[metric]
          return typeof value === 'number' && device.latest?.quality?.[metric] === undefined
            ? [{ metric, percent: Math.round((value / limits[metric] - 1) * 1000) / 10 }]
            : []
        })
        .sort((a, b) => b.percent - a.percent)[0]
      const state = !device.online ? 'silent' : doubted.has(row.id) ? 'doubtful' : (worst?.percent ?? -1) > 0 ? 'over' : 'fine'
      const pm10 = device.latest?.values.pm10
      const district = Number(row.params.pm10Background)
      const own = sprays.filter((one) => one.projectCode === row.projectCode)
      return {
        ...device,
        ...pick(row, 'areaCode', 'lng', 'lat'),
        areaName: areaName(row.areaCode),
        state: state as keyof typeof order,
        overPercent: state === 'silent' ? null : (worst?.percent ?? null),
        worstMetric: state === 'silent' ? null : (worst?.metric ?? null),
        limits: { ...limits },
        delta: typeof pm10 === 'number' && district > 0 ? Math.round(pm10 - district) : null,
        spraying: own.some((one) => isRunning(one.running)),
        hasSpray: own.length > 0,
      }
    })
    .sort(
      (a, b) => order[a.state] - order[b.state] || (b.overPercent ?? -100) - (a.overPercent ?? -100) || (a.deviceId < b.deviceId ? -1 : 1),
    )
}

const limitsAt = (params: Record<string, unknown>, now: number) => ({
  pm10: hourLimits.pm10,
  pm25: hourLimits.pm25,
  tsp: hourLimits.tsp[params.stage === 'earthwork' ? 'earthwork' : 'structure'],
  noise: hourLimits.noise[hasDay(now) ? 'day' : 'night'],
})
