import { keyPosts } from '@zhugong/contract/attendance/facts'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { hectaresOf, placeOutside, ringsOf } from '@zhugong/contract/organisation/fence'
import { projectBody } from '@zhugong/contract/organisation/model'
import * as contract from '@zhugong/contract/organisation/project-views'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, inAreas, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { awaits } from '../alarms/public.ts'
import { storedFence } from './fences.ts'
import { formFacts } from './form-info.ts'
import { createProject } from './project-opening.ts'
import { getRaw, type RawProject } from './project-rows.ts'
import { missingForStart } from './project-rules.ts'
import { fillProject, listProjects, updateProject } from './projects.ts'
import { isOfArea } from './registration.ts'

export function projectViewRoutes(serve: Serve) {
  serve(contract.listProjectsV1, ({ query }, ctx) => listProjects({ query }, ctx))
  serve(contract.createProjectV1, ({ body }, ctx) => createProject({ body }, ctx))
  serve(contract.updateProjectV1, async ({ params, body }, ctx) =>
    updateProject({ params: { projectCode: await codeOf(ctx, params.id) }, body }, ctx),
  )
  serve(contract.getProjectV1, async ({ params }, ctx) => fillProject({ params: { projectCode: await codeOf(ctx, params.id) } }, ctx))
  serve(contract.fillProjectV1, async ({ params }, ctx) => fillProject({ params: { projectCode: await codeOf(ctx, params.id) } }, ctx))
  serve(contract.fastProjectInfo, ({ query }, ctx) => beginningOf(ctx, query))
  serve(contract.projectFormInfo, async ({ query }, ctx) => ({ ...(await beginningOf(ctx, query)), ...formFacts(projectBody) }))
  serve(contract.findProjects, findProjects)
  serve(contract.safetyCheckInfo, safetyCheckInfo)
  serve(contract.fetchSuperviseNo, fetchSuperviseNo)
  serve(contract.progressByArea, progressByArea)
  serve(contract.projectOverview, projectOverview)
}

/** Older clients identify a project by id, newer ones by code. */
async function codeOf(ctx: Context, id: string): Promise<string> {
  const within = allOf(...inProjects('projectCode', projectsFor(ctx)))
  const row = await ctx.db
    .selectFrom('project')
    .select('projectCode')
    .where((eb) => eb.or([eb('id', '=', id), eb('projectCode', '=', id)]))
    .where(within)
    .executeTakeFirst()
  return found(row, '项目').projectCode
}

async function beginningOf(ctx: Context, { name, areaCode }: { name?: string | undefined; areaCode?: string | undefined }) {
  const { type, code, areaCode: own } = ctx.group
  const same =
    name && areaCode
      ? await ctx.db
          .selectFrom('project')
          .select(['projectCode', 'name', 'prjStatus'])
          .where('name', '=', name)
          .where('areaCode', '=', areaCode)
          .limit(5)
          .execute()
      : []
  return {
    // A project needs a district, so a whole city is not used as the default area.
    areaCode: own && !own.endsWith('00') ? own : null,
    superviseOrg: type === groupTypes.government ? code : null,
    contractorCorpCode: type === groupTypes.corporation ? code : null,
    same: same.map((p) => ({ projectCode: p.projectCode, name: p.name, prjStatusName: dictName('projectState', p.prjStatus) })),
  }
}

const hasFence = condition(sql`p.area_rule is not null and p.area_rule <> 'null'::jsonb`)

