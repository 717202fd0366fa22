import { codesFor, permissionModules } from '@zhugong/contract/access/codes'
import * as contract from '@zhugong/contract/access/sight'
import { isReading } from '@zhugong/contract/apps/codes'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, condition, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { factsOf } from './find-rights.ts'
import { requireAbove, requireHeld } from './held.ts'
import { judge, moduleOf } from './rights.ts'
import { factsOfRole } from './role-facts.ts'

type Body = ParsedFor<typeof contract.setSight>['body']
type Rule = Row<'sightRule'> & { subjectName: string; projectName: string }

const moduleName = (module: string): string => permissionModules.find((one) => one.module === module)?.name ?? module
const modulesWords = (modules: readonly string[] | null): string => (modules ? `“${modules.map(moduleName).join('、')}”` : '全部模块')

const rules = sql`
  select s.*, coalesce(u.name, r.name, s.party) as subject_name, p.name as project_name
  from sight_rule s join project p using (project_code)
    left join member m on m.id = s.member_id left join app_user u on u.id = m.user_id left join role r on r.id = s.role_id`

function toRule(row: Rule, today: string): contract.SightRule {
  return rowOf(contract.sightRule, row, {
    kind: row.memberId ? 'member' : row.roleId ? 'role' : 'party',
    subjectId: row.memberId ?? row.roleId ?? row.party ?? '',
    subjectName: row.party ? (dictName('projectCorpType', row.party) ?? row.party) : row.subjectName,
    readOnly: row.shows && row.codes.every(isReading),
    moduleNames: (row.modules ?? []).map(moduleName),
    over: row.until !== null && row.until < today,
    createTime: formatInstant(row.createTime),
  })
}

export const listSight: HandlerOf<typeof contract.listSight> = async ({ query }, ctx) => {
  const { scope } = ctx
  const where = allOf(
    condition(sql`x.group_id = ${ctx.group.id}`),
    // Rules are listed only for projects the caller can see.
    ...(scope.all ? [] : [condition(sql`x.project_code = any (${[...scope.projects]})`)]),
    ...(query.memberId
      ? [
          condition(sql`(x.member_id = ${query.memberId} or x.role_id in (
            select mr.role_id from member_role mr join member m on m.id = mr.member_id
            where m.id = ${query.memberId} and m.group_id = ${ctx.group.id}))`),
        ]
      : []),
    ...(query.roleId ? [condition(sql`x.role_id = ${query.roleId}`)] : []),
    ...(query.projectCode ? [condition(sql`x.project_code = ${query.projectCode}`)] : []),
  )
  const today = formatDay(ctx.clock.now())
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Rule>`
    select * from (${rules}) x where ${where} order by coalesce(x.until < ${today}::date, false), x.create_time desc, x.id
    limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from (${rules}) x where ${where}`.execute(ctx.db)
  return { list: rows.map((row) => toRule(row, today)), total: counted[0]?.n ?? 0 }
}

export const setSight: HandlerOf<typeof contract.setSight> = async ({ body }, ctx) => {
  if (ctx.group.type === groupTypes.platform) throw new AppError('refused', '平台看得到全部项目，可见范围由各机构自己调整')
  requireSeen(ctx, body.projectCode)
  requireModules(ctx, body)
  if (body.until && body.until < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '截止日期不能早于今天', { field: 'until' })
  const subject = await subjectOf(ctx, body)
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('sightRule')
      .values({
        id,
        groupId: ctx.group.id,
        ...pick(body, 'memberId', 'roleId', 'party', 'projectCode', 'shows', 'modules', 'reason', 'until'),
        codes: subject.codes,
        grantBy: ctx.user.name,
      })
      .execute()
  } catch (error) {
    throw isUniqueViolation(error)
      ? new AppError('refused', `${subject.name}对此项目已有一条手工${body.shows ? '增加' : '移除'}，请先撤销它`)
      : error
  }
  const until = body.until ? `，至 ${body.until}` : ''
  ctx.note(
    `${body.shows ? '手工增加' : '手工移除'}${subject.name}对项目 ${body.projectCode} 的可见范围（${modulesWords(body.modules)}${until}）：${body.reason}`,
    id,
  )
  return { id }
}

export const liftSight: HandlerOf<typeof contract.liftSight> = async ({ params }, ctx) => {
  const { rows } = await sql<Rule>`select * from (${rules}) x where x.id = ${params.id} and x.group_id = ${ctx.group.id}`.execute(ctx.db)
  const rule = found(rows[0], '手工可见范围')
  requireSeen(ctx, rule.projectCode)
  const there = { projects: [rule.projectCode] }
  if (rule.party) requireRunning(ctx, rule.projectCode)
  else if (rule.shows) requireHeld(ctx, rule.codes, there)
  // Removing a hiding rule shows the project again, so the caller must hold the codes there.
  else requireHeld(ctx, await codesOfSubject(ctx, rule), there)
  await ctx.db.deleteFrom('sightRule').where('id', '=', rule.id).execute()
  const { subjectName } = toRule(rule, '')
  ctx.note(
    `撤销${rule.shows ? '手工增加' : '手工移除'}：${subjectName}，项目 ${rule.projectCode}（${modulesWords(rule.modules)}）`,
    rule.id,
  )
  return undefined
}

