import type { City } from '@zhugong/simulator/city-types'
import type pg from 'pg'
import { allFixtures } from './fixtures/all.ts'

/** Inserts for every project one row of each kind that work on a site produces: alarms, rules, notices, duties, linkage runs. */
export async function furnish(pool: pg.Pool, city: City): Promise<void> {
  for (const { projectCode } of city.projects) {
    const devices = city.devices.filter((one) => one.projectCode === projectCode)
    const [device] = devices
    if (!device) continue
    const deviceOf = (family: string) => devices.find((one) => one.family === family)
    for (const { projectRows } of allFixtures) await projectRows?.({ pool, city, projectCode, device, deviceOf })
  }
}