const findProjects: HandlerOf<typeof contract.findProjects> = async ({ query }, ctx) => {
  const where: Condition = allOf(
    ...inProjects('p.projectCode', projectsFor(ctx)),
    ...equals('p.enable', '1'),
    ...contains('p.name', query.name),
    ...inAreas('p.areaCode', query.areaCode),
    ...anyOf('p.prjStatus', query.prjStatus),
    ...(query.fenced === undefined ? [] : [query.fenced ? hasFence : condition(sql`not (${hasFence})`)]),
  )
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<
    Pick<RawProject, 'projectCode' | 'name' | 'areaCode' | 'prjStatus' | 'lng' | 'lat' | 'areaRule' | 'openAlarms'>
  >`
    select p.project_code, p.name, p.area_code, p.prj_status, p.lng, p.lat, p.area_rule,
      (select count(*)::int from alarm a where a.project_code = p.project_code and ${awaits('a')}) as open_alarms
    from project p where ${where} order by p.area_code, p.name, p.project_code limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from project p where ${where}`.execute(ctx.db)
  const list = rows.map((p) => {
    const rings = ringsOf(p.areaRule)
    const off = placeOutside(p, rings)
    return rowOf(rowSchemaOf(contract.findProjects), p, {
      areaName: areaName(p.areaCode),
      prjStatusName: dictName('projectState', p.prjStatus),
      hectares: hectaresOf(rings),
      offsetMeters: off === null ? null : Math.round(off),
      areaRule: query.with === 'areaRule' ? storedFence(p.areaRule) : undefined,
    })
  })
  return { list, total: total.rows[0]?.n ?? 0 }
}

/** The company responsible for each key post. */
const unitOfPost = (post: string) => (post.startsWith('2') ? '建设单位' : ['1001', '1004'].includes(post) ? '监理单位' : '施工单位')

/** Every key post with the names of its current holders; reads the stays of labour. */
async function keyPostsOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const { rows } = await sql<{ post: string; name: string }>`
    select pw.post, pw.worker_name as name from project_worker pw
    where pw.project_code = ${projectCode} and pw.exit_time is null and pw.post = any (${Object.keys(keyPosts)}) order by pw.worker_name`.execute(
    ctx.db,
  )
  return Object.keys(keyPosts).map((post) => ({
    post,
    name: dictName('managerPost', post) ?? post,
    unit: unitOfPost(post),
    holders: rows.filter((row) => row.post === post).map((row) => row.name),
  }))
}

const safetyCheckInfo: HandlerOf<typeof contract.safetyCheckInfo> = async ({ params }, ctx) => {
  const p = await getRaw(ctx, await codeOf(ctx, params.id))
  const alarms = await sql<{ level: number; count: number }>`
    select a.level::int as level, count(*)::int as count from alarm a where a.project_code = ${p.projectCode} and ${awaits('a')} group by 1 order by 1`.execute(
    ctx.db,
  )
  const states = await ctx.db
    .selectFrom('projectStateLog')
    .select(['at', 'toState', 'reason'])
    .where('projectCode', '=', p.projectCode)
    .orderBy('at', 'desc')
    .limit(10)
    .execute()
  return {
    ...pick(p, 'projectCode', 'name', 'prjStatus', 'contractorCorpName', 'superviseOrgName', 'superviseNo', 'onSite'),
    prjStatusName: dictName('projectState', p.prjStatus),
    phaseName: dictName('projectPhase', p.phase),
    machines: await machinesOf(ctx, p.projectCode),
    alarms: alarms.rows,
    keyPosts: await keyPostsOf(ctx, p.projectCode),
    missing: await missingForStart(ctx.db, p),
    states: states.map((s) => ({
      at: formatInstant(s.at),
      toState: s.toState,
      toStateName: dictName('projectState', s.toState),
      reason: s.reason,
    })),
  }
}