function requireSeen(ctx: Context, projectCode: string): void {
  if (!ctx.scope.all && !ctx.scope.projects.includes(projectCode))
    throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}

function requireModules(ctx: Context, body: Body): void {
  const type = body.party ? groupTypes.corporation : ctx.group.type
  const known = new Set(codesFor(type).map(moduleOf))
  const foreign = body.modules?.find((module) => !known.has(module))
  if (foreign) throw new AppError('invalidInput', `没有这个模块：${foreign}`, { field: 'modules' })
}

/** Only those who run the project, or the authority above it, may hide modules from a company's part. */
function requireRunning(ctx: Context, projectCode: string): void {
  if (ctx.scope.limited.includes(projectCode) || ctx.scope.supervised.includes(projectCode))
    throw new AppError('refused', '只有项目部、建设单位、施工总承包单位和监管机构可以对参建类型隐藏模块', { field: 'party' })
}

interface Subject {
  name: string
  /** The codes a showing rule grants. */
  codes: string[]
}

/** The subject of the rule, after checking that the caller may decide about it. */
async function subjectOf(ctx: Context, body: Body): Promise<Subject> {
  if (body.party) return partyOf(ctx, body, body.party)
  const who = await personOrRole(ctx, body)
  if (!body.shows) {
    if (who.administers)
      throw new AppError('refused', '管理员看得到本组全部项目，请先调整其角色', { field: body.memberId ? 'memberId' : 'roleId' })
    if (body.memberId) requireAbove(ctx, who.rights)
    else requireHeld(ctx, [...who.rights.codes], { projects: [body.projectCode] })
    return { name: who.name, codes: [] }
  }
  const codes = [...who.rights.codes].filter(
    (code) => (!body.modules || body.modules.includes(moduleOf(code))) && (!body.readOnly || isReading(code)),
  )
  const bare = body.modules?.find((module) => !codes.some((code) => moduleOf(code) === module))
  if (bare || codes.length === 0)
    throw new AppError('refused', `${who.name}的角色没有${bare ? `“${moduleName(bare)}”` : '任何模块'}的权限，请先给角色`, {
      field: 'modules',
    })
  if (codes.every((code) => reaches(who.rights.bounds.get(code)?.projects, body.projectCode)))
    throw new AppError('refused', `${who.name}已能看到此项目的${modulesWords(body.modules)}，无需手工增加`, { field: 'projectCode' })
  requireHeld(ctx, codes, { projects: [body.projectCode], until: body.until })
  return { name: who.name, codes }
}

const reaches = (projects: ReadonlySet<string> | null | undefined, project: string): boolean => !projects || projects.has(project)

async function partyOf(ctx: Context, body: Body, party: string): Promise<Subject> {
  if (body.shows) throw new AppError('invalidInput', '对参建类型只能隐藏，不能增加', { field: 'shows' })
  if (!dictionaryOf('projectCorpType')?.items.some((one) => one.code === party))
    throw new AppError('invalidInput', '没有这个参建类型', { field: 'party' })
  const name = dictName('projectCorpType', party) ?? party
  if (contract.seeingParts.includes(party)) throw new AppError('refused', `${name}依职责看得到整个项目，不能隐藏`, { field: 'party' })
  requireRunning(ctx, body.projectCode)
  return { name, codes: [] }
}

/** A member or role of the caller's group, with its rights before manual changes. */
async function personOrRole(ctx: Context, body: Pick<Body, 'memberId' | 'roleId'>) {
  if (body.roleId) {
    const facts = await factsOfRole(ctx, body.roleId)
    const { administrator } = await ctx.db
      .selectFrom('role')
      .select('administrator')
      .where('id', '=', body.roleId)
      .executeTakeFirstOrThrow()
    return {
      name: `角色“${facts.roles[0]?.name ?? ''}”`,
      rights: judge({ ...facts, hand: [] }, ctx.clock.now()),
      administers: administrator,
    }
  }
  const member = found(
    await ctx.db
      .selectFrom('member as m')
      .innerJoin('appUser as u', 'u.id', 'm.userId')
      .select(['m.id', 'm.userId', 'u.name'])
      .where('m.id', '=', body.memberId ?? '')
      .where('m.groupId', '=', ctx.group.id)
      .executeTakeFirst(),
    '组成员',
  )
  if (member.userId === ctx.user.id) throw new AppError('refused', '不能调整自己的可见范围，请由其他管理员办理', { field: 'memberId' })
  const facts = found(await factsOf(ctx.system, member.id, ctx.clock.now()), '组成员')
  const administers = await ctx.db
    .selectFrom('memberRole as mr')
    .innerJoin('role as r', 'r.id', 'mr.roleId')
    .select('r.id')
    .where('mr.memberId', '=', member.id)
    .where('mr.enable', '=', '1')
    .where('r.administrator', '=', true)
    .executeTakeFirst()
  return { name: member.name, rights: judge({ ...facts, hand: [] }, ctx.clock.now()), administers: administers !== undefined }
}

async function codesOfSubject(ctx: Context, rule: Rule): Promise<string[]> {
  const { rights } = await personOrRole(ctx, rule)
  return [...rights.codes].filter(
    (code) => (!rule.modules || rule.modules.includes(moduleOf(code))) && reaches(rights.bounds.get(code)?.projects, rule.projectCode),
  )
}
