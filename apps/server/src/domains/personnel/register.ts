import {
  ageOn,
  birthdayOfIdCard,
  birthPlaceOfIdCard,
  checkIdNumber,
  genderOfIdCard,
  maskIdCard,
  maskName,
  maskPhone,
} from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { residentId } from '@zhugong/contract/personnel/codes'
import type { ConsentInput } from '@zhugong/contract/personnel/identity-model'
import type { Registration, WorkerUpdate } from '@zhugong/contract/personnel/registration-model'
import { ageLimits, consentVersion, entryConditions } from '@zhugong/contract/personnel/rules'
import * as contract from '@zhugong/contract/personnel/workers'
import { areaPath, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes, requireCode } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles } from '../files/public.ts'
import {
  accountColumns,
  enterProject,
  joinLicence,
  licenceColumns,
  licenceState,
  listedPeople,
  type Newcomer,
  refreshContractFlag,
  workerByPapers,
} from '../labour/public.ts'
import { insertCert } from './certs.ts'
import { conditionsMissing } from './conditions.ts'
import { insertContract } from './contracts.ts'
import { moveStay } from './move.ts'
import { nativePlace } from './native-place.ts'
import type { JudgedStay, RawStay } from './stay-rows.ts'
import { getHeldWorker, getSeenWorker } from './store.ts'

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
  const missing = projectWorkerId ? await missingOf(ctx, projectWorkerId) : []
  ctx.note(`登记人员 ${maskName(body.name)}`, workerId)
  return { workerId, projectWorkerId, missing }
}

/** Opens somebody's file, and begins the stay with it if there is one. For whoever has asked for the rights. */
export async function registerPerson(ctx: Context, body: Registration): Promise<{ workerId: string; projectWorkerId: string | null }> {
  const worker = await insertWorker(ctx, body)
  const projectWorkerId = body.stay ? await enterWithPapers(ctx, { ...worker, isNew: true }, body) : null
  return { workerId: worker.id, projectWorkerId }
}

