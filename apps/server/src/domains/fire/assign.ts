import { type Assessor, type fireMoves, leastAssessors } from '@zhugong/contract/fire/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '#kit/context'
import { drawRun, freezeList } from '../draw/public.ts'
import { tellOne } from '../notify/public.ts'
import type { Outcome } from '../process/public.ts'
import type { FireCase } from './fire-case.ts'

type Body = z.output<z.ZodObject<typeof fireMoves.assign.asks>>

export interface Person extends Assessor {
  unit: string
  /** Why it cannot be assigned; null: it can. */
  recused: string | null
  /** Open cases. */
  load: number
}

/** Officers of the authority, and experts, with why they cannot assess a case of this project: who works for a unit of it does not. */
export async function peopleFor(ctx: Pick<Context, 'db' | 'system' | 'group'>, projectCode: string): Promise<Person[]> {
  const units = await sql<{ code: string; name: string }>`select distinct u.corp_code as code, k.corp_name as name from project_corp u
    join corporation k using (corp_code) where u.project_code = ${projectCode}`.execute(ctx.system)
  const codes = units.rows.map((one) => one.code)
  const officers = await sql<{ userId: string; name: string; works: string | null }>`select u.id as user_id, u.name,
      (select t.name from member m join tenant t on t.id = m.group_id where m.user_id = u.id and m.enable = '1'
        and (t.type = 2 and t.code = any (${codes}) or t.type = 3 and t.code = ${projectCode}) limit 1) as works
    from app_user u join member o on o.user_id = u.id and o.group_id = ${ctx.group.id} and o.enable = '1'
    where u.enable = '1' order by u.name, u.id limit 300`.execute(ctx.system)
  const experts = await sql<{
    expertId: string
    name: string
    unit: string
  }>`select e.id as expert_id, e.name, e.work_unit as unit from expert e
    order by e.name, e.id limit 300`.execute(ctx.db)
  const load = await sql<{ name: string; n: number }>`select x.name, count(*)::int as n from fire_case c
    cross join lateral unnest(c.assessors) as x (name) where c.state in ('3', '4') group by 1`.execute(ctx.db)
  const loads = new Map(load.rows.map((one) => [one.name, one.n]))
  const bare = (name: string) => name.replace(/\s/g, '')
  const names = new Set(units.rows.map((one) => bare(one.name)))
  return [
    ...officers.rows.map(({ userId, name, works }) => ({
      userId,
      expertId: null,
      name,
      unit: ctx.group.name,
      recused: works && `任职于${works}`,
      load: loads.get(name) ?? 0,
    })),
    ...experts.rows.map(({ expertId, name, unit }) => ({
      userId: null,
      expertId,
      name,
      unit,
      recused: names.has(bare(unit)) ? '工作单位是项目参建单位' : null,
      load: loads.get(name) ?? 0,
    })),
  ]
}

/** Draws officers by the platform's draw; the list, the seed and the order are kept. */
async function drawn(ctx: Context, people: readonly Person[], seats: number): Promise<Person[]> {
  const free = people.filter((one) => one.userId !== null && one.recused === null)
  if (free.length < seats) throw new AppError('invalidInput', `可抽取的评定人员只有 ${free.length} 名`, { field: 'drawn' })
  const objectId = ctx.newId()
  const subject = { kind: 'fireAssessors', objectId }
  await freezeList(ctx, {
    ...subject,
    audience: [ctx.group.id],
    list: {
      lots: free.map((one) => ({ key: one.userId ?? '', classes: ['评定人员'], unit: '' })),
      quotas: [{ name: '评定人员', seats }],
      perUnit: null,
    },
  })
  const [result] = await drawRun(ctx, { ...subject, groups: [ctx.group.id], shownAt: null, witnesses: [] })
  return (result?.seats ?? []).flatMap((key) => free.filter((one) => one.userId === key))
}

/** Names or draws the assessors. @throws AppError `invalidInput` at `assessors` */
export async function assignTeam(ctx: Context, row: FireCase, body: Body): Promise<Outcome<FireCase>> {
  const people = await peopleFor(ctx, row.projectCode)
  const refuse = (message: string) => new AppError('invalidInput', message, { field: 'assessors' })
  const named = body.assessors.map((given) => {
    const known = people.find((one) => (given.userId ? one.userId === given.userId : one.expertId === given.expertId))
    if (!known) throw refuse(`${given.name}不是本机构人员或专家`)
    if (known.recused) throw refuse(`${known.name}须回避：${known.recused}`)
    return known
  })
  const team = body.drawn === null ? named : await drawn(ctx, people, body.drawn)
  if (team.length < leastAssessors) throw refuse(`评定人员至少 ${leastAssessors} 名`)
  if (!team.some((one) => one.userId !== null)) throw refuse('至少一名评定人员须有本机构账号')
  if (new Set(team.map((one) => one.name)).size !== team.length) throw refuse('评定人员重复')
  const { id: caseId, projectCode, corpCode } = row
  await sql`delete from fire_assessor where case_id = ${caseId}`.execute(ctx.db)
  await ctx.db
    .insertInto('fireAssessor')
    .values(
      team.map(({ userId, expertId, name, unit }, seq) => ({
        caseId,
        projectCode,
        corpCode,
        shownAt: null,
        groups: row.groups,
        seq,
        userId,
        expertId,
        name,
        unit,
      })),
    )
    .execute()
  const assessorIds = team.flatMap((one) => one.userId ?? [])
  const assessors = team.map((one) => one.name)
  ctx.afterCommit(async () => {
    for (const userId of assessorIds.filter((one) => one !== ctx.user.id && !row.assessorIds.includes(one)))
      await tellOne(
        ctx.system,
        {
          userId,
          kind: 'fireAssess',
          title: '您有新的消防现场评定',
          text: row.projectName,
          link: `/fireProtection/assessmentDetail?id=${caseId}`,
        },
        ctx.clock.now(),
      )
  })
  const values = { assessorIds, assessors, assessDate: body.assessDate ?? row.assessDate }
  return { values, opinion: `${body.drawn === null ? '指定' : '随机抽取'}：${assessors.join('、')}` }
}
