import { canonicalPlate } from '@zhugong/contract/kit/plate'
import { dayMs } from '@zhugong/contract/kit/time'
import type pg from 'pg'
import { formatDay } from '#kit/clock'
import { ReadAnew } from './read-anew.ts'

/** The record kind of a lane's passages. */
export const vehiclePassage = 'accessRecord'
/** What gates have known for a month counts, when it is asked for the first time. */
const passageDays = 30

/**
 * Number plates that belong to a project: its own vehicles, those its site has registered, and those its gates let through as registered. Where
 * neither site nor gate knows any vehicle nobody keeps a register: there nobody can say that a vehicle is not in it. And plates a site bars.
 */
export class Plates extends ReadAnew {
  private own = new Map<string, Set<string>>()
  /** What the site itself keeps; a project without an entry keeps none. */
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

  /** A gate says whether it knows the vehicle. */
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

  /** A passage as rules see it: what the site has registered is registered, whatever its camera has been told. */
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
