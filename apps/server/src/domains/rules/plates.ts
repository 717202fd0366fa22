import { canonicalPlate } from '@zhugong/contract/kit/plate'
import { dayMs } from '@zhugong/contract/kit/time'
import type pg from 'pg'
import { formatDay } from '#kit/clock'
import { ReadAnew } from './read-anew.ts'

/** The record kind of vehicle passages. */
export const vehiclePassage = 'accessRecord'
/** At the first load, plates that gates reported as registered are searched in the passages of this many days. */
const passageDays = 30

/**
 * Number plates of a project: its own vehicles, those registered by the site, those its gates recognised as registered, and blocked plates.
 * In a project without any register it is unknown whether a vehicle is registered.
 */
export class Plates extends ReadAnew {
  private own = new Map<string, Set<string>>()
  /** Plates registered by the site; a project without an entry has no register. */
  private registered = new Map<string, Set<string>>()
  private barred = new Map<string, Set<string>>()
  private readonly atGates = new Map<string, Set<string>>()

  protected override async load(pool: pg.Pool, now: number): Promise<void> {
    const vehicles = await pool.query<{ project_code: string; plate: string }>(
      `select project_code, params ->> 'plateNo' as plate from device where family = 'truckMonitor' and params ->> 'plateNo' <> '' and status = '1'`,
    )
    const kept = await pool.query<{ project_code: string; plate: string; kind: string }>(
      `select project_code, plate_no as plate, kind from vehicle_registry where until_day is null or until_day >= $1::date`,
      [formatDay(now)],
    )
    if (!this.isLoaded) {
      const passages = await pool.query<{ project_code: string; plate: string }>(
        `select p.project_code, r.plate from project p, lateral (
           select distinct data ->> 'plateNo' as plate from device_record
           where project_code = p.project_code and record = 'accessRecord' and ts > $1 and data ->> 'registered' = 'true') r`,
        [new Date(now - passageDays * dayMs)],
      )
      for (const { project_code, plate } of passages.rows) if (plate) note(this.atGates, project_code, canonicalPlate(plate))
    }
    this.own = new Map()
    this.registered = new Map()
    this.barred = new Map()
    for (const { project_code, plate, kind } of kept.rows) note(kind === 'black' ? this.barred : this.registered, project_code, plate)
    for (const { project_code, plate } of vehicles.rows) note(this.own, project_code, canonicalPlate(plate))
  }

  /** Adds the plate if the gate reported it as registered. */
  passed(projectCode: string, values: Readonly<Record<string, unknown>>): void {
    if (values.registered === true && typeof values.plateNo === 'string' && values.plateNo) note(this.atGates, projectCode, values.plateNo)
  }

  isRegistered(projectCode: string, plate: unknown): boolean | undefined {
    if (typeof plate !== 'string' || !plate) return undefined
    const registers = [this.registered.get(projectCode), this.atGates.get(projectCode)].filter((one) => one !== undefined)
    if (this.own.get(projectCode)?.has(plate) || registers.some((one) => one.has(plate))) return true
    return registers.length > 0 ? false : undefined
  }

  isListed(projectCode: string, list: string, plate: unknown): boolean | undefined {
    if (list !== 'vehicleBlack' || !this.isLoaded || typeof plate !== 'string' || !plate) return undefined
    return this.barred.get(projectCode)?.has(plate) ?? false
  }

  /** The passage with `registered` set to true if the site has registered the plate, whatever the camera reported. */
  seen<V extends Readonly<Record<string, unknown>>>(projectCode: string, values: V): V {
    if (values.registered !== false || typeof values.plateNo !== 'string') return values
    return this.registered.get(projectCode)?.has(values.plateNo) ? { ...values, registered: true } : values
  }
}

function note(byProject: Map<string, Set<string>>, projectCode: string, plate: string): void {
  const plates = byProject.get(projectCode)
  if (plates) plates.add(plate)
  else byProject.set(projectCode, new Set([plate]))
}
