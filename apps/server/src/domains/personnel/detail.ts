import { ageOn } from '@zhugong/contract/kit/checks'
import { contractStateOf, expiringDays } from '@zhugong/contract/personnel/rules'
import {
  type ClearField,
  clearNames,
  isHeld,
  type StayDetail,
  type WorkerDetail,
  type WorkerHead,
  workerDetail,
  workerHead,
} from '@zhugong/contract/personnel/worker-model'
import * as contract from '@zhugong/contract/personnel/workers'
import { areaPath, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, requireCode } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { findLooks, recordLook } from '../access/public.ts'
import { linkOf } from '../files/public.ts'
import { licenceState, listedPeople } from '../labour/public.ts'
import { shownBirthday } from './birthday.ts'
import { conditionStates, fieldsLacking, fileOf, incompleteOf } from './conditions.ts'
import { fitnessOf } from './fitness.ts'
import { nativePlace } from './native-place.ts'
import { maskAddress } from './roster-rows.ts'
import { type RawStay, stayColumns, stayJoins, toStayRow } from './stay-rows.ts'
import { filedBy, getHeldWorker, getSeenWorker, type Hold, madeBy, notHeld, type SeenWorker } from './store.ts'
import { answerOf } from './worker-file.ts'

/** Endpoints for one person: the file and one stay. */
export function detailRoutes(serve: Serve) {
  serve(contract.workerBaseInfo, async ({ params }, ctx) => head(ctx, await getSeenWorker(ctx, params.id)))
  serve(contract.workerDetailInfo, workerDetailInfo)
  serve(contract.fillWorker, async ({ params }, ctx) =>
    detail(ctx, { worker: await getHeldWorker(ctx, params.id), hold: 'present', until: null }, undefined),
  )
  serve(contract.getWorkerBase, getWorkerBase)
  serve(contract.workerLooks, workerLooks)
}

const workerDetailInfo: HandlerOf<typeof contract.workerDetailInfo> = async ({ params, query }, ctx) => {
  // A link may contain only a stay id; then both parameters have that id.
  const byStay = query.projectWorkerId !== undefined && query.projectWorkerId === params.id
  const known = byStay ? await stayOf(ctx, undefined, params.id) : undefined
  const seen = await getSeenWorker(ctx, known?.workerId ?? params.id)
  const worker = seen.worker
  const stay = known ?? (query.projectWorkerId ? await stayOf(ctx, worker.id, query.projectWorkerId) : undefined)
  const answer = await detail(ctx, seen, stay)
  const wanted = (query.plain ?? []) as ClearField[]
  if (wanted.length === 0) return answer
  requireCode(ctx, 'personnel.unmask')
  if (!isHeld(seen.hold)) throw notHeld(seen.hold)
  await recordLook(ctx, {
    objectId: worker.id,
    summary: `查看明文：${wanted.map((f) => clearNames[f]).join('、')}（${query.reason ?? ''}）`,
    projectCode: stay?.projectCode ?? null,
  })
  return { ...answer, plain: Object.fromEntries(wanted.map((f) => [f, clear(ctx, worker, stay, f)])) }
}

const getWorkerBase: HandlerOf<typeof contract.getWorkerBase> = async ({ params }, ctx) => {
  const { worker: w } = await getSeenWorker(ctx, params.id)
  return {
    workerId: w.id,
    ...pick(w, 'name', 'idCardType', 'gender', 'realNameState', 'version'),
    idCardTypeName: dictName('idCardType', w.idCardType),
    idCardNumber: w.idCardMask,
    birthday: shownBirthday(w),
    age: ageOn(w.birthday, formatDay(ctx.clock.now())),
    birthPlaceName: nativePlace(w.birthPlaceCode, areaPath),
  }
}

