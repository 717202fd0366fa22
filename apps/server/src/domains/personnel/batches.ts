import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type { BatchResult } from '@zhugong/contract/labour/model'
import * as contract from '@zhugong/contract/personnel/batches'
import { realNames } from '@zhugong/contract/personnel/codes'
import { consentVersion } from '@zhugong/contract/personnel/rules'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, requireProject } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { each, refreshContractFlag, type Stay } from '../labour/public.ts'
import { contractsOf, insertContract } from './contracts.ts'
import { moveStay } from './move.ts'
import { getHeldWorker, type Worker } from './store.ts'
import { stampedConsents } from './worker-file.ts'

export function batchRoutes(serve: Serve) {
  serve(contract.moveWorkers, moveWorkers)
  serve(contract.verifyWorkers, verifyWorkers)
  serve(contract.consentWorkers, consentWorkers)
  serve(contract.signWorkers, signWorkers)
}

const moveWorkers: HandlerOf<typeof contract.moveWorkers> = async ({ body }, ctx) => {
  const { ids, ...place } = body
  // Checked once for the batch: a team outside the caller's scope counts as not found.
  if (place.teamId) {
    const team = await ctx.db.selectFrom('team').select('projectCode').where('id', '=', place.teamId).executeTakeFirst()
    requireProject(ctx, found(team, '班组').projectCode)
  }
  return forEach(ctx, ids, '调班组', async (stay) => {
    await moveStay(ctx, stay.workerId, { ...place, projectWorkerId: stay.id, version: stay.version })
  })
}

const verifyWorkers: HandlerOf<typeof contract.verifyWorkers> = ({ body }, ctx) =>
  forEach(ctx, body.ids, '实名核验一致（声明已核对证件原件）', async (stay) => {
    const worker = await getHeldWorker(ctx, stay.workerId)
    if (worker.realNameState === realNames.matched) throw new AppError('refused', '已核验一致')
    // A batch must not override a mismatch that an earlier check found.
    if (worker.realNameState !== realNames.unchecked) throw new AppError('refused', '此前核验不一致，请读取证件逐人核验')
    await changeWorker(ctx, worker, { realNameState: realNames.matched })
  })

const consentWorkers: HandlerOf<typeof contract.consentWorkers> = ({ body }, ctx) =>
  forEach(ctx, body.ids, '登记个人信息告知同意（纸质）', async (stay) => {
    const worker = await getHeldWorker(ctx, stay.workerId)
    const before = worker.consents ?? []
    if (before.some((c) => c.kind === 'personal' && c.state === '同意')) throw new AppError('refused', '已登记同意')
    const given = { kind: 'personal', state: '同意', version: consentVersion, way: '纸质', file: null } as const
    await changeWorker(ctx, worker, { consents: JSON.stringify(await stampedConsents(ctx, [given], before)) })
  })

/** Contract numbers are consecutive: a refused person leaves no gap, and used numbers are skipped. */
const signWorkers: HandlerOf<typeof contract.signWorkers> = async ({ body }, ctx) => {
  const { ids, codePrefix, codeFrom, startDate, ...terms } = body
  const taken = await takenCodes(ctx, ids, codePrefix)
  let next = codeFrom
  const today = formatDay(ctx.clock.now())
  return forEach(ctx, ids, '批量签合同', async (stay) => {
    const entered = formatDay(stay.entryTime)
    const start = startDate ?? entered
    if (start > entered) throw new AppError('refused', `合同开始 ${start} 晚于进场 ${entered}`)
    if (terms.endDate && terms.endDate <= start) throw new AppError('refused', `结束日期 ${terms.endDate} 应晚于开始 ${start}`)
    const own = await contractsOf(ctx, stay.workerId)
    const existing = own.find((k) => k.projectCode === stay.projectCode && k.corpCode === stay.corpCode && inForce(k.state))
    if (existing) throw new AppError('refused', `已有合同 ${existing.contractCode}${existing.endDate ? `，至 ${existing.endDate}` : ''}`)
    if (terms.endDate && terms.endDate < today) throw new AppError('refused', `结束日期 ${terms.endDate} 已过`)
    const codeOf = (n: number) => `${codePrefix}${String(n).padStart(contract.contractNumberDigits, '0')}`
    let n = next
    while (taken.has(`${stay.corpCode} ${codeOf(n)}`)) n++
    await insertContract(ctx, {
      ...terms,
      contractCode: codeOf(n),
      startDate: start,
      ...pick(stay, 'workerId', 'projectCode', 'corpCode'),
      files: [],
    })
    next = n + 1
    await refreshContractFlag(ctx, stay.workerId, stay.projectCode)
  })
}

const inForce = (state: string) => state === 'valid' || state === 'ending' || state === 'future'

/** Contract numbers with this prefix that the employers of these stays have used on any site; a number is unique within its company. */
async function takenCodes(ctx: Context, ids: readonly string[], prefix: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ corpCode: string; contractCode: string }>`
    select corp_code, contract_code from worker_contract
    where corp_code in (select corp_code from project_worker where id = any(${[...ids]})) and starts_with(contract_code, ${prefix})`.execute(
    ctx.system,
  )
  return new Set(rows.map((k) => `${k.corpCode} ${k.contractCode}`))
}

async function changeWorker(ctx: Context, worker: Worker, changes: { realNameState: string } | { consents: string }): Promise<void> {
  await changeRow(ctx, 'worker', {
    key: { id: worker.id },
    version: worker.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: { ...changes },
  })
}

/** Names listed in one audit log entry at most. */
const mostNamed = 10

/** Processes each person completely or not at all, with one audit log entry per person. */
async function forEach(ctx: Context, ids: readonly string[], words: string, act: (stay: Stay) => Promise<void>): Promise<BatchResult> {
  const changed: Stay[] = []
  const result = await each(ctx, ids, async (stay) => {
    if (stay.exitTime) return '已经退场'
    await sql`savepoint person`.execute(ctx.db)
    try {
      await act(stay)
      await sql`release savepoint person`.execute(ctx.db)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await sql`rollback to savepoint person`.execute(ctx.db)
      return error.message
    }
    changed.push(stay)
    return undefined
  })
  const names = changed.slice(0, mostNamed).map((stay) => maskName(stay.workerName))
  const more = changed.length > mostNamed ? ` 等 ${changed.length} 人` : ''
  // One entry per person, so that the audit log of each file shows it.
  ctx.note(`${words} ${names.join('、') || '0 人'}${more}`, changed.length > 0 ? changed.map((stay) => stay.workerId) : ids[0])
  return result
}