/** Somebody whose file is there already begins a stay with his papers: name and number must be those on file. */
export async function joinPerson(ctx: Context, body: Registration): Promise<{ workerId: string; projectWorkerId: string }> {
  const person = await workerByPapers(ctx, body.idCardType, body.idCardNumber, body.name)
  return { workerId: person.id, projectWorkerId: await enterWithPapers(ctx, person, body) }
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

const tooYoung = () => new AppError('invalidInput', '开始从业时未满 16 周岁', { field: 'workDate' })

const trail = (ctx: Context, version: number) => ({
  version: version + 1,
  updateBy: ctx.user.id,
  updateTime: new Date(ctx.clock.now()),
})

interface Identity {
  name: string
  idCardType: string
  idCardNumber: string
  gender: string | null
  birthday: string | null
}
/** A resident identity card says gender, birthday and native place itself. */
function identityColumns(ctx: Pick<Context, 'secrets'>, p: Identity) {
  const resident = p.idCardType === residentId
  return {
    name: p.name,
    idCardType: p.idCardType,
    idCardNumber: ctx.secrets.seal(p.idCardNumber) as Buffer,
    idCardHash: ctx.secrets.blindIndex('id-card', p.idCardNumber),
    idCardMask: maskIdCard(p.idCardNumber),
    gender: (resident ? genderOfIdCard(p.idCardNumber) : p.gender) ?? '9',
    birthday: (resident ? birthdayOfIdCard(p.idCardNumber) : p.birthday) ?? '1900-01-01',
    birthPlaceCode: resident ? birthPlaceOfIdCard(p.idCardNumber) : null,
  }
}

const pictures = ['headImage', 'positiveIdCardImage', 'negativeIdCardImage', 'facePhoto'] as const

/** The rest of the file as columns. On an edit, sealed fields left out stay as they are. */
async function fileColumns(ctx: Context, p: Omit<WorkerUpdate, 'version'> | Registration, before?: Row<'worker'>) {
  const consents = p.consents ? stampedConsents(ctx, p.consents, before?.consents ?? []) : undefined
  const face = (consents ?? before?.consents ?? []).find((c) => c.kind === 'face')
  if (p.facePhoto && face?.state !== '同意') throw new AppError('refused', '本人未同意人脸采集，不能保存现场照片', { field: 'facePhoto' })
  const kept: Partial<Record<(typeof pictures)[number], string | null>> = {}
  for (const name of pictures) {
    const id = p[name]
    kept[name] = id ? ((await keptFiles(ctx, [id], [before?.[name]]))[0] ?? null) : (before?.[name] ?? null)
  }
  // Without consent the face goes at once (entities.md 14; the original within 30 days, by the keeper of files).
  if (face && face.state !== '同意') kept.facePhoto = null
  return {
    ...kept,
    nation: p.nation,
    grantOrg: p.grantOrg,
    startDate: p.startDate,
    expiryDate: p.expiryDate,
    politics: p.politics,
    cultureLevel: p.cultureLevel,
    degree: p.degree,
    maritalStatus: p.maritalStatus,
    isJoined: p.isJoined,
    joinedTime: p.joinedTime,
    specialty: p.specialty,
    workTypeCode: p.workTypeCode,
    workCorpName: p.workCorpName,
    workDate: p.workDate,
    skillLevel: p.skillLevel,
    urgentLinkMan: p.urgentLinkMan,
    hasBadMedicalHistory: p.hasBadMedicalHistory,
    ...(p.address ? { address: ctx.secrets.seal(p.address) } : {}),
    ...(p.cellPhone
      ? {
          cellPhone: ctx.secrets.seal(p.cellPhone),
          cellPhoneHash: ctx.secrets.blindIndex('phone', p.cellPhone),
          cellPhoneMask: maskPhone(p.cellPhone),
        }
      : {}),
    ...(p.urgentLinkManPhone
      ? { urgentLinkManPhone: ctx.secrets.seal(p.urgentLinkManPhone), urgentLinkManPhoneMask: maskPhone(p.urgentLinkManPhone) }
      : {}),
    ...(consents ? { consents: JSON.stringify(consents) } : {}),
  }
}

/** One entry a purpose; a changed answer gets the time of the change. */
function stampedConsents(ctx: Context, given: readonly ConsentInput[], before: readonly Row<'worker'>['consents'][number][]) {
  const now = formatInstant(ctx.clock.now())
  const merged = new Map(before.map((c) => [c.kind, c]))
  for (const c of given) {
    const old = merged.get(c.kind)
    if (old?.state === c.state && old.way === c.way) continue
    merged.set(c.kind, { kind: c.kind, state: c.state, version: c.version || consentVersion, way: c.way, time: c.time ?? now })
  }
  return [...merged.values()]
}

async function insertWorker(ctx: Context, body: Registration): Promise<Newcomer> {
  if (body.workDate && ageOn(birthdayOf(body), body.workDate) < 16) throw tooYoung()
  const id = ctx.newId()
  const columns = {
    ...identityColumns(ctx, body),
    ...(await fileColumns(ctx, body)),
    workTypeCode: body.workTypeCode ?? body.stay?.workType ?? null,
  }
  try {
    return await ctx.db
      .insertInto('worker')
      .values({
        id,
        ...columns,
        realNameState: body.fromCard ? '1' : '0',
        ownerGroup: ctx.group.id,
        createBy: ctx.user.id,
      } as never)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) throw await duplicate(ctx, body.idCardType, body.idCardNumber)
    throw error
  }
}
const birthdayOf = (body: Registration): string =>
  (body.idCardType === residentId ? birthdayOfIdCard(body.idCardNumber) : body.birthday) ?? '1900-01-01'

/**
 * Says who has the number already when the caller may see that person, and no more than that it is taken otherwise. The failed insert has
 * ended this transaction, so both questions go to the other pool, the first one within the caller's scope by hand.
 */
async function duplicate(ctx: Context, type: string, number: string): Promise<AppError> {
  const known = await ctx.system
    .selectFrom('worker')
    .select(['id', 'name', 'ownerGroup'])
    .where('idCardType', '=', type)
    .where('idCardHash', '=', ctx.secrets.blindIndex('id-card', number))
    .where('deleted', '=', false)
    .executeTakeFirst()
  const { rows } = await sql<{ projectName: string; present: boolean }>`
    select p.name as project_name, w.exit_time is null as present from project_worker w join project p using (project_code)
    where w.worker_id = ${known?.id ?? ''} and (${ctx.scope.all} or (w.project_code = any (${[...ctx.scope.projects]})
      and (w.project_code <> all (${[...ctx.scope.limited]}) or w.corp_code = any (${[...ctx.scope.corps]}))))
    order by present desc, w.entry_time desc`.execute(ctx.system)
  const seen = known && (ctx.scope.all || known.ownerGroup === ctx.group.id || rows.length > 0)
  if (!known || !seen)
    return new AppError('refused', '该证件号码已在平台登记，请核对号码；本人转场请按姓名和证件号码办理进场', { field: 'idCardNumber' })
  const at = rows[0]
  const where = at
    ? `，${at.present ? '现在' : '曾在'}“${at.projectName}”${at.present ? '' : '，现已退场：请沿用档案办理进场，不必重新登记'}`
    : ''
  return new AppError('refused', `该证件号码已登记：${known.name}${where}`, { field: 'idCardNumber', workerId: known.id, name: known.name })
}