const workerLooks: HandlerOf<typeof contract.workerLooks> = async ({ params }, ctx) => {
  const { worker, hold } = await getSeenWorker(ctx, params.id)
  // A group that has the person in place is responsible for the data and sees the read log of all groups (个人信息保护法 第五十四条: audits of the
  // handling). A former one sees only its own group's entries.
  return findLooks(isHeld(hold) ? ctx.system : ctx.db, worker.id)
}

/** Missing fields are shown only to a group that has the person in place. */
const incompleteFor = (w: Row<'worker'>, hold: Hold) => (isHeld(hold) ? incompleteOf(fileOf(w)) : { incomplete: [], completeness: 0 })

async function stayOf(ctx: Context, workerId: string | undefined, id: string): Promise<RawStay> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<RawStay>`
    select ${stayColumns} from project_worker w ${stayJoins(today)} where w.id = ${id} ${workerId === undefined ? sql`` : sql`and w.worker_id = ${workerId}`}`.execute(
    ctx.db,
  )
  return found(rows[0], '项目人员')
}

function clear(ctx: Context, w: Row<'worker'>, stay: RawStay | undefined, field: ClearField): string | null {
  const open = ctx.secrets.open
  const values: Record<ClearField, () => string | null> = {
    name: () => w.name,
    idCardNumber: () => open(w.idCardNumber),
    cellPhone: () => open(w.cellPhone),
    address: () => open(w.address),
    urgentLinkManPhone: () => open(w.urgentLinkManPhone),
    payRollBankCardNumber: () => open(stay?.payRollBankCardNumber),
  }
  return values[field]()
}

async function evidenceOf(ctx: Context, stay: RawStay) {
  const signed = await ctx.db
    .selectFrom('workerContract')
    .select(['startDate', 'endDate', 'terminateDate', 'contractPeriodType'])
    .where('workerId', '=', stay.workerId)
    .where('projectCode', '=', stay.projectCode)
    .orderBy('startDate', 'desc')
    .execute()
  const today = formatDay(ctx.clock.now())
  const inForce = signed.find((one) => ['valid', 'ending'].includes(contractStateOf(one, today)))
  const contract = inForce ?? signed.find((one) => contractStateOf(one, today) === 'future') ?? signed[0]
  const training = await ctx.db
    .selectFrom('workerTraining')
    .select(['trainDate', 'hours'])
    .where('projectWorkerId', '=', stay.id)
    .where('passed', '=', true)
    .orderBy('trainDate', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { contract, today, training: training ? `${training.trainDate}，${training.hours} 学时` : null }
}

async function conditionsOf(ctx: Context, stay: RawStay) {
  const licence = licenceState(stay.exitTime ? null : stay.workType, stay, formatDay(ctx.clock.now()))
  return conditionStates(stay, stay.realNameState, licence.certState, { ...(await evidenceOf(ctx, stay)), certEnd: licence.certEnd })
}

async function head(ctx: Context, { worker: w, hold, until }: SeenWorker): Promise<WorkerHead> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<RawStay>`
    select ${stayColumns} from (select * from project_worker where worker_id = ${w.id} order by exit_time is null desc, entry_time desc limit 1) w
      ${stayJoins(today)}`.execute(ctx.db)
  const stay = rows[0]
  const counts = await sql<WorkerHead['counts'] & { nextEnd: string | null; attendDays: number }>`
    select (select count(*)::int from project_worker where worker_id = ${w.id}) + (select count(*)::int from worker_resume where worker_id = ${w.id} and ${madeBy(until)}) as history,
      (select count(*)::int from worker_bad where worker_id = ${w.id} and audit_status <> '2' and (valid_until is null or valid_until >= ${today}::date)) as bad,
      (select count(*)::int from worker_contract where worker_id = ${w.id}) as contracts,
      (select count(*)::int from worker_cert where worker_id = ${w.id} and ${filedBy(until)}) as certs,
      (select count(*)::int from worker_cert where worker_id = ${w.id} and ${filedBy(until)} and valid_end < ${today}::date) as certs_expired,
      (select count(*)::int from worker_cert where worker_id = ${w.id} and ${filedBy(until)} and valid_end between ${today}::date and ${addDays(today, expiringDays)}::date) as certs_expiring,
      (select min(valid_end) from worker_cert where worker_id = ${w.id} and ${filedBy(until)} and status = '1' and audit_status = '1' and valid_end >= ${today}::date) as next_end,
      (select count(*)::int from attendance_day where worker_id = ${w.id} and project_code = ${stay?.projectCode ?? ''}
        and work_day >= date_trunc('month', ${today}::date) and record_count > 0) as attend_days`.execute(ctx.db)
  const { nextEnd = null, attendDays = 0, ...numbers } = counts.rows[0] ?? ({} as never)
  const { incomplete, completeness } = incompleteFor(w, hold)
  return rowOf(workerHead, w, {
    workerId: w.id,
    hold,
    age: ageOn(w.birthday, today),
    nationName: dictName('nation', w.nation),
    idCardNumber: w.idCardMask,
    cellPhone: w.cellPhoneMask,
    address: maskAddress(ctx.secrets.open(w.address)),
    urgentLinkManPhone: w.urgentLinkManPhoneMask,
    payCard: stay?.payRollBankCardMask ?? null,
    photo: linkOf(ctx, w.headImage),
    workTypeName: dictName('workerType', w.workTypeCode),
    completeness,
    incomplete,
    consents: consentsOf(ctx, w),
    stay: stay
      ? {
          ...pick(stay, 'id', 'projectCode', 'projectName', 'corpCode', 'corpName', 'teamName', 'formalStatus', 'blackHit'),
          workTypeName: stay.workType ? dictName('workerType', stay.workType) : dictName('managerPost', stay.post),
          entryTime: formatInstant(stay.entryTime),
          exitTime: stay.exitTime ? formatInstant(stay.exitTime) : null,
          stationed: stay.exitTime ? '2' : '1',
          black: (await listedPeople(ctx, [stay.idCardHash], stay)).get(stay.idCardHash) ?? null,
          attendDays,
          conditions: await conditionsOf(ctx, stay),
        }
      : null,
    counts: numbers,
    nextEnd,
  })
}

