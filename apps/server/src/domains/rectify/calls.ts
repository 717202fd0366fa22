import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { RectifyOrigin } from '@zhugong/contract/rectify/calls'
import * as contract from '@zhugong/contract/rectify/calls'
import { closedStates, failuresToPenalty, mustVisit, type RectifyAction, rectifyMoves } from '@zhugong/contract/rectify/moves'
import { changePenalty as penaltyCall, penaltyMoves } from '@zhugong/contract/rectify/penalty'
import * as byProcess from '@zhugong/contract/rectify/process'
import type { listReplies } from '@zhugong/contract/rectify/replies'
import { replyTabs } from '@zhugong/contract/rectify/reply-model'
import { signRectify } from '@zhugong/contract/rectify/seats'
import { sql } from 'kysely'

import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'

import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { fillSeat, type Outcome, replaceTodos, type Seat, sign, take, writeLog } from '../process/public.ts'
import { detailOf, readRectify } from './detail.ts'
import { followFullStop } from './full-stop.ts'
import { draftNotice } from './issue.ts'
import { pageOf, rectifyKind } from './kind.ts'
import type { Notice } from './notice.ts'
import { changePenalty, draftPenalty } from './penalty.ts'
import { countReplies, readReplies, replyConditions, replyCountsOf } from './replies.ts'
import { failuresOf, recheckRound, reviewRound } from './rounds.ts'
import { conditions, countRows, countsOf, readRows } from './rows.ts'
import { receiverSeat, rectifySeats } from './seats.ts'
import { changeRectifySetting, closedByReview, getRectifySetting } from './setting.ts'
import { givenSource, sourceOf } from './sources.ts'
import {
  applyExtension,
  assignLines,
  type BodyOf,
  decideExtension,
  draftValues,
  issueValues,
  recheck,
  requireSecond,
  review,
  sendReply,
  writeAnswers,
  writeLines,
} from './writes.ts'

export function rectifyRoutes(serve: Serve): void {
  registerPlaceUse(placesOfLines)
  serve(contract.rectifyLists, rectifyLists)
  serve(contract.rectifyPeople, rectifyPeople)
  serve(contract.getRectifySetting, getRectifySetting)
  serve(contract.changeRectifySetting, changeRectifySetting)
  serve(contract.getRectify, readRectify)
  serve(contract.createRectify, createRectify)
  serve(contract.changeRectify, changeRectify)
  serve(signRectify, ({ params, body }, ctx) => sign(ctx, rectifyKind, params.id, body).then(() => undefined))
  serve(penaltyCall, changePenalty)
  serve(byProcess.listProjectRectify, ({ query }, ctx) => noticesOf(ctx, { ...query, origin: 'gov' }))
  serve(byProcess.getProjectRectify, ({ params, query }, ctx) => detailOf(named(ctx, query), params.id, 'gov'))
  serve(byProcess.createProjectRectify, ({ query, body }, ctx) => create(ctx, { ...query, ...body }, 'gov'))
  serve(byProcess.changeProjectRectify, ({ params, query, body }, ctx) => change(named(ctx, query), { ...params, ...body }, 'gov'))
  serve(byProcess.listAbarbeitung, ({ query }, ctx) => noticesOf(ctx, { ...query, origin: 'site' }))
  serve(byProcess.getAbarbeitung, ({ params, query }, ctx) => detailOf(named(ctx, query), params.id, 'site'))
  serve(byProcess.createAbarbeitung, ({ query, body }, ctx) => create(ctx, { ...query, ...body }, 'site'))
  serve(byProcess.changeAbarbeitung, ({ params, query, body }, ctx) => change(named(ctx, query), { ...params, ...body }, 'site'))
}

async function placesOfLines(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from rectify_line where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}

/**
 * The context of a call that names a project beside the id.
 * @throws AppError `notFound` when the project is outside the scope
 */
function named(ctx: Context, { projectCode }: { projectCode: string }): Context {
  projectsFor(ctx, projectCode)
  return ctx
}

const rectifyLists: HandlerOf<typeof contract.rectifyLists> = ({ query }, ctx) =>
  query.view === 'reply' ? repliesOf(ctx, as<ReplyQuery>(query, replyTabs)) : noticesOf(ctx, as<NoticeQuery>(query, contract.noticeTabs))

type NoticeQuery = ParsedFor<typeof contract.listRectify>['query']
type ReplyQuery = ParsedFor<typeof listReplies>['query']
/**
 * The query of one view of the list.
 * @throws AppError when the tab belongs to another view
 */
function as<Query extends { tab?: string }>(query: ParsedFor<typeof contract.rectifyLists>['query'], tabs: readonly string[]): Query {
  if (query.tab && !tabs.includes(query.tab)) throw new AppError('invalidInput', '该列表没有这个分栏', { field: 'tab' })
  return query as unknown as Query
}

async function repliesOf(ctx: Context, query: ReplyQuery) {
  const where = replyConditions(ctx, query)
  const list = await readReplies(ctx, where, { sort: query.sort, tab: query.tab, ...pageSlice(query) })
  return { list, total: await countReplies(ctx, where), counts: await replyCountsOf(ctx, query) }
}

