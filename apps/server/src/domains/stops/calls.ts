import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/stops/calls'
import { type StopAction, stopMoves, stopStates } from '@zhugong/contract/stops/moves'
import { signStop } from '@zhugong/contract/stops/seats'
import { sql } from 'kysely'
import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { forgetRecord, type Outcome, sign, take, writeLog } from '../process/public.ts'
import { readStart, readStop } from './detail.ts'
import { followNotices } from './full-stop.ts'
import { type Application, pageOf, shortName, stopKind } from './kind.ts'
import { dropStop } from './project-stop.ts'
import { conditions, countRows, countsOf, readRows } from './rows.ts'
import {
  audited,
  type Body,
  draftValues,
  grant,
  notOwner,
  refused,
  requireOfficers,
  requireVerdict,
  submitValues,
  writeChecks,
  writeFindings,
} from './writes.ts'

export function stopRoutes(serve: Serve): void {
  followNotices()
  serve(contract.listStops, listStops)
  serve(contract.stopStart, readStart)
  serve(contract.getStop, readStop)
  serve(contract.createStop, createStop)
  serve(contract.changeStop, changeStop)
  serve(contract.removeStop, removeStop)
  serve(signStop, ({ params, body }, ctx) => sign(ctx, stopKind, params.id, body).then(() => undefined))
}

const listStops: HandlerOf<typeof contract.listStops> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readRows(ctx, where, query.projectCode, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countRows(ctx, where, query.projectCode), counts: await countsOf(ctx, query.projectCode) }
}

const createStop: HandlerOf<typeof contract.createStop> = async ({ query, body }, ctx) => {
  const { id: given, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const id = given ?? ctx.newId()
  const repeated = await sql<{ code: string | null }>`select code from stopapply where id = ${id} and create_by = ${ctx.user.id}`.execute(
    ctx.db,
  )
  if (repeated.rows[0]) return { id, code: repeated.rows[0].code }
  const refusal = await notOwner(ctx, projectCode)
  if (refusal) throw new AppError('forbidden', refusal)
  await ctx.db
    .insertInto('stopapply')
    .values({
      id,
      ...(await draftValues(ctx, fields)),
      projectCode,
      corpCode: ctx.group.code,
      groups: [ctx.group.id],
      applyGroup: ctx.group.id,
      applicantName: ctx.user.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await stopKind.lock(ctx, id)
  await writeChecks(ctx, row, fields)
  if (action === 'save') {
    await writeLog(ctx, stopKind.kind, row, { action: 'create', from: null, to: row.state })
    ctx.note('起草停复工申请', id)
    return { id, code: null }
  }
  const after = await oneRunning(take(ctx, stopKind, { id, action, version: row.version }, () => submitValues(ctx, row, fields)))
  await tell(ctx, action, after)
  return { id, code: after.code }
}

const changeStop: HandlerOf<typeof contract.changeStop> = async ({ params, query, body }, ctx) => {
  await requireIn(ctx, params.id, query.projectCode)
  const after = await oneRunning(take(ctx, stopKind, { ...body, id: params.id }, (row) => write(ctx, row, body)))
  await tell(ctx, body.action, after)
  return undefined
}

const removeStop: HandlerOf<typeof contract.removeStop> = async ({ params, query }, ctx) => {
  await requireIn(ctx, params.id, query.projectCode)
  const row = await stopKind.lock(ctx, params.id)
  if (row.applyGroup !== ctx.group.id) throw new AppError('forbidden', '草稿由起草单位删除')
  if (row.state !== stopStates.draft) throw new AppError('refused', `申请${stopKind.stateName(row.state)}，只有草稿可以删除`)
  await forgetRecord(ctx, stopKind.kind, row.id)
  await ctx.db.deleteFrom('stopapply').where('id', '=', row.id).execute()
  ctx.note('删除停复工申请草稿', row.id)
  return undefined
}

/** @throws AppError `notFound` when the record is not of the project that the call names, or outside the scope */
async function requireIn(ctx: Context, id: string, projectCode: string): Promise<void> {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{ projectCode: string }>`select project_code from stopapply where id = ${id}`.execute(ctx.db)
  const row = found(rows[0], '申请')
  if (projects && !projects.includes(row.projectCode)) found(undefined, '申请')
}

/** Two applications of a kind that are submitted at the same moment: the second one is told. */
async function oneRunning<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw isUniqueViolation(error, 'stopapply_running') ? new AppError('refused', '本项目已有在办的同类申请', { field: 'type' }) : error
  })
}

