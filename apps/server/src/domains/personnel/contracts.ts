import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { type ContractRow, contractRow } from '@zhugong/contract/personnel/paper-model'
import * as contract from '@zhugong/contract/personnel/papers'
import { contractStateOf } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles, linksOf } from '../files/public.ts'
import { refreshContractFlag } from '../labour/public.ts'
import { getSeenWorker, getWorker } from './store.ts'

/** A contract must be signed within a month of the first day of work (建市〔2022〕59号). */
const signWithinDays = 30

export function contractRoutes(serve: Serve) {
  serve(contract.workerContracts, workerContracts)
  serve(contract.saveContract, saveContract)
}

const workerContracts: HandlerOf<typeof contract.workerContracts> = async ({ params }, ctx) => {
  await getSeenWorker(ctx, params.id)
  const list = await contractsOf(ctx, params.id)
  return { list, total: list.length }
}

/** A person's contracts that are visible to the caller, newest first. */
export async function contractsOf(ctx: Pick<Context, 'db' | 'clock' | 'secrets'>, workerId: string): Promise<ContractRow[]> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<RawContract>`
      select k.*, p.name as project_name, c.corp_name,
        (select min(w.entry_time) from project_worker w where w.worker_id = k.worker_id and w.project_code = k.project_code
          and (w.exit_time is null or w.exit_time >= k.start_date)) as entered
      from worker_contract k left join project p using (project_code) left join corporation c using (corp_code)
      where k.worker_id = ${workerId} order by k.start_date desc, k.id`.execute(ctx.db)
  return rows.map((k) => toContract(ctx, k, today))
}

const saveContract: HandlerOf<typeof contract.saveContract> = async ({ body }, ctx) => {
  const worker = await getWorker(ctx, body.workerId)
  const projectCode = oneProject(ctx, body.projectCode)
  const { id, version, ...fields } = body
  const stay = await ctx.db
    .selectFrom('projectWorker')
    .select('exitTime')
    .where('workerId', '=', worker.id)
    .where('projectCode', '=', projectCode)
    .where('corpCode', '=', body.corpCode)
    .orderBy('exitTime', (o) => o.desc().nullsFirst())
    .executeTakeFirst()
  if (!stay) throw new AppError('refused', '该人员未以此单位在本项目进场，不能签订合同', { field: 'corpCode' })
  // A contract can be edited after the person has left (for example to end it); a new one requires a current stay.
  if (!id && stay.exitTime) throw new AppError('refused', '该人员已退场，不能再签订合同', { field: 'workerId' })
  const saved = id
    ? await updateContract(ctx, id, { ...fields, projectCode }, version)
    : await insertContract(ctx, { ...fields, projectCode })
  await refreshContractFlag(ctx, worker.id, projectCode)
  ctx.note(`${body.terminateDate ? '终止' : '保存'}合同：${maskName(worker.name)}`, saved)
  return { id: saved }
}

type RawContract = Row<'workerContract'> & { projectName: string | null; corpName: string | null; entered: Date | null }

export interface ContractInput {
  workerId: string
  projectCode: string
  corpCode: string
  contractCode: string
  contractKind: string
  contractPeriodType: string
  startDate: string
  endDate: string | null
  paymentType: string
  unit: string | null
  unitPrice: number | null
  salary: number | null
  payDay: number
  workContent: string | null
  signDate: string
  signMode: string
  files: string[]
  terminateDate?: string | null
  terminateReason?: string | null
}

export async function insertContract(ctx: Context, input: ContractInput): Promise<string> {
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('workerContract')
      .values({ ...input, id, files: JSON.stringify(await keptFiles(ctx, input.files)), createBy: ctx.user.id } as never)
      .execute()
  } catch (error) {
    throw codeTaken(error)
  }
  return id
}
async function updateContract(ctx: Context, id: string, input: ContractInput, version: number | undefined): Promise<string> {
  const before = found(await ctx.db.selectFrom('workerContract').selectAll().where('id', '=', id).executeTakeFirst(), '合同')
  if (before.workerId !== input.workerId) throw new AppError('notFound', '合同不存在或已删除')
  try {
    await changeRow(ctx, 'workerContract', {
      key: { id },
      version: version ?? before.version,
      noun: '合同',
      by: ctx.user.id,
      values: { ...input, files: JSON.stringify(await keptFiles(ctx, input.files, before.files)) },
    })
  } catch (error) {
    throw codeTaken(error)
  }
  if (before.projectCode !== input.projectCode) await refreshContractFlag(ctx, before.workerId, before.projectCode)
  return id
}
const codeTaken = (error: unknown): unknown =>
  isUniqueViolation(error) ? new AppError('refused', '该单位已有同编号的合同', { field: 'contractCode' }) : error

function toContract(ctx: Pick<Context, 'clock' | 'secrets'>, k: RawContract, today: string): ContractRow {
  const entered = k.entered ? formatDay(k.entered) : null
  return rowOf(contractRow, k, {
    contractKindName: dictName('contractKind', k.contractKind),
    contractPeriodTypeName: dictName('contractType', k.contractPeriodType),
    paymentTypeName: dictName('paymentType', k.paymentType),
    unitName: dictName('workUnit', k.unit),
    files: linksOf(ctx, k.files),
    state: contractStateOf(k, today),
    late: entered !== null && (k.signDate > addDays(entered, signWithinDays) || k.startDate > entered),
  })
}
