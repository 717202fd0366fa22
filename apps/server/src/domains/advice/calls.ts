import * as contract from '@zhugong/contract/advice/calls'
import { complaint } from '@zhugong/contract/advice/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { isDictCode } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { condition, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { tellOne } from '../notify/public.ts'
import { type Outcome, replaceTodos, take, writeLog } from '../process/public.ts'
import { addresseeBy, addresseesOf } from './addressees.ts'
import { readAdvice } from './detail.ts'
import { type Advice, adviceKind, maskOf, pageOf, toStated } from './kind.ts'
import { conditions, countRows, countsOf, handles, itemFor, readRows } from './rows.ts'
import { closest } from './similar.ts'

export function adviceRoutes(serve: Serve): void {
  serve(contract.listAdvice, listAdvice)
  serve(contract.adviceAddressees, adviceAddressees)
  serve(contract.similarAdvice, similarAdvice)
  serve(contract.getAdvice, readAdvice)
  serve(contract.submitAdvice, submitAdvice)
  serve(contract.changeAdvice, changeAdvice)
  serve(contract.unmaskAdvice, unmaskAdvice)
}

const listAdvice: HandlerOf<typeof contract.listAdvice> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readRows(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countRows(ctx, where), counts: await countsOf(ctx, query) }
}

/** The project that a call is about; null for the platform at large. */
function aboutOf(ctx: Context, projectCode: string): string | null {
  if (projectCode === '*') return null
  projectsFor(ctx, projectCode)
  return projectCode
}

const adviceAddressees: HandlerOf<typeof contract.adviceAddressees> = async ({ query }, ctx) => {
  const list = await addresseesOf(ctx, aboutOf(ctx, query.projectCode))
  return { list, total: list.length }
}

/** Days in which similar items are looked for, and how many are compared. */
const similarDays = 90
const mostCompared = 500

const similarAdvice: HandlerOf<typeof contract.similarAdvice> = async ({ query }, ctx) => {
  const since = new Date(ctx.clock.now() - similarDays * dayMs)
  // Somebody else's complaint is not proposed to anybody.
  const { rows } = await sql<Pick<Row<'advice'>, 'id' | 'title' | 'state' | 'createTime'>>`select a.id, a.title, a.state, a.create_time
    from advice a where ${conditions(ctx, { projectCode: query.projectCode })} and ${condition(sql`not a.secret and a.create_time > ${since}`)}
    order by a.create_time desc limit ${mostCompared}`.execute(ctx.db)
  const list = closest(query.title, rows).map(({ id, title, state, createTime }) => ({
    id,
    title,
    stateName: adviceKind.stateName(state),
    createTime: formatInstant(createTime),
  }))
  return { list, total: list.length }
}

