import * as contract from '@zhugong/contract/dustchecks/calls'
import { dustMoves } from '@zhugong/contract/dustchecks/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { insertCheck, inspectTypeOf, problemsOf, removeCheck, writeProblems } from '../checks/public.ts'
import { dropPhotoUses, linksOf } from '../files/public.ts'
import { forgetRecord, historyOf, offersFor, take, writeLog } from '../process/public.ts'
import { curveOf, readDustNow } from './evidence.ts'
import { type DustCheck, dust, dustKind } from './kind.ts'
import { countDust, dustConditions, dustCounts, dustFor, readDust, toDust } from './rows.ts'
import { baseColumns, type DustFields, proofStage, writeDust } from './writes.ts'

export function dustRoutes(serve: Serve): void {
  serve(contract.listDustChecks, listDustChecks)
  serve(contract.dustNow, readDustNow)
  serve(contract.getDustCheck, getDustCheck)
  serve(contract.createDustCheck, createDustCheck)
  serve(contract.changeDustCheck, changeDustCheck)
  serve(contract.removeDustCheck, removeDustCheck)
}

const listDustChecks: HandlerOf<typeof contract.listDustChecks> = async ({ query }, ctx) => {
  const where = dustConditions(ctx, query)
  const rows = await readDust(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list: rows.map((row) => toDust(ctx, row)), total: await countDust(ctx, where), counts: await dustCounts(ctx, query.projectCode) }
}

const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(dustMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
}

const getDustCheck: HandlerOf<typeof contract.getDustCheck> = async ({ params: { id }, query }, ctx) => {
  const row = found(await dustFor(ctx, id, query.projectCode), '扬尘检查')
  type Notice = { id: string; code: string | null; corpName: string; state: string; deadline: string }
  const { rows: notices } =
    await sql<Notice>`select r.id, r.code, k.corp_name, r.state, r.deadline from rectify r join corporation k using (corp_code)
    where r.source_kind = ${dust} and r.source_id = ${id} order by r.state = '7', r.deadline, r.id`.execute(ctx.db)
  return {
    ...toDust(ctx, row),
    items: row.items.map((one) => ({ ...one, name: dictName('dustCheckItem', one.code) ?? one.code, photos: linksOf(ctx, one.photos) })),
    remark: row.remark,
    photos: linksOf(ctx, row.photos),
    evidence: row.evidence,
    problems: await problemsOf(ctx, id),
    notices: notices.map((one) => ({ ...one, stateName: dictName('rectifyState', one.state) ?? one.state })),
    ...(await curveOf(ctx, row.projectCode, row.checkTime.getTime())),
    timeline: await historyOf(ctx, dust, id, labels),
    actions: offersFor(ctx, dustKind, row),
  }
}

const answerOf = ({ id, code, version, state }: DustCheck) => ({ id, code, version, state })
const draft = '0'

const createDustCheck: HandlerOf<typeof contract.createDustCheck> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await sql<DustCheck>`select d.*, c.* from site_check c join dust_check d on d.check_id = c.id
    where c.id = ${id} and c.create_by = ${ctx.user.id}`.execute(ctx.db)
  const known = rows[0]
  // A draft that nobody has changed: the answer to the first request was lost, and what the device says now is the newest.
  if (known && !(known.state === draft && known.version === 0)) return answerOf(known)
  const write = (version: number) => take(ctx, dustKind, { id, action, version }, (row) => writeDust(ctx, row, action, fields))
  if (known) return answerOf(await write(known.version))
  const row = await draftOf(ctx, id, projectCode, fields)
  if (action === 'submit') return answerOf(await write(row.version))
  const values = await writeDust(ctx, row, action, fields)
  await writeLog(ctx, dust, row, { action: 'create', from: null, to: row.state })
  ctx.note('起草扬尘检查', id)
  return answerOf({ ...row, ...values.values })
}

async function draftOf(ctx: Context, id: string, projectCode: string, fields: DustFields): Promise<DustCheck> {
  const columns = await baseColumns(ctx, fields, [])
  await insertCheck(ctx, { id, kind: dust, ...columns, projectCode, inspectType: inspectTypeOf(ctx, projectCode) })
  await ctx.db
    .insertInto('dustCheck')
    .values({
      checkId: id,
      projectCode,
      corpCode: null,
      shownAt: null,
      groups: [ctx.group.id],
      ...pick(fields, 'responseLevel', 'weather', 'pm10'),
      passRate: null,
      result: null,
      evidence: null,
    })
    .execute()
  return dustKind.lock(ctx, id)
}

const changeDustCheck: HandlerOf<typeof contract.changeDustCheck> = async ({ body }, ctx) => {
  const { id, action, version, ...fields } = body
  return answerOf(await take(ctx, dustKind, { id, action, version }, (row) => writeDust(ctx, row, action, fields)))
}

const removeDustCheck: HandlerOf<typeof contract.removeDustCheck> = async ({ params: { id } }, ctx) => {
  const row = await dustKind.lock(ctx, id)
  if (!offersFor(ctx, dustKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有检查方可以删除，且只能删除草稿')
  await forgetRecord(ctx, dust, id)
  await writeProblems(ctx, row, [])
  await dropPhotoUses(ctx, id, proofStage, [])
  await removeCheck(ctx, id)
  ctx.note('删除扬尘检查草稿', id)
  return undefined
}
