import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, condition, equals, filtersOf, inProjects } from '#kit/list'
import { machinesInUse, machinesOnline } from './in-use.ts'

const dimensions = {
  category: { key: sql`d.family`, name: sql`d.family` },
  project: { key: sql`d.project_code`, name: sql`max(p.name)` },
  brand: { key: sql`d.brand_id`, name: sql`max(d.brand_name)` },
  factory: { key: sql`d.factory_id`, name: sql`max(d.factory_name)` },
  model: { key: sql`d.model_id`, name: sql`max(d.model_name)` },
  provider: { key: sql`d.provider_id`, name: sql`(select f.name from factory f where f.id = d.provider_id)` },
} as const
type Dimension = keyof typeof dimensions

/** Device families required on every active site: dust monitors by municipal rules on site emissions, gates by the real-name rules. */
const required: readonly { family: string; why: string }[] = [
  { family: 'environment', why: '在建项目须安装扬尘噪声监测' },
  { family: 'faceGate', why: '在建项目须实行实名制考勤' },
]
const inProgress = '3'

interface StatsQuery {
  projectCode?: string | undefined
  groupBy?: string | undefined
  brandId?: string | undefined
  factoryId?: string | undefined
  modelId?: string | undefined
  providerId?: string | undefined
}

export async function deviceStats(ctx: Context, query: StatsQuery) {
  const requested = (query.groupBy ?? 'category').split(',').map((one) => (one.trim() === 'family' ? 'category' : one.trim()))
  const wanted = (Object.keys(dimensions) as Dimension[]).filter((d) => requested.includes(d))
  // Unknown dimensions are ignored: older clients send their own.
  const by: Dimension[] = wanted.length ? wanted : ['category']
  // The family is part of every result that is not only about makers or sites.
  if (by.includes('project') && by.length === 1 && !query.brandId && !query.factoryId && !query.modelId && !query.providerId)
    by.push('category')
  const has = (d: Dimension) => by.includes(d)
  const lead = by.find((d) => d !== 'category') ?? 'category'
  const projects = projectsFor(ctx, query.projectCode)
  const where = allOf(
    ...inProjects('d.project_code', projects),
    filtersOf(query, {
      brandId: [equals, 'd.brand_id'],
      factoryId: [equals, 'd.factory_id'],
      modelId: [equals, 'd.model_id'],
      providerId: [equals, 'd.provider_id'],
      projectCode: 'elsewhere',
      groupBy: 'elsewhere',
    }),
  )
  const keys = by.map((d) => dimensions[d].key)
  const { rows } = await sql<{
    key: string | null
    name: string | null
    family: string | null
    projectCode: string | null
    projectName: string | null
    all: number
    inUse: number
    online: number
    alarming: number
  }>`
    select ${dimensions[lead].key} as key, ${dimensions[lead].name} as name, ${has('category') ? sql`d.family` : sql`null::text`} as family,
      ${has('project') ? sql`d.project_code` : sql`null::text`} as project_code, ${has('project') ? sql`max(p.name)` : sql`null::text`} as project_name,
      count(*)::int as all, ${machinesInUse} as in_use, ${machinesOnline} as online,
      count(*) filter (where exists (select 1 from alarm a where a.device_id = d.id and a.active and not a.simulated))::int as alarming
    from device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id
    where ${where} group by ${sql.join(keys)} order by ${sql.join(keys)}`.execute(ctx.db)
  const familyName = (key: string | null) => (key ? (familyOf(key)?.name ?? key) : '')
  return {
    all: rows.reduce((sum, r) => sum + r.all, 0),
    inUse: rows.reduce((sum, r) => sum + r.inUse, 0),
    online: rows.reduce((sum, r) => sum + r.online, 0),
    gaps: has('project') && lead === 'project' ? await findGaps(ctx, projects) : [],
    groups: rows.map((r) => ({
      ...r,
      key: r.key ?? '',
      name: lead === 'category' ? familyName(r.key) : (r.name ?? '未登记'),
      family: r.family ?? '',
      familyName: familyName(r.family),
    })),
  }
}

async function findGaps(ctx: Context, projects: readonly string[] | undefined) {
  const { rows } = await sql<{ projectCode: string; projectName: string; family: string }>`
    select p.project_code, p.name as project_name, r.family from project p cross join unnest(${required.map((r) => r.family)}::text[]) r(family)
    where ${allOf(...inProjects('p.project_code', projects), condition(sql`p.prj_status = ${inProgress}`))}
      and not exists (select 1 from device d where d.project_code = p.project_code and d.family = r.family and d.status in ('0', '1')) order by p.name, r.family`.execute(
    ctx.db,
  )
  return rows.map((r) => ({
    ...r,
    familyName: familyOf(r.family)?.name ?? r.family,
    why: required.find((one) => one.family === r.family)?.why ?? '',
  }))
}