const consentsOf = (ctx: Context, w: Row<'worker'>) => (w.consents ?? []).map((c) => ({ ...answerOf(c), file: linkOf(ctx, c.file) }))

async function detail(ctx: Context, { worker: w, hold }: SeenWorker, stay: RawStay | undefined): Promise<WorkerDetail> {
  const today = formatDay(ctx.clock.now())
  const others = stay
    ? await ctx.db
        .selectFrom('projectWorker')
        .select(['id', 'entryTime', 'exitTime'])
        .where('workerId', '=', w.id)
        .where('projectCode', '=', stay.projectCode)
        .where('id', '!=', stay.id)
        .orderBy('entryTime', 'desc')
        .execute()
    : []
  return rowOf(workerDetail, w, {
    workerId: w.id,
    hold,
    idCardTypeName: dictName('idCardType', w.idCardType),
    idCardNumber: w.idCardMask,
    genderName: dictName('gender', w.gender),
    birthday: shownBirthday(w),
    age: ageOn(w.birthday, today),
    birthPlaceName: nativePlace(w.birthPlaceCode, areaPath),
    nationName: dictName('nation', w.nation),
    address: maskAddress(ctx.secrets.open(w.address)),
    headImage: linkOf(ctx, w.headImage),
    facePhoto: linkOf(ctx, w.facePhoto),
    // Pictures of the card show what the masks hide, so they require the permission to unmask.
    positiveIdCardImage: ctx.codes.has('personnel.unmask') ? linkOf(ctx, w.positiveIdCardImage) : null,
    negativeIdCardImage: ctx.codes.has('personnel.unmask') ? linkOf(ctx, w.negativeIdCardImage) : null,
    cellPhone: w.cellPhoneMask,
    consents: consentsOf(ctx, w),
    politicsName: dictName('politics', w.politics),
    cultureLevelName: dictName('education', w.cultureLevel),
    degreeName: dictName('degree', w.degree),
    maritalStatusName: dictName('marriage', w.maritalStatus),
    workTypeName: dictName('workerType', w.workTypeCode),
    skillLevelName: dictName('certLevel', w.skillLevel),
    urgentLinkManPhone: w.urgentLinkManPhoneMask,
    fitness: fitnessOf(ctx, w, today),
    incomplete: incompleteFor(w, hold).incomplete,
    stay: stay ? { ...(await stayDetail(ctx, stay, today)), lacking: isHeld(hold) ? fieldsLacking(w, stay, today) : null } : null,
    otherStays: others.map((o) => ({
      id: o.id,
      entryTime: formatInstant(o.entryTime),
      exitTime: o.exitTime ? formatInstant(o.exitTime) : null,
    })),
    plain: null,
  })
}

