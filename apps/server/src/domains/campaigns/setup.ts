import type { campaignPeople } from '@zhugong/contract/campaigns/calls'
import { campaignLevels, leastOfGroup, type MemberInput } from '@zhugong/contract/campaigns/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, contains, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { sheetOf } from '../scoring/public.ts'
import { conflictsFor, keyOf } from './conflicts.ts'
import type { BodyOf } from './tasks.ts'

export type Fields = Omit<BodyOf<'save'>, 'action' | 'version'>
const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The columns that a draft fills. */
export const draftValues = ({ groups: _groups, quotas: _quotas, sheets: _sheets, ...columns }: Fields) => columns

interface Known {
  id: string
  name: string
  unit: string
}

/** Replaces groups, quotas and sheets of a draft. @throws AppError at the field of a person who cannot be in it */
export async function writeSetup(ctx: Context, campaignId: string, { groups, quotas, sheets }: Fields): Promise<void> {
  for (const table of ['campaign_quota', 'campaign_group', 'campaign_member', 'campaign_sheet'])
    await sql`delete from ${sql.table(table)} where campaign_id = ${campaignId}`.execute(ctx.db)
  const people = groups.flatMap((one) => one.members)
  const users = await usersOf(
    ctx,
    people.flatMap((one) => one.userId ?? []),
  )
  const experts = await expertsOf(
    ctx,
    people.flatMap((one) => one.expertId ?? []),
  )
  const seen = new Set<string>()
  const members = groups.flatMap((group, groupSeq) =>
    group.members.map((one, seq) => {
      const field = `groups.${groupSeq}.members`
      const known = knownOf(one, users, experts, field)
      for (const id of [one.userId, one.expertId])
        if (id) {
          if (seen.has(id)) throw wrong(field, `${known.name}已在另一处编组`)
          seen.add(id)
        }
      return { campaignId, groupSeq, seq, ...one, name: known.name, unit: known.unit }
    }),
  )
  const strange = sheets.findIndex((one) => !sheetOf(one.sheetCode))
  if (strange >= 0) throw wrong(`sheets.${strange}.sheetCode`, '没有这张检查表')
  if (groups.length > 0)
    await ctx.db
      .insertInto('campaignGroup')
      .values(groups.map(({ name, areaCode }, seq) => ({ campaignId, seq, name, areaCode })))
      .execute()
  if (members.length > 0) await ctx.db.insertInto('campaignMember').values(members).execute()
  if (quotas.length > 0)
    await ctx.db
      .insertInto('campaignQuota')
      .values(quotas.map((one, seq) => ({ campaignId, seq, ...one })))
      .execute()
  if (sheets.length > 0)
    await ctx.db
      .insertInto('campaignSheet')
      .values(sheets.map((one, seq) => ({ campaignId, seq, ...one })))
      .execute()
}

function knownOf({ userId, expertId }: MemberInput, users: Map<string, Known>, experts: Map<string, Known>, field: string): Known {
  const expert = expertId ? experts.get(expertId) : undefined
  const user = userId ? users.get(userId) : undefined
  if (userId && !user) throw wrong(field, '人员不是本机构的账号')
  if (expertId && !expert) throw wrong(field, '专家不在库或已停用')
  const known = expert ?? user
  if (!known) throw wrong(field, '请选择人员或专家')
  return known
}

const accounts = (
  ctx: Context,
) => sql`select u.id, u.name, ${ctx.group.name}::text as unit from member m join app_user u on u.id = m.user_id
  where m.group_id = ${ctx.group.id} and m.enable = '1' and u.enable = '1'
    and (m.deadline is null or m.deadline >= ${formatDay(ctx.clock.now())}::date)`

async function usersOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`select * from (${accounts(ctx)}) u where u.id = any (${[...ids]})`.execute(ctx.db)
  return new Map(rows.map((one) => [one.id, one]))
}

const listed = sql`select e.id, e.name, e.work_unit as unit from expert e where e.state = '2'`
async function expertsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`select * from (${listed}) e where e.id = any (${[...ids]})`.execute(ctx.db)
  return new Map(rows.map((one) => [one.id, one]))
}

/** @throws AppError at what a campaign lacks to be issued */
export function requireComplete(ctx: Context, given: Fields): void {
  const today = formatDay(ctx.clock.now())
  if (given.endDate < given.startDate) throw wrong('endDate', '结束日期不能早于开始日期')
  if (given.endDate < today) throw wrong('endDate', '结束日期不能早于今天')
  if (!campaignLevels[given.level]) throw wrong('level', '请选择督查层级')
  if (given.groups.length === 0) throw wrong('groups', '请设置检查组')
  const names = given.groups.map((one) => one.name)
  for (const [at, { name, members }] of given.groups.entries()) {
    if (names.indexOf(name) !== at) throw wrong(`groups.${at}.name`, '检查组名称重复')
    if (members.length < leastOfGroup) throw wrong(`groups.${at}.members`, `${name}不足 ${leastOfGroup} 人`)
    const leaders = members.filter((one) => one.leader)
    if (leaders.length !== 1) throw wrong(`groups.${at}.members`, `${name}须有一名组长`)
    if (!leaders[0]?.userId) throw wrong(`groups.${at}.members`, `${name}的组长须是本机构的账号`)
  }
  if (given.sheets.length === 0) throw wrong('sheets', '请选择检查表')
  if (given.drawMode === '2' && given.quotas.length === 0) throw wrong('quotas', '请填写抽取名额')
  const disciplines = new Set(given.sheets.map((one) => one.discipline))
  for (const [at, { name, members }] of given.groups.entries()) {
    const missing = [...disciplines].find((code) => !members.some((one) => one.disciplines.includes(code)))
    if (missing) throw wrong(`groups.${at}.members`, `${name}没有人负责${dictName('checkDiscipline', missing)}专业`)
  }
}

/** Projects that a person must not check, named in the list. */
const mostExamples = 3

export const readPeople: HandlerOf<typeof campaignPeople> = async ({ query }, ctx) => {
  const isUser = query.kind === 'user'
  const from = isUser ? accounts(ctx) : listed
  const where = allOf(...contains('p.name', query.name))
  const { limit, offset } = pageSlice({ page: 1, size: mostPeople })
  const { rows } = await sql<Known>`select * from (${from}) p where ${where} order by p.name, p.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const people = rows.map(({ id }) => ({ userId: isUser ? id : null, expertId: isUser ? null : id }))
  const conflicts = await conflictsFor(ctx, people, undefined)
  const all = rows.map((one, at) => ({ ...one, why: [...(conflicts.get(keyOf(people[at] ?? { userId: null, expertId: null })) ?? [])] }))
  const named = await namesOf(
    ctx,
    all.flatMap(({ why }) => why.slice(0, mostExamples).map(([code]) => code)),
  )
  return {
    list: all.map(({ why, ...one }) => ({
      ...one,
      conflicts: why.length,
      examples: why
        .slice(0, mostExamples)
        .map(([projectCode, reason]) => ({ projectCode, projectName: named.get(projectCode) ?? projectCode, why: reason })),
    })),
    total: all.length,
  }
}
const mostPeople = 200

async function namesOf(ctx: Context, codes: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ projectCode: string; name: string }>`select project_code, coalesce(short_name, name) as name from project
    where project_code = any (${[...codes]})`.execute(ctx.db)
  return new Map(rows.map((one) => [one.projectCode, one.name]))
}
