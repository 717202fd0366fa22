import { type FactoryRow, factoryRow } from '@zhugong/contract/equipment/library-endpoints'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Tx } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { DockTest } from './dock-test.ts'

export const slowHours = 48

export interface Row {
  id: string
  name: string
  corpCode: string | null
  roles: string[]
  families: string[]
  contact: string | null
  contactPhone: Buffer | null
  contactPhoneMask: string | null
  salesContact: string | null
  salesPhone: Buffer | null
  salesPhoneMask: string | null
  serviceHours: string | null
  areaCodes: string[]
  serviceUntil: string | null
  dockState: string
  dockTests: DockTest[]
  files: string[]
  brands: number
  models: number
  devices: number
  online: number
  projects: number
  openTickets: number
  overdueRepairs: number
  repairHours: number | null
  repairScore: number | null
  enable: string
  remark: string | null
  createTime: Date
  updateTime: Date
  version: number
}

/** Counts devices per company: those it made, or, for a provider, those it services. */
export const counted = sql`
  f.id, f.name, f.corp_code, f.roles, f.families, f.contact, f.contact_phone, f.contact_phone_mask, f.sales_contact, f.sales_phone, f.sales_phone_mask, f.service_hours,
  f.area_codes, f.service_until, f.dock_state, f.dock_tests, f.files, f.enable, f.remark, f.create_time, f.update_time, f.version,
  (select count(*)::int from brand b where b.factory_id = f.id and b.merged_into is null) as brands,
  (select count(distinct m.root_id)::int from model m where m.factory_id = f.id) as models,
  u.devices, u.online, u.projects, r.open_tickets, r.overdue_repairs, r.repair_hours, r.repair_score`

export const tables = (now: Date) => sql`factory f
  cross join lateral (select count(*)::int as devices, count(*) filter (where l.online)::int as online, count(distinct d.project_code)::int as projects
    from device d left join device_latest l on l.device_id = d.id where d.factory_id = f.id or d.provider_id = f.id) u
  cross join lateral (select count(*) filter (where x.done_at is null)::int as open_tickets,
      count(*) filter (where x.done_at is null and x.at < ${now}::timestamptz - make_interval(hours => ${slowHours}))::int as overdue_repairs,
      round((avg(extract(epoch from x.done_at - x.at)) / 3600)::numeric, 1)::float8 as repair_hours, round(avg(x.score), 1)::float8 as repair_score
    from device_repair x where x.provider_id = f.id) r`

export function toFactory(row: Row, ctx: Pick<Context, 'group' | 'secrets'>): FactoryRow {
  // Only the platform gets the phone number in clear; others get the masked number.
  const clear = ctx.group.type === 0
  return rowOf(factoryRow, row, {
    familyNames: row.families.map((key) => familyOf(key)?.name ?? key),
    contactPhone: clear ? ctx.secrets.open(row.contactPhone) : row.contactPhoneMask,
    salesPhone: clear ? ctx.secrets.open(row.salesPhone) : row.salesPhoneMask,
    areaNames: row.areaCodes.map((code) => areaName(code) ?? code),
    createTime: formatInstant(row.createTime),
    updateTime: formatInstant(row.updateTime),
    quality: undefined,
  })
}

export async function getFactoryRow(db: Tx, id: string, now: number): Promise<Row> {
  const at = new Date(now)
  const { rows } = await sql<Row>`select ${counted} from ${tables(at)} where f.id = ${id}`.execute(db)
  return found(rows[0], '厂商')
}
