import type pg from 'pg'
import { dayMs } from '#kit/clock'

/** The record kind of a lane's passages. */
export const vehiclePassage = 'accessRecord'
const refreshMs = 5 * 60_000
/** What gates have known for a month counts, when it is asked for the first time. */
const passageDays = 30

/**
 * Number plates that belong to a project: its own vehicles, and those its gates let through as registered. Where no gate knows any vehicle
 * nobody keeps a register: there nobody can say that a vehicle is not in it.
 */
export class Plates {
  private own = new Map<string, Set<string>>()
  private readonly atGates = new Map<string, Set<string>>()
  private loadedAt: number | undefined
  private loading: Promise<void> | undefined

  /** Never fails: what was known stays until it can be read again. */
  refresh(pool: pg.Pool, now: number): Promise<void> {
    if (this.loadedAt !== undefined && now - this.loadedAt < refreshMs) return Promise.resolve()
    this.loading ??= this.load(pool, now)
      .catch(() => undefined)
      .finally(() => {
        this.loading = undefined
      })
    return this.loading
  }

  private async load(pool: pg.Pool, now: number): Promise<void> {
    const vehicles = await pool.query<{ project_code: string; plate: string }>(
      `select project_code, params ->> 'plateNo' as plate from device where family = 'truckMonitor' and params ->> 'plateNo' <> '' and status = '1'`,
    )
    if (this.loadedAt === undefined) {
      const passages = await pool.query<{ project_code: string; plate: string }>(
        `select p.project_code, r.plate from project p, lateral (
           select distinct data ->> 'plateNo' as plate from device_record
           where project_code = p.project_code and record = 'accessRecord' and ts > $1 and data ->> 'registered' = 'true') r`,
        [new Date(now - passageDays * dayMs)],
      )
      for (const { project_code, plate } of passages.rows) if (plate) note(this.atGates, project_code, plate)
    }
    this.own = new Map()
    for (const { project_code, plate } of vehicles.rows) note(this.own, project_code, plate)
    this.loadedAt = now
  }

  /** A gate says whether it knows the vehicle. */
  passed(projectCode: string, values: Readonly<Record<string, unknown>>): void {
    if (values.registered === true && typeof values.plateNo === 'string' && values.plateNo) note(this.atGates, projectCode, values.plateNo)
  }

  isRegistered(projectCode: string, plate: unknown): boolean | undefined {
    const [own, atGates] = [this.own.get(projectCode), this.atGates.get(projectCode)]
    if (typeof plate !== 'string' || !plate) return undefined
    return own?.has(plate) ? true : atGates?.has(plate)
  }
}

function note(byProject: Map<string, Set<string>>, projectCode: string, plate: string): void {
  const plates = byProject.get(projectCode)
  if (plates) plates.add(plate)
  else byProject.set(projectCode, new Set([plate]))
}