async function machinesOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from device where project_code = ${projectCode}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Supervision number: the authority's code, the year and a four-digit running number, as in 420202001-2026-0007. */
const fetchSuperviseNo: HandlerOf<typeof contract.fetchSuperviseNo> = async ({ body }, ctx) => {
  const p = await getRaw(ctx, body.projectCode)
  if (!isOfArea(ctx, p.areaCode)) throw new AppError('forbidden', '只能办理本辖区的项目')
  if (p.superviseNo) return { superviseNo: p.superviseNo }
  if (!p.superviseOrg) throw new AppError('refused', '项目还没有监督机构，请先指派', { field: 'projectCode' })
  if (p.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  const front = `${p.superviseOrg}-${formatDay(ctx.clock.now()).slice(0, 4)}-`
  // The lock gives concurrent requests different numbers.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`superviseNo ${front}`}, 0))`.execute(ctx.db)
  const { rows } = await sql<{ last: string | null }>`
    select max(supervise_no) as last from project where supervise_no like ${`${front}%`} and supervise_no ~ '-[0-9]{4}$'`.execute(
    ctx.system,
  )
  const superviseNo = `${front}${String(Number(rows[0]?.last?.slice(-4) ?? 0) + 1).padStart(4, '0')}`
  await changeRow(ctx, 'project', {
    key: { projectCode: p.projectCode },
    version: p.version,
    noun: '项目',
    by: ctx.user.id,
    values: { superviseNo },
  })
  ctx.note(`赋监督登记号：${p.name}`, p.projectCode)
  return { superviseNo }
}

const progressByArea: HandlerOf<typeof contract.progressByArea> = async (_, ctx) => {
  const today = formatDay(ctx.clock.now())
  const within = allOf(...inProjects('p.projectCode', projectsFor(ctx)))
  const { rows } = await sql<{
    areaCode: string
    projects: number
    building: number
    stopped: number
    finished: number
    late: number
    elapsed: number | null
    byPhase: Record<string, number> | null
  }>`
    select p.area_code, count(*)::int as projects, (count(*) filter (where p.prj_status = '003'))::int as building,
      (count(*) filter (where p.prj_status = '005'))::int as stopped,
      (count(*) filter (where p.prj_status = any (${[projectStates.accepted, projectStates.finished, projectStates.closed]})))::int as finished,
      (count(*) filter (where p.prj_status = '003' and p.complete_date < ${today}::date))::int as late,
      avg(least(1, greatest(0, (${today}::date - p.start_date)::float8 / greatest(1, p.complete_date - p.start_date)))) filter (
        where p.prj_status = '003' and p.start_date is not null and p.complete_date is not null) as elapsed,
      (select jsonb_object_agg(x.phase, x.n) from (select q.phase, count(*)::int as n from project q
         where q.area_code = p.area_code and q.prj_status = '003' and q.phase is not null and ${allOf(...inProjects('q.projectCode', projectsFor(ctx)))} group by 1) x) as by_phase
    from project p where ${within} group by p.area_code order by projects desc, p.area_code`.execute(ctx.db)
  const list = rows.map((r) => ({
    ...r,
    areaName: areaName(r.areaCode) ?? r.areaCode,
    elapsed: r.elapsed === null ? null : Math.round(r.elapsed * 1000) / 1000,
    byPhase: r.byPhase ?? {},
  }))
  return { list, total: list.length }
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

const projectOverview: HandlerOf<typeof contract.projectOverview> = async ({ query }, ctx) => {
  const p = await getRaw(ctx, oneProject(ctx, query.projectCode))
  const { rows } = await sql<{ units: number; teams: number }>`
    select (select count(distinct corp_code)::int from project_corp where project_code = ${p.projectCode} and exit_time is null) as units,
      (select count(*)::int from team where project_code = ${p.projectCode} and exit_time is null) as teams`.execute(ctx.db)
  const posts = await keyPostsOf(ctx, p.projectCode)
  const began = p.actualStartDate
  return {
    ...pick(p, 'projectCode', 'name', 'onSite', 'openAlarms'),
    units: rows[0]?.units ?? 0,
    teams: rows[0]?.teams ?? 0,
    machines: await machinesOf(ctx, p.projectCode),
    keyPosts: posts.length,
    keyPostsHeld: posts.filter((post) => post.holders.length > 0).length,
    daysGone: began ? Math.max(0, daysBetween(began, p.actualCompleteDate ?? formatDay(ctx.clock.now()))) : null,
    daysPlanned: p.startDate && p.completeDate ? daysBetween(p.startDate, p.completeDate) : null,
  }
}