const submitAdvice: HandlerOf<typeof contract.submitAdvice> = async ({ query, body }, ctx) => {
  const id = body.id ?? ctx.newId()
  const repeated = await sql`select from advice where id = ${id} and submitter_id = ${ctx.user.id}`.execute(ctx.db)
  if (repeated.rows[0]) return { id }
  if (!isDictCode('feedbackType', body.type)) throw new AppError('invalidInput', '请选择类型', { field: 'type' })
  const secret = body.type === complaint
  const about = aboutOf(ctx, query.projectCode)
  const to = await addresseeBy(ctx, about, body.addressee, secret)
  if (body.anonymous && !secret) throw new AppError('invalidInput', '只有投诉举报可以匿名', { field: 'anonymous' })
  if (secret) ctx.conceal({ id: to.groupId, name: to.name })
  const now = new Date(ctx.clock.now())
  const row = await ctx.db
    .insertInto('advice')
    .values({
      id,
      ...pick(body, 'title', 'type', 'anonymous'),
      secret,
      aboutProject: about,
      aboutName: await projectName(ctx, about),
      addresseeKind: to.kind,
      addresseeGroup: to.groupId,
      addresseeName: to.name,
      handlers: [to.groupId],
      submitterId: ctx.user.id,
      submitterName: ctx.user.name,
      submitterGroup: ctx.group.id,
      submitterGroupName: ctx.group.name,
      askedAt: now,
      createTime: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const item = toStated(row)
  await addEntry(ctx, item, 'ask', body.content, body.images)
  await writeLog(ctx, adviceKind.kind, item, { action: 'create', from: null, to: item.state }, adviceKind.doer?.(ctx, item))
  await replaceTodos(ctx, adviceKind, item)
  ctx.note('提交意见反馈', id)
  return { id }
}

async function projectName(ctx: Context, projectCode: string | null): Promise<string | null> {
  if (projectCode === null) return null
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  return found(rows[0], '项目').name
}

/** Adds a question or an answer to the thread. The submitter of a complaint is not named in it. */
async function addEntry(ctx: Context, item: Advice, kind: Row<'adviceEntry'>['kind'], text: string, images: readonly string[] = []) {
  const bySubmitter = item.submitterId === ctx.user.id
  const kept = await keptFiles(ctx, fileIdsOf(images), [], 'images')
  await ctx.db
    .insertInto('adviceEntry')
    .values({
      id: ctx.newId(),
      adviceId: item.id,
      kind,
      text,
      images: kept,
      bySubmitter,
      byName: bySubmitter && item.secret ? maskOf(item) : ctx.user.name,
      groupName: bySubmitter && item.secret ? '' : ctx.group.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()
}

const changeAdvice: HandlerOf<typeof contract.changeAdvice> = async ({ params: { id }, query, body }, ctx) => {
  aboutOf(ctx, query.projectCode)
  found(await itemFor(ctx, id), '意见')
  const after = await take(ctx, adviceKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))
  if (after.secret && after.submitterId === ctx.user.id) ctx.conceal({ id: after.addresseeGroup, name: after.addresseeName })
  if (body.action === 'reply')
    ctx.afterCommit(() =>
      tellOne(
        ctx.system,
        { userId: after.submitterId, kind: 'advice', title: '您的意见已回复', text: after.title, link: pageOf(after) },
        ctx.clock.now(),
      ),
    )
  return undefined
}

/** What each action changes beside the state. */
async function write(ctx: Context, row: Advice, body: ParsedFor<typeof contract.changeAdvice>['body']): Promise<Outcome<Advice>> {
  const now = new Date(ctx.clock.now())
  switch (body.action) {
    case 'reply':
      await addEntry(ctx, row, 'reply', body.content, body.images)
      return { values: { repliedAt: now, firstReplyAt: row.firstReplyAt ?? now, replier: ctx.user.name } }
    case 'reask':
      await addEntry(ctx, row, 'ask', body.content, body.images)
      return { values: { askedAt: now, rounds: row.rounds + 1 } }
    case 'forward': {
      const to = await addresseeBy(ctx, row.aboutProject, body.addressee, row.secret)
      if (to.kind === 'project') throw new AppError('invalidInput', '意见只能转给监管机构或平台', { field: 'addressee' })
      await addEntry(ctx, row, 'forward', `转办至${to.name}：${body.reason}`)
      return {
        values: {
          addresseeKind: to.kind,
          addresseeGroup: to.groupId,
          addresseeName: to.name,
          handlers: [...new Set([...row.handlers, to.groupId])],
        },
        opinion: `转至${to.name}：${body.reason}`,
      }
    }
    case 'note':
      await ctx.db
        .insertInto('adviceNote')
        .values({ id: ctx.newId(), adviceId: row.id, groupId: ctx.group.id, text: body.content, byName: ctx.user.name, at: now })
        .execute()
      return {}
    case 'close':
      return { values: { closedAt: now, satisfaction: body.satisfaction } }
  }
}

const unmaskAdvice: HandlerOf<typeof contract.unmaskAdvice> = async ({ params: { id }, query, body }, ctx) => {
  aboutOf(ctx, query.projectCode)
  const row = found(await itemFor(ctx, id), '意见')
  if (!row.secret || !handles(ctx, row) || row.addresseeGroup !== ctx.group.id)
    throw new AppError('forbidden', '只有正在受理投诉举报的机构可以查看投诉人')
  if (row.anonymous) throw new AppError('refused', '匿名投诉不能查看投诉人')
  const { state } = row
  await writeLog(ctx, adviceKind.kind, toStated(row), { action: 'unmask', from: state, to: state, opinion: body.reason })
  ctx.note('查看投诉人', id)
  return { name: row.submitterName, groupName: row.submitterGroupName }
}