async function noticesOf(ctx: Context, query: NoticeQuery) {
  const where = conditions(ctx, query)
  const list = await readRows(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countRows(ctx, where), counts: await countsOf(ctx, query) }
}

const rectifyPeople: HandlerOf<typeof contract.rectifyPeople> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await sql<{ code: string; name: string; part: string; people: string[] }>`
    select u.corp_code as code, c.corp_name as name, min(u.corp_type) as part,
      array(select distinct w.worker_name from project_worker w where w.project_code = u.project_code and w.corp_code = u.corp_code
        and w.exit_time is null order by 1 limit 200) as people
    from project_corp u join corporation c using (corp_code) where u.project_code = ${projectCode} and u.exit_time is null
    group by u.project_code, u.corp_code, c.corp_name order by c.corp_name`.execute(ctx.db)
  return { corps: rows }
}

const createRectify: HandlerOf<typeof contract.createRectify> = ({ body }, ctx) => create(ctx, body)

/**
 * Writes a draft, or issues at once.
 * @throws AppError when the caller does not issue notices of the wanted origin
 */
async function create(ctx: Context, body: ParsedFor<typeof contract.createRectify>['body'], wanted?: RectifyOrigin) {
  const { id: given, projectCode: named, action, lines, sourceKind, sourceId, ...fields } = body
  const projectCode = oneProject(ctx, named)
  const origin = ctx.group.type === groupTypes.government ? 'gov' : 'site'
  if (wanted && wanted !== origin)
    throw new AppError('forbidden', wanted === 'gov' ? '监管整改由监管机构下发' : '项目整改由项目、企业或监理下发')
  const id = given ?? ctx.newId()
  const repeated = await sql<{ code: string | null }>`select code from rectify where id = ${id} and create_by = ${ctx.user.id}`.execute(
    ctx.db,
  )
  if (repeated.rows[0]) return { id, code: repeated.rows[0].code }
  const source = await givenSource(ctx, projectCode, sourceKind, sourceId)
  const row = await draftNotice(ctx, { id, projectCode, source, ...fields, lines })
  if (action === 'save') {
    await writeLog(ctx, rectifyKind.kind, row, { action: 'create', from: null, to: row.state })
    await replaceTodos(ctx, rectifyKind, row)
    ctx.note('起草整改单', id)
    return { id, code: null }
  }
  const after = await take(ctx, rectifyKind, { id, action, version: row.version }, async () => ({ values: await issueValues(ctx, row) }))
  await followFullStop(ctx, 'issue', after)
  await tell(ctx, 'issue', after)
  return { id, code: after.code }
}

const changeRectify: HandlerOf<typeof contract.changeRectify> = ({ body }, ctx) => change(ctx, body)

async function change(ctx: Context, body: ParsedFor<typeof contract.changeRectify>['body'], wanted?: RectifyOrigin) {
  const after = await take(ctx, rectifyKind, body, (row) => {
    if (wanted && row.origin !== wanted) throw new AppError('notFound', '整改单不存在或已删除')
    return write(ctx, row, body)
  })
  await followFullStop(ctx, body.action, after)
  await tellSource(ctx, body, after)
  await tell(ctx, body.action, after)
  if (body.action === 'recheckFail') await tellOfThird(ctx, after)
  return undefined
}

/** The record that a notice comes from follows its reply and its end. */
async function tellSource(ctx: Context, body: BodyOf<RectifyAction>, after: Notice): Promise<void> {
  const source = sourceOf(after)
  if (body.action === 'reply') await source?.replied?.(ctx, after, body.lines)
  if (closedStates.some((state) => state === after.state)) await source?.settled?.(ctx, after)
}

