import { ageOn, checkIdNumber, maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Registration } from '@zhugong/contract/personnel/registration-model'
import { entryConditions } from '@zhugong/contract/personnel/rules'
import * as contract from '@zhugong/contract/personnel/workers'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, requireCode } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
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

/** Opens somebody's file, and begins the stay with it if there is one. For whoever has asked for the rights. */
export async function registerPerson(
  ctx: Context,
  body: Registration,
  source?: EntrySource,
): Promise<{ workerId: string; projectWorkerId: string | null }> {
  const worker = await insertWorker(ctx, body)
  const projectWorkerId = body.stay ? await enterWithPapers(ctx, { ...worker, isNew: true }, body, source) : null
  return { workerId: worker.id, projectWorkerId }
}

/** Somebody whose file is there already begins a stay with his papers: name and number must be those on file. */
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
  // The own number is masked and need not be typed again: the one on file counts.
  if (body.urgentLinkManPhone && !body.cellPhone && body.urgentLinkManPhone === ctx.secrets.open(before.cellPhone))
    throw new AppError('invalidInput', '与本人手机相同，填联系人自己的号码', { field: 'urgentLinkManPhone' })
  const done = await ctx.db
    .updateTable('worker')
    .set({ ...(await fileColumns(ctx, body, before)), ...trail(ctx, body.version) })
    .where('id', '=', before.id)
    .where('version', '=', body.version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '人员档案已被他人修改，请刷新后重试')
  ctx.note(`修改人员 ${maskName(before.name)}`, before.id)
  return { version: body.version + 1 }
}

const updateWorkerBase: HandlerOf<typeof contract.updateWorkerBase> = async ({ params, body }, ctx) => {
  const before = await getHeldWorker(ctx, params.id)
  const number = body.idCardNumber ?? ctx.secrets.open(before.idCardNumber) ?? ''
  const problem = checkIdNumber(body.idCardType, number)
  if (problem) throw new AppError('invalidInput', problem, { field: 'idCardNumber' })
  const changed = body.name !== before.name || body.idCardType !== before.idCardType || body.idCardNumber !== null
  try {
    const done = await ctx.db
      .updateTable('worker')
      .set({
        ...identityColumns(ctx, { ...body, idCardNumber: number }),
        // Another name or number is another claim: whoever checked the old one did not check this.
        realNameState: changed ? '0' : before.realNameState,
        ...trail(ctx, body.version),
      })
      .where('id', '=', before.id)
      .where('version', '=', body.version)
      .executeTakeFirst()
    if (done.numUpdatedRows === 0n) throw new AppError('conflict', '人员档案已被他人修改，请刷新后重试')
  } catch (error) {
    if (isUniqueViolation(error)) throw await duplicate(ctx, body.idCardType, number)
    throw error
  }
  ctx.note(`更正身份 ${maskName(body.name)}（${body.reason}）`, before.id)
  return { version: body.version + 1 }
}

const workerProjects: HandlerOf<typeof contract.workerProjects> = async ({ params }, ctx) => {
  await getSeenWorker(ctx, params.id)
  const { rows } = await sql<Row<'projectWorker'> & Pick<RawStay, 'projectName' | 'corpName' | 'teamName'>>`
      select w.*, pr.name as project_name, c.corp_name, t.team_name from project_worker w join project pr using (project_code)
        left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
      where w.worker_id = ${params.id} order by w.exit_time is null desc, w.entry_time desc`.execute(ctx.db)
  const list = rows.map((w) => ({
    id: w.id,
    projectCode: w.projectCode,
    projectName: w.projectName ?? w.projectCode,
    corpCode: w.corpCode,
    corpName: w.corpName,
    teamId: w.teamId,
    teamName: w.teamName,
    workTypeName: tradeName(w),
    entryTime: formatInstant(w.entryTime),
    exitTime: w.exitTime ? formatInstant(w.exitTime) : null,
    formalStatus: w.formalStatus,
    stationed: w.exitTime ? '2' : '1',
    version: w.version,
  }))
  return { list, total: list.length }
}

const trail = (ctx: Context, version: number) => ({
  version: version + 1,
  updateBy: ctx.user.id,
  updateTime: new Date(ctx.clock.now()),
})

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

/** A refusal at a field of the stay stands under `stay.` in the body of a registration. */
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

/** A file with any stay belongs to the ledger and stays; one opened by mistake goes wholly. */
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