async function stayDetail(ctx: Context, stay: RawStay, today: string): Promise<Omit<StayDetail, 'lacking'>> {
  const history = await ctx.db
    .selectFrom('entryExitHistory')
    .select(['id', 'type', 'date', 'reason', 'source'])
    .where('projectCode', '=', stay.projectCode)
    .where('workerId', '=', stay.workerId)
    .orderBy('date', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const trainings = await ctx.db
    .selectFrom('workerTraining')
    .selectAll()
    .where('projectWorkerId', '=', stay.id)
    .where('passed', 'is not', null)
    .orderBy('trainDate', 'desc')
    .execute()
  const passes = await sql<{ id: string; time: Date; direction: string | null; terminal: string }>`
    select e.id, e.time, e.direction, coalesce(v.name, e.channel, e.terminal_code) as terminal from attendance_event e
      left join device v on v.device_sn = e.terminal_code and v.project_code = e.project_code
    where e.project_code = ${stay.projectCode} and e.worker_id = ${stay.workerId} order by e.time desc limit 10`.execute(ctx.db)
  const days = await sql<{ day: string; firstIn: Date | null; lastOut: Date | null; hours: number; results: number[]; expected: boolean }>`
    select work_day as day, first_in, last_out, work_hours as hours, results, expected from attendance_day
    where project_code = ${stay.projectCode} and worker_id = ${stay.workerId} and work_day >= date_trunc('month', ${today}::date)
    order by work_day`.execute(ctx.db)
  const clock = (at: Date | null) => (at ? formatInstant(at).slice(11, 16) : null)
  return {
    ...toStayRow(ctx, stay, today),
    workRoleName: dictName('workRole', stay.workRole),
    postName: dictName('managerPost', stay.post),
    ...pick(
      stay,
      'paymentType',
      'unitPriceCents',
      'hasBuyInsurance',
      'entryTrained',
      'cardNumber',
      'payRollBankCode',
      'payRollBankName',
      'bankLinkNumber',
    ),
    paymentTypeName: dictName('paymentType', stay.paymentType),
    payRollBankCardNumber: stay.payRollBankCardMask,
    conditions: await conditionsOf(ctx, stay),
    history: history.map((h) => ({
      id: h.id,
      type: h.type,
      date: formatInstant(h.date),
      reasonName: dictName('exitReason', h.reason),
      sourceName: dictName('attendanceSource', h.source),
    })),
    trainings: trainings.map((t) => ({
      id: t.id,
      typeName: dictName('trainingType', t.trainingType),
      trainDate: t.trainDate,
      hours: t.hours,
      score: t.score,
      passed: t.passed === true,
    })),
    passes: passes.rows.map((p) => ({ ...p, time: formatInstant(p.time) })),
    days: days.rows.map((d) => ({ ...d, firstIn: clock(d.firstIn), lastOut: clock(d.lastOut) })),
  }
}