/** What each action changes beside the state. */
async function write(ctx: Context, row: Application, body: Body): Promise<Outcome<Application>> {
  switch (body.action) {
    case 'save':
    case 'submit': {
      const { action, version: _version, ...fields } = body
      const values = await draftValues(ctx, fields, row)
      await writeChecks(ctx, row, fields)
      if (action === 'save') return { values }
      const { values: submitted, ...outcome } = await submitValues(ctx, { ...row, ...values }, fields)
      return { ...outcome, values: { ...values, ...submitted } }
    }
    case 'agree':
      return audited(ctx, true, body.opinion)
    case 'reject':
      return row.state === stopStates.supervisor ? audited(ctx, false, body.opinion) : refused(ctx, body.opinion)
    case 'approve':
      return grant(ctx, row, body.opinion)
    case 'arrange': {
      requireOfficers(ctx, body)
      const { checkDate, officer, second } = body
      return {
        values: { checkDate, officer, secondOfficer: second, waitSince: new Date(ctx.clock.now()) },
        opinion: `${checkDate} 由 ${officer}、${second} 核查`,
      }
    }
    case 'saveCheck':
      await writeFindings(ctx, row, body.findings)
      return {}
    case 'pass':
      await writeFindings(ctx, row, body.findings)
      await requireVerdict(ctx, row, true)
      return grant(ctx, row, body.opinion)
    case 'fail':
      await writeFindings(ctx, row, body.findings)
      await requireVerdict(ctx, row, false)
      return refused(ctx, body.opinion)
    case 'cancel':
      await dropStop(ctx, row)
      return { opinion: body.opinion }
    case 'withdraw':
      return { values: { waitSince: null } }
  }
}

type Message = { title: string; to: 'applicant' | 'supervisor' | 'authority' }
/** Messages beside the to-do, by the action that was taken. */
const messages: Partial<Record<StopAction, (row: Application) => Message>> = {
  submit: (row) => ({ title: '收到停复工申请，请审核', to: row.state === stopStates.supervisor ? 'supervisor' : 'authority' }),
  agree: () => ({ title: '收到停复工申请，请审定', to: 'authority' }),
  reject: () => ({ title: '停复工申请被驳回', to: 'applicant' }),
  approve: () => ({ title: '停复工申请已通过', to: 'applicant' }),
  arrange: () => ({ title: '复工申请已安排现场核查', to: 'applicant' }),
  pass: () => ({ title: '复工核查通过', to: 'applicant' }),
  fail: () => ({ title: '复工核查不通过', to: 'applicant' }),
  cancel: () => ({ title: '停工已取消，项目照常施工', to: 'applicant' }),
  withdraw: () => ({ title: '停复工申请已撤回', to: 'authority' }),
}

async function tell(ctx: Context, action: StopAction, row: Application): Promise<void> {
  const message = messages[action]?.(row)
  if (!message) return
  const { projectCode } = row
  const { rows } = await sql<{ name: string; supervisors: string[] }>`select p.name, array(select t.id from project_corp c
      join tenant t on t.type = ${groupTypes.corporation} and t.code = c.corp_code
      where c.project_code = p.project_code and c.corp_type = '007' and c.exit_time is null) as supervisors
    from project p where p.project_code = ${projectCode}`.execute(ctx.system)
  const text = `${rows[0]?.name ?? ''} ${shortName(row.type)}申请 ${row.code ?? ''}，${stopKind.stateName(row.state)}`
  const notification = { projectCode, corpCode: null, title: message.title, text, link: pageOf(row.id), kind: 'stopapply' }
  if (message.to === 'applicant') await tellKeepers(ctx, { ...notification, corpCode: row.corpCode, code: stopMoves.submit.needs })
  if (message.to === 'authority' && row.authorityGroup)
    await tellKeepers(ctx, { ...notification, groupId: row.authorityGroup, code: stopMoves.approve.needs })
  if (message.to === 'supervisor')
    for (const groupId of rows[0]?.supervisors ?? []) await tellKeepers(ctx, { ...notification, groupId, code: stopMoves.agree.needs })
}
