import { ageOn, checkIdNumber, maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Registration } from '@zhugong/contract/personnel/registration-model'
import { entryConditions } from '@zhugong/contract/personnel/rules'
import * as contract from '@zhugong/contract/personnel/workers'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, requireCode } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import {
  accountColumns,
  type EntrySource,
  enterProject,
  joinLicence,
  licenceColumns,
  licenceState,
  type Newcomer,
  refreshContractFlag,
  workerByPapers,
} from '../labour/public.ts'
import { insertCert } from './certs.ts'
import { conditionsMissing, fieldsLacking } from './conditions.ts'
import { insertContract } from './contracts.ts'
import { duplicate, lookUp } from './look-up.ts'
import { moveStay } from './move.ts'
import type { JudgedStay, RawStay } from './stay-rows.ts'
import { getHeldWorker, getSeenWorker, getWorker } from './store.ts'
import { fileColumns, identityColumns, insertWorker, tooYoung } from './worker-file.ts'

/** Registration, correction and removal of a person's file. */
export function registerRoutes(serve: Serve) {
  serve(contract.syncWorker, async ({ body }, ctx) => lookUp(ctx, body.idCardType, body.idCardNumber, body.name))
  serve(contract.registerWorker, registerWorker)
  serve(contract.updateWorker, updateWorker)
  serve(contract.updateWorkerBase, updateWorkerBase)
  const remove = async ({ params }: { params: { id: string } }, ctx: Context) => {
    await removeWorker(ctx, params.id)
    return undefined
  }
  serve(contract.removeWorker, remove)
  serve(contract.removePerson, remove)
  serve(contract.workerProjects, workerProjects)
  serve(contract.moveWorker, async ({ params, body }, ctx) => {
    const stay = await moveStay(ctx, params.id, body)
    ctx.note(`调班组 ${maskName(stay.workerName)}`, stay.id)
    return undefined
  })
}

const registerWorker: HandlerOf<typeof contract.registerWorker> = async ({ body }, ctx) => {
  if (body.stay) requireCode(ctx, 'labour.entry')
  const { workerId, projectWorkerId } = await registerPerson(ctx, body)
  if (body.cert) await insertCert(ctx, workerId, body.cert)
  const lacks = projectWorkerId ? await lacksOf(ctx, workerId, projectWorkerId) : { missing: [], fields: [] }
  ctx.note(`登记人员 ${maskName(body.name)}`, workerId)
  return { workerId, projectWorkerId, ...lacks }
}

/** Creates a person's file and, if given, the stay. The caller must have checked the permissions. */
export async function registerPerson(
  ctx: Context,
  body: Registration,
  source?: EntrySource,
): Promise<{ workerId: string; projectWorkerId: string | null }> {
  const worker = await insertWorker(ctx, body)
  const projectWorkerId = body.stay ? await enterWithPapers(ctx, { ...worker, isNew: true }, body, source) : null
  return { workerId: worker.id, projectWorkerId }
}

/** Starts a stay for a person who has a file already: name and number must match the file. */
export async function joinPerson(
  ctx: Context,
  body: Registration,
  source?: EntrySource,
): Promise<{ workerId: string; projectWorkerId: string }> {
  const person = await workerByPapers(ctx, body.idCardType, body.idCardNumber, body.name)
  return { workerId: person.id, projectWorkerId: await enterWithPapers(ctx, person, body, source) }
}

const updateWorker: HandlerOf<typeof contract.updateWorker> = async ({ params, body }, ctx) => {
  const before = await getHeldWorker(ctx, params.id)
  if (body.workDate && ageOn(before.birthday, body.workDate) < 16) throw tooYoung()
  // The person's own number is masked in the form and not sent again: the stored one is compared.
  if (body.urgentLinkManPhone && !body.cellPhone && body.urgentLinkManPhone === ctx.secrets.open(before.cellPhone))
    throw new AppError('invalidInput', '与本人手机相同，填联系人自己的号码', { field: 'urgentLinkManPhone' })
  const version = await changeRow(ctx, 'worker', {
    key: { id: before.id },
    version: body.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: await fileColumns(ctx, body, before),
  })
  ctx.note(`修改人员 ${maskName(before.name)}`, before.id)
  return { version }
}

