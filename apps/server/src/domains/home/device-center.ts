import { deviceFamilyState } from '@zhugong/contract/home/endpoints'
import { deviceFaults, faultOf } from '@zhugong/contract/telemetry/device-faults'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { livePageFor } from '@zhugong/contract/telemetry/live-pages'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { machinesInUse, machinesOnline } from '../equipment/public.ts'

const familyName = (family: string) => familyOf(family)?.name ?? family

type DeviceContext = Pick<Context, 'db' | 'codes'>

/**
 * Devices by family: total, online, and the most important problem. Reads device, device_latest and alarm; used by home pages and screens.
 */
export async function deviceFamilies(ctx: DeviceContext, projects: readonly string[] | undefined) {
  const { rows } = await sql<{
    family: string
    total: number
    online: number
    alarming: number
    alarmText: string | null
  }>`
    select d.family, ${machinesInUse} as total, ${machinesOnline} as online,
      count(*) filter (where exists (select 1 from alarm a where a.device_id = d.id and a.active and not a.simulated and not a.historical))::int as alarming,
      (select x.device_name || ' ' || x.label from alarm x where x.family = d.family and x.active and not x.simulated and not x.historical
         and ${allOf(...inProjects('x.projectCode', projects))} order by x.level, x.start_time desc limit 1) as alarm_text
    from device d left join device_latest l on l.device_id = d.id
    where d.status = '1' and ${allOf(...inProjects('d.projectCode', projects))}
    group by d.family order by total desc, d.family`.execute(ctx.db)
  const faults = await faultsOf(ctx, projects)
  return rows.map((r) =>
    rowOf(deviceFamilyState, r, {
      name: familyName(r.family),
      faulty: faults.get(r.family)?.length ?? 0,
      problem: r.alarmText ?? faults.get(r.family)?.[0] ?? (r.online < r.total ? `${r.total - r.online} 台离线` : ''),
      link: livePageFor(r.family, ctx.codes) ?? null,
    }),
  )
}

/** Faults reported by online devices without an active alarm, as text by family. */
async function faultsOf(ctx: DeviceContext, projects: readonly string[] | undefined): Promise<Map<string, string[]>> {
  const shown = deviceFaults.map(({ family, metric, is, below }) => {
    const value = sql`l.v -> ${metric}`
    const wrong =
      is === undefined
        ? sql`case when jsonb_typeof(${value}) = 'number' then (${value})::float8 < ${below} end`
        : sql`l.v ->> ${metric} = ${is}`
    return sql`(d.family = ${family} and ${wrong})`
  })
  const { rows } = await sql<{ family: string; name: string; v: Record<string, unknown> }>`
    select d.family, d.name, l.v from device d join device_latest l on l.device_id = d.id
    where d.status = '1' and l.online and (${sql.join(shown, sql` or `)}) and ${allOf(...inProjects('d.projectCode', projects))}
      and not exists (select 1 from alarm a where a.device_id = d.id and a.active and not a.simulated and not a.historical) order by d.family, d.name`.execute(
    ctx.db,
  )
  const found = new Map<string, string[]>()
  for (const { family, name, v } of rows) found.set(family, [...(found.get(family) ?? []), `${name} ${faultOf(family, v) ?? '故障'}`])
  return found
}

export async function deviceColumns(ctx: DeviceContext, projects: readonly string[] | undefined, page: { limit: number; offset: number }) {
  const { rows } = await sql<{ projectCode: string; projectName: string; family: string; total: number; online: number }>`
    select p.project_code, p.name as project_name, d.family, ${machinesInUse} as total, ${machinesOnline} as online
    from project p join device d using (project_code) left join device_latest l on l.device_id = d.id
    where d.status = '1' and ${allOf(...inProjects('p.projectCode', projects))}
    group by 1, 2, 3 order by 2, 1, 3`.execute(ctx.db)
  const byProject = new Map<
    string,
    {
      projectCode: string
      projectName: string
      total: number
      online: number
      families: { family: string; name: string; total: number; online: number }[]
    }
  >()
  for (const r of rows) {
    const entry = byProject.get(r.projectCode) ?? {
      projectCode: r.projectCode,
      projectName: r.projectName,
      total: 0,
      online: 0,
      families: [],
    }
    entry.total += r.total
    entry.online += r.online
    entry.families.push({ family: r.family, name: familyName(r.family), total: r.total, online: r.online })
    byProject.set(r.projectCode, entry)
  }
  const all = [...byProject.values()]
  return { list: all.slice(page.offset, page.offset + page.limit), total: all.length }
}
