import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { mostOnTop, normalDocNo, type PolicyLevel, policyStateOf } from '@zhugong/contract/policies/model'
import * as contract from '@zhugong/contract/policies/policies'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, groupTypes } from '#kit/context'
import { type Db, isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import { richText } from '#kit/rich-text'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf, PublicHandler, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import { countOwn, frontOf, listConditions, ofMyArea, type Policy, policyCounts, publishedText, readOwn, searchPolicies } from './rows.ts'

type Open = PublicHandler<ParsedFor<typeof contract.openPolicies>, OutputFor<typeof contract.openPolicies>>
const noun = '政策文本'

export function policyRoutes(serve: Serve): void {
  serve.open(contract.openPolicies, openPolicies)
  serve(contract.readPolicies, readPolicies)
  serve(contract.listPolicies, async ({ query }, ctx) => {
    await seesProject(ctx, query.projectCode)
    const where = listConditions(ctx, query)
    const list = await readOwn(ctx, where, { sort: query.sort, ...pageSlice(query) })
    return { list, total: await countOwn(ctx, where), counts: await policyCounts(ctx) }
  })
  serve(contract.getPolicy, readPolicy)
  serve(contract.createPolicy, createPolicy)
  serve(contract.changePolicy, changePolicy)
  serve(contract.removePolicy, removePolicy)
}

const openPolicies: Open = async ({ query: { id, ...query } }, ctx) => {
  const reader = { db: ctx.system, clock: ctx.clock }
  const text = id === undefined ? null : await publishedText(reader, id, [])
  if (text) await countRead(ctx.system, text.id)
  return { ...(await searchPolicies(reader, query, [])), text: text && { ...text, files: linksOf(ctx, text.files) } }
}

const readPolicies: HandlerOf<typeof contract.readPolicies> = async ({ query: { id, ...query } }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const mine = await ofMyArea(ctx)
  // A link to a text of another area opens it: it is published.
  const text = id === undefined ? null : await publishedText(ctx, id, [])
  if (text) ctx.afterCommit(() => countRead(ctx.system, text.id))
  return { ...(await searchPolicies(ctx, query, mine)), text: text && { ...text, files: linksOf(ctx, text.files) } }
}

/** Readers have no right to write the text: the product counts. */
async function countRead(system: Db, id: string): Promise<void> {
  await sql`update policy set views = views + 1 where id = ${id}`.execute(system)
}

async function ownPolicy(ctx: Context, id: string): Promise<Policy> {
  const { rows } = await sql<Policy>`select * from policy where id = ${id} and group_id = ${ctx.group.id} for update`.execute(ctx.db)
  return found(rows[0], noun)
}

const readPolicy: HandlerOf<typeof contract.getPolicy> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const { rows } = await sql<Policy>`select * from policy where id = ${id} and group_id = ${ctx.group.id}`.execute(ctx.db)
  const row = found(rows[0], noun)
  const [line] = await readOwn(ctx, sql`p.id = ${id}`, {})
  type Raw = { id: string; link: 'amend' | 'repeal'; title: string }
  const replaces = await sql<Raw>`select e.id, l.kind as link, e.title from policy_link l join policy e on e.id = l.earlier_id
    where l.later_id = ${id} order by e.issue_date, e.id`.execute(ctx.db)
  const { subject, effectDate, content, withdrawReason } = row
  return { ...found(line, noun), subject, effectDate, content, withdrawReason, files: linksOf(ctx, row.files), replaces: replaces.rows }
}

type Fields = Omit<ParsedFor<typeof contract.createPolicy>['body'], 'id'>

/** The columns of a typed text. @throws AppError at the field that is wrong */
async function columnsOf(ctx: Context, { replaces: _replaces, docNo, content, files, ...fields }: Fields, before?: Policy) {
  if (fields.effectDate < fields.issueDate) throw new AppError('invalidInput', '施行日期不能早于发布日期', { field: 'effectDate' })
  const { html, text } = richText(content)
  const kept = await keptFiles(ctx, fileIdsOf(files), before?.files)
  return {
    ...fields,
    ...(await placeOf(ctx, fields.level)),
    docNo,
    docKey: docNo && normalDocNo(docNo),
    content: html,
    body: text,
    files: kept,
  }
}

