import { intensityList, listIntensity, perSquareMetres, type SiteIntensity } from '@zhugong/contract/monitoring/meter/meter-intensity'
import { isMainAmong } from '@zhugong/contract/monitoring/meter/meter-tree'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { Serve } from '#kit/serve'
import { byPages, exportOf, type ListContext } from '../../exports/registry.ts'
import { findDeviceRows } from '../shared/devices.ts'
import { rounded, textOr } from '../shared/family.ts'
import { cut, inRange, saysOf, sorted } from '../shared/in-memory.ts'
import { familyOfKind, meterKinds, ratioOf, registerOf } from './meter-kinds.ts'
import { findSettled } from './meter-months.ts'
import { countersOf, monthAfter, sumsOfSheet } from './meter-sheets.ts'
import { totalUsage } from './usage.ts'

export function meterIntensityRoutes(serve: Serve): void {
  serve(listIntensity, ({ query }, ctx) => intensityPage(ctx, query))
}

type Query = NonNullable<(typeof listIntensity)['types']>['parsed']['query']

/** Consumption of each site's main meters: settled months as settled, others from the registers. */
async function usageBySite(ctx: ListContext, { kind, month, projectCode }: Query) {
  const projects = projectsFor(ctx, projectCode)
  const family = familyOfKind(kind)
  const found = new Map<string, { usage: number; locked: boolean }>()
  for (const one of await findSettled(ctx, projects, kind, { from: month, until: month }))
    found.set(one.projectCode, { usage: sumsOfSheet(one.rows).totalUsage, locked: true })
  const open = (await findDeviceRows(ctx.db, family, projects)).rows.filter((one) => !found.has(one.projectCode))
  const mains = [...Map.groupBy(open, (one) => one.projectCode).values()].flatMap((own) => {
    const isMain = isMainAmong(own.map(({ id, params }) => ({ deviceId: id, parentId: textOr(params.parentId) })))
    return own.filter(({ id, params }) => isMain({ deviceId: id, parentId: textOr(params.parentId) }))
  })
  const period = { from: startOfDay(`${month}-01`), to: startOfDay(`${monthAfter(month)}-01`) }
  const counted = await countersOf(ctx, mains, family, meterKinds[family].counter, period)
  for (const main of mains) {
    const own = counted.get(main.id)
    if (!own?.spans.length) continue
    const { usage } = totalUsage(own.spans, ratioOf(main), own.before, registerOf(main))
    found.set(main.projectCode, { usage: (found.get(main.projectCode)?.usage ?? 0) + usage, locked: false })
  }
  return found
}

interface Site {
  projectCode: string
  projectName: string
  areaCode: string | null
  buildingArea: number | null
  workers: number | null
}

/** Adds attendance: mean number of people who entered, over days with any attendance. */
async function sitesOf(ctx: ListContext, codes: readonly string[], month: string): Promise<Site[]> {
  const { rows } = await sql<Site>`
    select p.project_code, p.name as project_name, p.area_code, p.building_area::float8 as building_area, w.workers
    from project p left join (
      select project_code, count(*)::float8 / count(distinct work_day) as workers from attendance_day
      where project_code = any (${[...codes]}) and first_in is not null and work_day >= ${`${month}-01`}::date and work_day < ${`${monthAfter(month)}-01`}::date
      group by 1) w on w.project_code = p.project_code
    where p.project_code = any (${[...codes]})`.execute(ctx.db)
  return rows
}

const orders = {
  usage: (r: SiteIntensity) => r.usage,
  perArea: (r: SiteIntensity) => r.perArea,
  perWorker: (r: SiteIntensity) => r.perWorker,
}

async function intensityPage(ctx: ListContext, query: Query): Promise<{ list: SiteIntensity[]; total: number }> {
  const usage = await usageBySite(ctx, query)
  const sites = await sitesOf(ctx, [...usage.keys()], query.month)
  const rows = sites.flatMap(({ areaCode, ...site }): SiteIntensity[] => {
    const used = usage.get(site.projectCode)
    if (!used) return []
    const { buildingArea, workers } = site
    return [
      {
        ...site,
        areaName: areaName(areaCode) ?? null,
        usage: rounded(used.usage, 2),
        locked: used.locked,
        perArea: buildingArea ? rounded((used.usage / buildingArea) * perSquareMetres, 2) : null,
        workers: workers === null ? null : rounded(workers, 1),
        perWorker: workers ? rounded(used.usage / workers, 2) : null,
      },
    ]
  })
  const wanted = rows.filter(
    (one) => saysOf(one.projectName, query.projectName) && inRange(one.perArea, query.perArea) && inRange(one.perWorker, query.perWorker),
  )
  return cut(sorted(wanted, query.sort ?? '-perArea', orders), query)
}

export function registerIntensityExport(): void {
  exportOf(
    intensityList,
    {
      title: '各项目水电用量对比',
      widths: { projectName: 28 },
      ...byPages(intensityPage),
    },
    {
      locked: (r) => (r.locked ? '已月结' : null),
    },
  )
}