/** What each action changes beside the state. */
async function write(ctx: Context, row: Notice, body: BodyOf<RectifyAction>): Promise<Outcome<Notice>> {
  const now = new Date(ctx.clock.now())
  switch (body.action) {
    case 'save':
    case 'issue': {
      const { id: _id, version: _version, action, lines, ...fields } = body
      const values = await draftValues(ctx, row.projectCode, { ...fields, lines })
      const next = { ...row, ...values }
      await writeLines(ctx, next, lines)
      return { values: action === 'save' ? values : { ...values, ...(await issueValues(ctx, next)) } }
    }
    case 'sign':
      if (body.signature)
        await fillSeat(ctx, rectifyKind.kind, row, await receiverOf(ctx, row), { place: body.place, image: body.signature })
      return { values: { receiver: ctx.user.name, receiveTime: now } }
    case 'serve':
      await fillSeat(ctx, rectifyKind.kind, row, await receiverOf(ctx, row), { ...body, image: body.signature })
      return { values: { receiver: body.name, receiveTime: now }, opinion: `由${body.name}当面签收` }
    case 'refuse': {
      const { name, reason, witness, place } = body
      await fillSeat(ctx, rectifyKind.kind, row, await receiverOf(ctx, row), { name, place, refused: { reason, witness } })
      return { values: { receiver: `${name}（拒签）`, receiveTime: now }, opinion: `${name}拒签：${reason}，见证人 ${witness}` }
    }
    case 'start':
      return {}
    case 'saveReply':
      await writeAnswers(ctx, row, body.lines, true)
      return {}
    case 'reply':
    case 'proxyReply':
      return sendReply(ctx, row, body)
    case 'assign':
      return assignLines(ctx, row, body.lines)
    case 'jlPass':
      return passReview(ctx, row, body.opinion)
    case 'jlReturn':
      await reviewRound(ctx, row, false)
      await review(ctx, row, body.lines, null)
      return { values: { returns: row.returns + 1 }, opinion: returned(body.lines) }
    case 'recheckPass':
      await requireSecond(ctx, row, body.second)
      await requireSourceAgrees(ctx, row)
      if (mustVisit(row) && !body.onSite)
        throw new AppError('invalidInput', '重大隐患和停工整改须到现场复查，请确认已到现场', { field: 'onSite' })
      await recheckRound(ctx, row, { passed: true, second: body.second, onSite: body.onSite ?? null })
      await recheck(ctx, row, [], body.opinion || null)
      return { values: { closeTime: now }, opinion: withSecond(body.opinion, body.second) }
    case 'recheckFail':
      await requireSecond(ctx, row, body.second)
      await recheckRound(ctx, row, { passed: false, second: body.second, onSite: null })
      await recheck(ctx, row, body.lines, null)
      return {
        values: { returns: row.returns + 1, ...(body.deadline ? { deadline: body.deadline } : {}) },
        opinion: withSecond(returned(body.lines), body.second),
      }
    case 'applyExtend':
      return applyExtension(ctx, row, body)
    case 'decideExtend':
      return decideExtension(ctx, row, body)
    case 'revoke':
      return { values: { closeTime: now }, opinion: body.reason }
    case 'urge':
      return { values: { urgedAt: now } }
  }
}

/** The review of 监理: on to the issuer, or closed at once where the site says so. */
async function passReview(ctx: Context, row: Notice, opinion: string): Promise<Outcome<Notice>> {
  await reviewRound(ctx, row, true)
  await review(ctx, row, [], opinion || null)
  if (!(await closedByReview(ctx, row))) return { to: '5', opinion }
  await requireSourceAgrees(ctx, row)
  await recheckRound(ctx, row, { passed: true, second: null, onSite: null })
  await recheck(ctx, row, [], null)
  return { to: '7', values: { closeTime: new Date(ctx.clock.now()) }, opinion }
}
const receiverOf = async (ctx: Context, row: Notice): Promise<Seat> =>
  found(
    (await rectifySeats(ctx, row)).find((one) => one.seat === receiverSeat),
    '签名栏',
  )

/** @throws AppError `refused` while the record that a notice comes from speaks against closing it */
async function requireSourceAgrees(ctx: Context, row: Notice): Promise<void> {
  const why = await sourceOf(row)?.keepsOpen?.(ctx, row)
  if (why !== undefined) throw new AppError('refused', why)
}

const returned = (lines: BodyOf<'jlReturn'>['lines']) => `${lines.length} 个问题不合格：${lines.map((one) => one.opinion).join('；')}`
const withSecond = (text: string, second: string | null | undefined) => [text, second ? `同查：${second}` : ''].filter(Boolean).join('，')

/** Messages to the responsible side beside its to-do, by the action that was taken. */
const messages: Partial<Record<RectifyAction, { code: string; title: string }>> = {
  issue: { code: rectifyMoves.sign.needs, title: '收到整改通知，请签收' },
  jlReturn: { code: rectifyMoves.reply.needs, title: '整改被监理退回' },
  recheckFail: { code: rectifyMoves.reply.needs, title: '整改复查不合格' },
  decideExtend: { code: rectifyMoves.reply.needs, title: '延期申请已审批' },
  revoke: { code: rectifyMoves.sign.needs, title: '整改通知已撤销' },
  urge: { code: rectifyMoves.reply.needs, title: '整改被催办' },
}

/** The third failed recheck drafts the proposal of a penalty, and the head of the authority hears of it. */
async function tellOfThird(ctx: Context, row: Notice): Promise<void> {
  if (row.origin !== 'gov' || (await failuresOf(ctx, row.id)) < failuresToPenalty) return
  await draftPenalty(ctx, row)
  await tellKeepers(ctx, {
    projectCode: row.projectCode,
    corpCode: null,
    groupId: row.issuerGroup,
    code: penaltyMoves.issue.needs,
    title: `整改第 ${failuresToPenalty} 次复查不合格`,
    text: `${row.code ?? '整改通知'} 已起草行政处罚建议书（监督文书 207），请审定`,
    link: `/jgt/project/project_detail?id=${row.id}`,
    kind: 'rectify',
  })
}

async function tell(ctx: Context, action: RectifyAction, row: Notice): Promise<void> {
  const message = messages[action]
  if (!message) return
  const text = `${row.code ?? '整改通知'}，${row.issuerGroupName}下发，期限 ${row.deadline}`
  const { projectCode, corpCode } = row
  await tellKeepers(ctx, { projectCode, corpCode, code: message.code, title: message.title, text, link: pageOf(row), kind: 'rectify' })
}
