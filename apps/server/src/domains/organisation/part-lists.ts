import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import * as contract from '@zhugong/contract/organisation/part-lists'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor, requireProject } from '#kit/context'
import { allOf, anyOf, between, contains, daysBetween, filtersOf, inAreas, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { areaPrefix } from '../access/public.ts'
import { hasArrived, isDue } from '../attendance/public.ts'
import { exportOf } from '../exports/registry.ts'
import { isBelow } from './registration.ts'

export function partListRoutes(serve: Serve) {
  serve(contract.companyProjects, companyProjects)
  serve(contract.bodyProjects, bodyProjects)
  serve(contract.changeBodyScope, changeBodyScope)
}

type CompanyQuery = Partial<NonNullable<(typeof contract.companyProjects)['types']>['parsed']['query']>
type PartContext = Pick<Context, 'db' | 'clock' | 'scope' | 'scopeChecks' | 'group'>
interface RawPart {
  id: string
  projectCode: string
  name: string
  corpType: string
  parentCorpName: string | null
  areaCode: string
  prjStatus: string
  entryTime: string
  exitTime: string | null
  contractAmount: number | null
  ownPeople: number
  attendanceRate: number | null
}

/** Days covered by an attendance rate. */
const rateDays = 7

/** The requested company: the caller's own, or any company for an authority or the platform. */
function corpOf(ctx: Pick<Context, 'group'>, requested: string | undefined): string {
  const own = ctx.group.type === groupTypes.corporation ? ctx.group.code : undefined
  const code = requested || own
  if (!code) throw new AppError('invalidInput', '请指明企业', { field: 'corpCode' })
  if (ctx.group.type === groupTypes.project || (own && own !== code)) throw new AppError('forbidden', '只能查看本企业的参建项目')
  return code
}

function partsOf(ctx: PartContext, query: CompanyQuery) {
  const corpCode = corpOf(ctx, query.corpCode)
  const today = formatDay(ctx.clock.now())
  const rows = sql`
    select pc.id, pc.project_code, p.name, pc.corp_type, uc.corp_name as parent_corp_name, p.area_code, p.prj_status,
      pc.entry_time::date::text as entry_time, pc.exit_time::date::text as exit_time, pc.contract_amount::float8 as contract_amount,
      (select count(*)::int from project_worker w where w.project_code = pc.project_code and w.corp_code = pc.corp_code and w.exit_time is null) as own_people,
      (select round(100.0 * count(*) filter (where ${hasArrived('d')}) / nullif(count(*) filter (where ${isDue('d')}), 0), 1)::float8 from attendance_day d
        where d.project_code = pc.project_code and d.corp_code = pc.corp_code
          and d.work_day between ${addDays(today, -rateDays)}::date and ${addDays(today, -1)}::date) as attendance_rate,
      (pc.exit_time is null and p.prj_status = ${projectStates.building})::int as running
    from project_corp pc join project p using (project_code) left join corporation uc on uc.corp_code = pc.parent_corp_code
    where pc.corp_code = ${corpCode} and ${allOf(...inProjects('pc.projectCode', projectsFor(ctx)))}`
  const where = filtersOf(query, {
    name: [contains, 'x.name'],
    corpType: [anyOf, 'x.corpType'],
    areaCode: [inAreas, 'x.areaCode'],
    prjStatus: [anyOf, 'x.prjStatus'],
    contractAmount: [between, 'x.contractAmount'],
    ownPeople: [between, 'x.ownPeople'],
    entryTime: [daysBetween, 'x.entryTime'],
    corpCode: 'elsewhere',
  })
  const order = orderBy(
    query.sort,
    {
      running: 'x.running',
      name: 'x.name',
      entryTime: 'x.entryTime',
      exitTime: 'x.exitTime',
      contractAmount: 'x.contractAmount',
      ownPeople: 'x.ownPeople',
      attendanceRate: 'x.attendanceRate',
    },
    '-running',
    'x.id',
  )
  return { rows, where, order }
}

const toPart = (r: RawPart) =>
  rowOf(contract.ofCompany, r, {
    corpTypeName: dictName('projectCorpType', r.corpType),
    areaName: areaName(r.areaCode),
    prjStatusName: dictName('projectState', r.prjStatus),
  })

const companyProjects: HandlerOf<typeof contract.companyProjects> = async ({ query }, ctx) => {
  const { rows, where, order } = partsOf(ctx, query)
  const { limit, offset } = pageSlice(query)
  const list = await sql<RawPart>`select * from (${rows}) x where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const { rows: sums } = await sql<{ total: number; building: number; people: number; left: number }>`
    select count(*)::int as total, coalesce(sum(running), 0)::int as building, coalesce(sum(own_people), 0)::int as people,
      count(*) filter (where exit_time is not null)::int as left from (${rows}) x where ${where}`.execute(ctx.db)
  const { total = 0, ...figures } = sums[0] ?? { building: 0, people: 0, left: 0 }
  return { list: list.rows.map(toPart), total, figures }
}

export function registerPartExports(): void {
  exportOf(
    contract.companyProjectList,
    {
      title: '企业参建项目',
      widths: { name: 32, parentCorpName: 28 },
      async count(ctx, query) {
        const { rows, where } = partsOf(ctx, query)
        const found = await sql<{ n: number }>`select count(*)::int as n from (${rows}) x where ${where}`.execute(ctx.db)
        return found.rows[0]?.n ?? 0
      },
      async *rows(ctx, query) {
        const { rows, where, order } = partsOf(ctx, query)
        yield* (await sql<RawPart>`select * from (${rows}) x where ${where} order by ${order}`.execute(ctx.db)).rows.map(toPart)
      },
    },
    {
      corpType: (r) => r.corpTypeName,
      areaCode: (r) => r.areaName,
      prjStatus: (r) => r.prjStatusName,
    },
  )
  exportOf(
    contract.bodyProjectList,
    {
      title: '机构管辖项目',
      widths: { name: 32, superviseOrgName: 28, reason: 32 },
      async count(ctx, query) {
        const { rows, where } = await reachOf(ctx, query)
        const found = await sql<{ n: number }>`select count(*)::int as n from (${rows}) x where ${where}`.execute(ctx.db)
        return found.rows[0]?.n ?? 0
      },
      async *rows(ctx, query) {
        const { rows, where, order } = await reachOf(ctx, query)
        yield* (await sql<RawReach>`select * from (${rows}) x where ${where} order by ${order}`.execute(ctx.db)).rows.map(toReach)
      },
    },
    {
      areaCode: (r) => r.areaName,
      prjStatus: (r) => r.prjStatusName,
      source: (r) => r.sourceName,
    },
  )
}

type BodyQuery = Partial<NonNullable<(typeof contract.bodyProjects)['types']>['parsed']['query']>
interface RawReach {
  projectCode: string
  name: string
  areaCode: string
  prjStatus: string
  source: keyof typeof contract.scopeSources
  superviseOrgName: string | null
  superviseNo: string | null
  otherGov: string | null
  since: string | null
  reason: string | null
}

/** An authority the caller may manage: its own, one below it, any for the platform. */
async function bodyOf(ctx: Pick<Context, 'db' | 'group'>, requested: string | undefined) {
  const code = requested || (ctx.group.type === groupTypes.government ? ctx.group.code : '')
  if (!code) throw new AppError('invalidInput', '请指明监管机构', { field: 'govCode' })
  if (ctx.group.type !== groupTypes.platform && !(await isBelow(ctx, code)))
    throw new AppError('forbidden', '只能查看本机构和下级机构的管辖项目')
  return found(await ctx.db.selectFrom('government').selectAll().where('govCode', '=', code).executeTakeFirst(), '监管机构')
}

async function reachOf(ctx: PartContext, query: BodyQuery) {
  const gov = await bodyOf(ctx, query.govCode)
  const added = [...gov.addedProjects]
  const removed = [...gov.removedProjects]
  const prefix = `${areaPrefix(gov.areaCode)}%`
  const notes = JSON.stringify(gov.scopeNotes)
  const rows = sql`
    select p.project_code, p.name, p.area_code, p.prj_status, p.supervise_no, s.name as supervise_org_name,
      case when p.project_code = any (${removed}) then 'removed' when p.project_code = any (${added}) then 'added'
        when p.area_code like ${prefix} then 'auto' else 'above' end as source,
      (select string_agg(g.name, '、' order by g.name) from government g
        where g.gov_code <> ${gov.govCode} and p.project_code = any (g.added_projects)) as other_gov,
      coalesce(${notes}::jsonb -> p.project_code ->> 'at', to_char(p.create_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD')) as since,
      ${notes}::jsonb -> p.project_code ->> 'reason' as reason
    from project p left join government s on s.gov_code = p.supervise_org
    where (p.area_code like ${prefix} or p.project_code = any (${added}) or p.supervise_org = ${gov.govCode})
      and ${allOf(...inProjects('p.projectCode', projectsFor(ctx)))}`
  const where = filtersOf(query, {
    name: [contains, 'x.name'],
    areaCode: [inAreas, 'x.areaCode'],
    prjStatus: [anyOf, 'x.prjStatus'],
    source: [anyOf, 'x.source'],
    govCode: 'elsewhere',
  })
  const order = orderBy(
    query.sort,
    { name: 'x.name', areaCode: 'x.areaCode', prjStatus: 'x.prjStatus', source: 'x.source', since: 'x.since' },
    'name',
    'x.projectCode',
  )
  return { gov, rows, where, order }
}

const toReach = (r: RawReach): contract.BodyProject => ({
  ...r,
  areaName: areaName(r.areaCode),
  prjStatusName: dictName('projectState', r.prjStatus),
  sourceName: contract.scopeSources[r.source],
  since: r.since?.slice(0, 10) ?? null,
})

const bodyProjects: HandlerOf<typeof contract.bodyProjects> = async ({ query }, ctx) => {
  const { rows, where, order } = await reachOf(ctx, query)
  const { limit, offset } = pageSlice(query)
  const list = await sql<RawReach>`select * from (${rows}) x where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const { rows: sums } = await sql<{ total: number; reach: number; byHand: number; shared: number; unnumbered: number }>`
    select count(*)::int as total, count(*) filter (where source <> 'removed')::int as reach,
      count(*) filter (where source in ('added', 'removed'))::int as by_hand, count(*) filter (where other_gov is not null)::int as shared,
      count(*) filter (where source <> 'removed' and coalesce(supervise_no, '') = '')::int as unnumbered from (${rows}) x where ${where}`.execute(
    ctx.db,
  )
  const { total = 0, ...figures } = sums[0] ?? { reach: 0, byHand: 0, shared: 0, unnumbered: 0 }
  return {
    list: list.rows.map(toReach),
    total,
    figures,
    mayChange: ctx.group.type === groupTypes.platform && ctx.codes.has('government.edit'),
  }
}

/** Only the platform grants an authority projects outside its area; it takes effect with the members' next request. */
const changeBodyScope: HandlerOf<typeof contract.changeBodyScope> = async ({ body }, ctx) => {
  const gov = await bodyOf(ctx, body.govCode)
  requireProject(ctx, body.projectCode)
  const project = found(
    await ctx.db.selectFrom('project').select(['name', 'areaCode']).where('projectCode', '=', body.projectCode).executeTakeFirst(),
    '项目',
  )
  const inArea = project.areaCode.startsWith(areaPrefix(gov.areaCode))
  const isRemoved = gov.removedProjects.includes(body.projectCode)
  const isThere = !isRemoved && (inArea || gov.addedProjects.includes(body.projectCode))
  if (body.action === 'add' && isThere) throw new AppError('refused', '该项目已在管辖范围内', { field: 'projectCode' })
  if (body.action === 'remove' && !isThere) throw new AppError('refused', '该项目不在管辖范围内', { field: 'projectCode' })
  const others = (list: readonly string[]) => list.filter((code) => code !== body.projectCode)
  const { [body.projectCode]: _before, ...notes } = gov.scopeNotes
  const note = { reason: body.reason, by: ctx.user.name, at: formatInstant(new Date(ctx.clock.now())) }
  await changeRow(ctx, 'government', {
    key: { govCode: gov.govCode },
    version: gov.version,
    noun: '机构',
    by: ctx.user.id,
    values: {
      addedProjects: body.action === 'add' && !inArea ? [...others(gov.addedProjects), body.projectCode] : others(gov.addedProjects),
      removedProjects:
        body.action === 'remove' && inArea ? [...others(gov.removedProjects), body.projectCode] : others(gov.removedProjects),
      scopeNotes: JSON.stringify(body.action === 'restore' ? notes : { ...notes, [body.projectCode]: note }),
    },
  })
  const words = { add: '增加', remove: '移出', restore: '恢复' }[body.action]
  ctx.note(`${words}管辖项目 ${project.name}：${gov.name}`, gov.govCode)
  return undefined
}