const updateWorkerBase: HandlerOf<typeof contract.updateWorkerBase> = async ({ params, body }, ctx) => {
  const before = await getHeldWorker(ctx, params.id)
  const number = body.idCardNumber ?? ctx.secrets.open(before.idCardNumber) ?? ''
  const problem = checkIdNumber(body.idCardType, number)
  if (problem) throw new AppError('invalidInput', problem, { field: 'idCardNumber' })
  const changed = body.name !== before.name || body.idCardType !== before.idCardType || body.idCardNumber !== null
  let version: number
  try {
    version = await changeRow(ctx, 'worker', {
      key: { id: before.id },
      version: body.version,
      noun: '人员档案',
      by: ctx.user.id,
      values: {
        ...identityColumns(ctx, { ...body, idCardNumber: number }),
        // A changed name or number resets the verification, which applied to the old one.
        realNameState: changed ? '0' : before.realNameState,
      },
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw await duplicate(ctx, body.idCardType, number)
    throw error
  }
  ctx.note(`更正身份 ${maskName(body.name)}（${body.reason}）`, before.id)
  return { version }
}

const workerProjects: HandlerOf<typeof contract.workerProjects> = async ({ params }, ctx) => {
  await getSeenWorker(ctx, params.id)
  const { rows } = await sql<Row<'projectWorker'> & Pick<RawStay, 'projectName' | 'corpName' | 'teamName'>>`
      select w.*, pr.name as project_name, c.corp_name, t.team_name from project_worker w join project pr using (project_code)
        left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
      where w.worker_id = ${params.id} order by w.exit_time is null desc, w.entry_time desc`.execute(ctx.db)
  const list = rows.map((w) =>
    rowOf(rowSchemaOf(contract.workerProjects), w, {
      projectName: w.projectName ?? w.projectCode,
      workTypeName: tradeName(w),
      entryTime: formatInstant(w.entryTime),
      exitTime: w.exitTime ? formatInstant(w.exitTime) : null,
      stationed: w.exitTime ? '2' : '1',
    }),
  )
  return { list, total: list.length }
}

async function enterWithPapers(ctx: Context, person: Newcomer, body: Registration, source?: EntrySource): Promise<string> {
  const stay = body.stay
  if (!stay) throw new Error('no stay')
  const workerId = person.id
  const { payRollBankCode, payRollBankName, payRollBankCardNumber, bankLinkNumber, ...entry } = stay
  let id: string
  try {
    const account = await accountColumns(ctx, workerId, { payRollBankCode, payRollBankName, payRollBankCardNumber, bankLinkNumber })
    id = await enterProject(ctx, person, entry, account, source)
  } catch (error) {
    throw underStay(error)
  }
  if (body.contract) {
    await insertContract(ctx, { ...body.contract, workerId, projectCode: stay.projectCode, corpCode: stay.corpCode })
    await refreshContractFlag(ctx, workerId, stay.projectCode)
  }
  return id
}

/** Prefixes the field of an error with `stay.`, as in the body of a registration. */
function underStay(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const field = error.detail?.field
  const own = ['birthday', 'expiryDate', 'idCardNumber', 'workerId']
  return typeof field === 'string' && !own.includes(field)
    ? new AppError(error.kind, error.message, { ...error.detail, field: `stay.${field}` })
    : error
}

async function lacksOf(ctx: Context, workerId: string, stayId: string): Promise<{ missing: string[]; fields: string[] }> {
  const { rows } = await sql<JudgedStay>`
    select w.*, zg_real_name_state(w.worker_id) as real_name_state, ${licenceColumns} from project_worker w ${joinLicence('w')}
    where w.id = ${stayId}`.execute(ctx.db)
  const w = rows[0]
  if (!w) return { missing: [], fields: [] }
  const today = formatDay(ctx.clock.now())
  const { certState } = licenceState(w.workType, w, today)
  return {
    missing: conditionsMissing(w, w.realNameState, certState).map((c) => entryConditions[c]),
    fields: fieldsLacking(await getWorker(ctx, workerId), w, today),
  }
}

/** A file with any stay is kept for the ledger; one created by mistake is deleted completely. */
async function removeWorker(ctx: Context, id: string): Promise<void> {
  const worker = await getHeldWorker(ctx, id)
  const { rows } = await sql<{ present: number; ever: number }>`
    select count(*) filter (where exit_time is null)::int as present, count(*)::int as ever from project_worker where worker_id = ${id}`.execute(
    ctx.system,
  )
  const { present = 0, ever = 0 } = rows[0] ?? {}
  if (present > 0) throw new AppError('refused', `${worker.name}还在场，请先办理退场`)
  if (ever > 0) throw new AppError('refused', `${worker.name}有 ${ever} 段在场记录，档案须保留，不能删除`)
  for (const table of ['workerCert', 'workerResume', 'workerContract', 'workerBad'] as const)
    await ctx.db.deleteFrom(table).where('workerId', '=', id).execute()
  await ctx.db.deleteFrom('worker').where('id', '=', id).execute()
  ctx.note(`删除人员 ${maskName(worker.name)}`, id)
}

export const tradeName = (w: { workType: string | null; post: string | null }): string | null =>
  w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post)