const levelByFront: Readonly<Record<number, PolicyLevel>> = { 2: '2', 4: '3', 6: '4' }

/** An authority publishes for its own area, at its own level; the platform for the country at any. */
async function placeOf(ctx: Context, level: PolicyLevel): Promise<{ areaFront: string; level: PolicyLevel }> {
  if (ctx.group.type !== groupTypes.government) return { areaFront: '', level }
  const { rows } = await sql<{ areaCode: string }>`select area_code from government where gov_code = ${ctx.group.code}`.execute(ctx.db)
  const areaFront = frontOf(rows[0]?.areaCode ?? '')
  return { areaFront, level: levelByFront[areaFront.length] ?? '4' }
}

const createPolicy: HandlerOf<typeof contract.createPolicy> = async ({ query, body: { id, ...fields } }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const repeated = await sql`select from policy where id = ${id} and group_id = ${ctx.group.id}`.execute(ctx.db)
  if (repeated.rows.length > 0) return { id }
  await ctx.db
    .insertInto('policy')
    .values({
      id,
      groupId: ctx.group.id,
      ...(await columnsOf(ctx, fields)),
      publishedAt: null,
      withdrawReason: null,
      topAt: null,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
      updateBy: ctx.user.id,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  await putLinks(ctx, id, fields)
  ctx.note(`新增${noun} ${fields.title}`, id)
  return { id }
}

/** Replaces what a text changes and ends: texts of the same group. @throws AppError at `replaces` */
async function putLinks(ctx: Context, id: string, { replaces, effectDate }: Pick<Fields, 'replaces' | 'effectDate'>): Promise<void> {
  await sql`delete from policy_link where later_id = ${id} and group_id = ${ctx.group.id}`.execute(ctx.db)
  const ids = [...new Set(replaces.map((one) => one.id))]
  if (ids.length === 0) return
  if (ids.includes(id)) throw new AppError('invalidInput', '不能修改或废止自身', { field: 'replaces' })
  const { rows } = await sql<{ id: string }>`select id from policy where id = any (${ids}) and group_id = ${ctx.group.id}`.execute(ctx.db)
  if (rows.length < ids.length) throw new AppError('invalidInput', '只能修改或废止本机构的文本', { field: 'replaces' })
  await refuseCircle(ctx, id, ids)
  const values = [...new Map(replaces.map((one) => [one.id, one])).values()].map((one) => ({
    id: ctx.newId(),
    groupId: ctx.group.id,
    earlierId: one.id,
    laterId: id,
    kind: one.link,
    since: effectDate,
  }))
  await ctx.db.insertInto('policyLink').values(values).execute()
}

/** @throws AppError when one of `earlier` already follows on `id` */
async function refuseCircle(ctx: Context, id: string, earlier: readonly string[]): Promise<void> {
  const { rows } = await sql<{ title: string }>`with recursive later as (
      select later_id as id from policy_link where earlier_id = ${id} and later_id is not null
      union select l.later_id from policy_link l join later on later.id = l.earlier_id where l.later_id is not null)
    select p.title from later join policy p using (id) where id = any (${[...earlier]}) limit 1`.execute(ctx.db)
  if (rows[0]) throw new AppError('invalidInput', `《${rows[0].title}》在后，不能被较早的文本修改或废止`, { field: 'replaces' })
}

const changePolicy: HandlerOf<typeof contract.changePolicy> = async ({ params: { id }, query, body }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const row = await ownPolicy(ctx, id)
  const put = (values: Partial<Policy>) =>
    changeRow(ctx, 'policy', { key: { id }, version: body.version, values, noun, by: ctx.user.id }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', `文号 ${row.docNo ?? ''} 已发布过，请核对`, { field: 'docNo' }) : error
    })
  const isPublished = row.state === policyStateOf.published
  const now = new Date(ctx.clock.now())
  switch (body.action) {
    case 'edit': {
      if (isPublished && !ctx.codes.has('documents.policyPublish'))
        throw new AppError('refused', '已发布的文本由有发布权限的人修改，或先下架')
      const { action: _action, version: _version, ...fields } = body
      await put(await columnsOf(ctx, fields, row))
      await putLinks(ctx, id, fields)
      ctx.note(`修改${noun} ${fields.title}`, id)
      return undefined
    }
    case 'publish':
      if (isPublished) throw new AppError('refused', '已经发布')
      if (row.body === '' && row.files.length === 0) throw new AppError('refused', '没有正文，也没有附件，不能发布')
      await put({ state: policyStateOf.published, publishedAt: now, withdrawReason: null })
      ctx.note(`发布${noun} ${row.title}`, id)
      return undefined
    case 'unpublish':
      if (!isPublished) throw new AppError('refused', '没有发布，不需要下架')
      await put({ state: policyStateOf.withdrawn, withdrawReason: body.reason, topAt: null })
      ctx.note(`下架${noun} ${row.title}：${body.reason}`, id)
      return undefined
    case 'repeal':
      await endPolicy(ctx, row, body)
      await put({ topAt: null })
      ctx.note(`${body.link === 'repeal' ? '废止' : '标记修改'}${noun} ${row.title}`, id)
      return undefined
    case 'top':
    case 'untop': {
      if (body.action === 'top') await refuseFull(ctx, isPublished)
      await put({ topAt: body.action === 'top' ? now : null })
      ctx.note(`${body.action === 'top' ? '置顶' : '取消置顶'}${noun} ${row.title}`, id)
      return undefined
    }
  }
}

type Ending = Extract<ParsedFor<typeof contract.changePolicy>['body'], { action: 'repeal' }>

/** Notes that a published text is changed or ended, by a later one of the same group or without one. */
async function endPolicy(ctx: Context, row: Policy, { link, successor, since }: Ending): Promise<void> {
  if (row.state !== policyStateOf.published) throw new AppError('refused', '没有发布的文本不能标记')
  if (link === 'amend' && successor === null) throw new AppError('invalidInput', '请选择作出修改的文本', { field: 'successor' })
  if (since < row.issueDate) throw new AppError('invalidInput', '日期不能早于本文发布日期', { field: 'since' })
  if (successor === row.id) throw new AppError('invalidInput', '不能选择自身', { field: 'successor' })
  if (successor !== null) {
    const { rows } = await sql`select from policy where id = ${successor} and group_id = ${ctx.group.id}
      and state = ${policyStateOf.published}`.execute(ctx.db)
    if (rows.length === 0) throw new AppError('invalidInput', '请选择本机构已发布的文本', { field: 'successor' })
    await refuseCircle(ctx, successor, [row.id])
  }
  await sql`delete from policy_link where earlier_id = ${row.id} and later_id is not distinct from ${successor}`.execute(ctx.db)
  const values = { id: ctx.newId(), groupId: ctx.group.id, earlierId: row.id, laterId: successor, kind: link, since }
  await ctx.db.insertInto('policyLink').values(values).execute()
}

async function refuseFull(ctx: Context, isPublished: boolean): Promise<void> {
  if (!isPublished) throw new AppError('refused', '发布后才能置顶')
  await sql`select pg_advisory_xact_lock(hashtext(${`policies on top ${ctx.group.id}`}))`.execute(ctx.db)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from policy where group_id = ${ctx.group.id}
    and top_at is not null`.execute(ctx.db)
  if ((rows[0]?.n ?? 0) >= mostOnTop) throw new AppError('refused', `最多置顶 ${mostOnTop} 份，请先取消一份`)
}

const removePolicy: HandlerOf<typeof contract.removePolicy> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const row = await ownPolicy(ctx, id)
  if (row.publishedAt !== null) throw new AppError('refused', '发布过的文本不能删除，可以下架')
  await sql`delete from policy where id = ${id}`.execute(ctx.db)
  ctx.note(`删除${noun}草稿 ${row.title}`, id)
  return undefined
}