async function enterWithPapers(ctx: Context, person: Newcomer, body: Registration): Promise<string> {
  const stay = body.stay
  if (!stay) throw new Error('no stay')
  const workerId = person.id
  const { payRollBankCode, payRollBankName, payRollBankCardNumber, bankLinkNumber, ...entry } = stay
  let id: string
  try {
    const account = await accountColumns(ctx, workerId, { payRollBankCode, payRollBankName, payRollBankCardNumber, bankLinkNumber })
    id = await enterProject(ctx, person, entry, account)
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

async function missingOf(ctx: Context, stayId: string): Promise<string[]> {
  const { rows } = await sql<JudgedStay>`
    select w.*, p.real_name_state, ${licenceColumns} from project_worker w join worker p on p.id = w.worker_id ${joinLicence('w')}
    where w.id = ${stayId}`.execute(ctx.db)
  const w = rows[0]
  if (!w) return []
  const { certState } = licenceState(w.workType, w, formatDay(ctx.clock.now()))
  return conditionsMissing(w, w.realNameState, certState).map((c) => entryConditions[c])
}

async function lookUp(ctx: Context, idCardType: string, idCardNumber: string, name: string | undefined) {
  const problem = checkIdNumber(idCardType, idCardNumber, { today: formatDay(ctx.clock.now()) })
  if (problem) throw new AppError('invalidInput', problem, { field: 'idCardNumber' })
  const hash = ctx.secrets.blindIndex('id-card', idCardNumber)
  // Who has left is no longer one's own: he comes back as everybody comes, with his papers.
  const own = await ctx.db
    .selectFrom('worker')
    .select(['id', 'name', 'realNameState', 'expiryDate'])
    .where('idCardType', '=', idCardType)
    .where('idCardHash', '=', hash)
    .where('deleted', '=', false)
    .where(sql<boolean>`(${ctx.scope.all} or zg_holds_worker(id))`)
    .executeTakeFirst()
  const other = own
    ? undefined
    : await ctx.system
        .selectFrom('worker')
        .select(['id', 'name'])
        .where('idCardType', '=', idCardType)
        .where('idCardHash', '=', hash)
        .where('deleted', '=', false)
        .executeTakeFirst()
  const onSite = own
    ? (
        await sql<{ projectCode: string; projectName: string }>`
          select w.project_code, p.name as project_name from project_worker w join project p using (project_code)
          where w.worker_id = ${own.id} and w.exit_time is null`.execute(ctx.db)
      ).rows
    : []
  const resident = idCardType === residentId
  const birthday = resident ? (birthdayOfIdCard(idCardNumber) ?? null) : null
  const age = birthday ? ageOn(birthday, formatDay(ctx.clock.now())) : null
  const site = ctx.projectCode !== '*' ? ctx.projectCode : ctx.group.type === groupTypes.project ? ctx.group.code : ''
  const listed = (await listedPeople(ctx, [hash], { projectCode: site, corpCode: null })).get(hash)
  const warnings = [
    ...(age !== null && age < ageLimits.least ? [`${age} 周岁，未满 ${ageLimits.least} 周岁不得进场`] : []),
    ...(listed ? [`在黑名单内，不得进场：${listed.reasonTypeName}，${listed.scopeName}，至 ${listed.endDate}`] : []),
    ...(own?.expiryDate && own.expiryDate < formatDay(ctx.clock.now()) ? [`证件已于 ${own.expiryDate} 过期`] : []),
  ]
  return {
    // Without the exact name nobody learns that a number is registered somewhere out of his sight.
    known: own ? ('own' as const) : other && other.name === name ? ('other' as const) : ('none' as const),
    workerId: own?.id ?? null,
    name: own?.name ?? null,
    realNameState: own?.realNameState ?? null,
    onSite,
    gender: resident ? (genderOfIdCard(idCardNumber) ?? null) : null,
    birthday,
    age,
    birthPlaceName: resident ? nativePlace(birthPlaceOfIdCard(idCardNumber), areaPath) : null,
    warnings,
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
