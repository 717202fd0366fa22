import type { PermitAction } from '@zhugong/contract/hazards/permit-moves'
import { permitMoves } from '@zhugong/contract/hazards/permit-moves'
import {
  emberDueMs,
  gasFaults,
  gradeOf,
  hoursIn,
  liftingWork,
  type PermitRole,
  permitTypes,
  type ReasonKey,
  whyNot,
  whyNotPerson,
} from '@zhugong/contract/hazards/permit-rules'
import type { changePermit, createPermit } from '@zhugong/contract/hazards/permits'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, findingLeadMs, keptFiles, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { placeColumns } from '../places/public.ts'
import { createOnce, drawNumber, forgetRecord, type Outcome, offersFor, take, writeLog } from '../process/public.ts'
import { type Permit, permitKind, permitPage, permitType, readPermitRow } from './permit-kind.ts'
import { type SitePerson, sitePeople } from './site-facts.ts'

type Body = ParsedFor<typeof changePermit>['body']
type Fields = Omit<ParsedFor<typeof createPermit>['body'], 'id' | 'action'>
type Of<A extends Body['action']> = Extract<Body, { action: A }>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
const instantOf = (text: string) => new Date(parseInstant(text) ?? Number.NaN)

/** The columns that the applicant writes. @throws AppError `invalidInput` at the field */
async function permitColumns(ctx: Context, projectCode: string, fields: Fields) {
  const { placeId, pin, startTime, endTime, workers: _w, guardianId: _g, driverId: _d, measures: _m, ...given } = fields
  const hasLevels = Object.keys(permitTypes[given.type]?.grades ?? {}).some(Boolean)
  const level = hasLevels ? given.level : null
  if (!gradeOf(given.type, level)) throw refuse('level', '请选择动火级别')
  await requirePresentUnit(ctx, projectCode, given.corpCode, 'corpCode', '作业单位')
  const deviceId = given.type === liftingWork ? given.deviceId : null
  if (deviceId !== null) {
    const { rows } = await sql`select from device where id = ${deviceId} and project_code = ${projectCode} and status = '1'`.execute(ctx.db)
    if (rows.length === 0) throw refuse('deviceId', '设备不在本项目使用')
  }
  if (given.hazardId !== null) {
    const { rows } = await sql`select from hazard_source where id = ${given.hazardId} and project_code = ${projectCode}`.execute(ctx.db)
    if (rows.length === 0) throw refuse('hazardId', '危险源不存在或不属于该项目')
  }
  const [place] = await placeColumns(ctx, projectCode, [{ placeId, pin }], (_at, name) => name)
  const ends = instantOf(endTime)
  return {
    ...given,
    level,
    deviceId,
    placeId: place?.placeId ?? null,
    planId: place?.planId ?? null,
    pinX: place?.pinX ?? null,
    pinY: place?.pinY ?? null,
    startTime: instantOf(startTime),
    endTime: ends,
    closesBy: ends,
  }
}

type Disclosing = Pick<Permit, 'id' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>

async function personFor(ctx: Context, projectCode: string, workerId: string, field: string): Promise<SitePerson> {
  const [found] = await sitePeople(ctx, projectCode, { ids: [workerId], limit: 1 })
  if (!found) throw refuse(field, '所选人员不在本项目场内，请重新选择')
  return found
}

/** Replaces people and measures of a permit that is not decided yet. */
async function writeChildren(ctx: Context, row: Disclosing, fields: Fields): Promise<void> {
  const { projectCode, corpCode, shownAt, groups } = row
  const own = { permitId: row.id, projectCode, corpCode, shownAt, groups }
  await sql`delete from work_permit_person where permit_id = ${row.id}`.execute(ctx.db)
  const chosen: { role: PermitRole; workerId: string; field: string }[] = [
    ...[...new Set(fields.workers)].map((workerId, i) => ({ role: 'worker' as const, workerId, field: `workers.${i}` })),
    ...(fields.type === liftingWork && fields.driverId ? [{ role: 'driver' as const, workerId: fields.driverId, field: 'driverId' }] : []),
    { role: 'guardian', workerId: fields.guardianId, field: 'guardianId' },
  ]
  for (const [i, { role, workerId, field }] of chosen.entries()) {
    const { name, teamName } = await personFor(ctx, projectCode, workerId, field)
    await ctx.db
      .insertInto('workPermitPerson')
      .values({ id: ctx.newId(), ...own, seq: i + 1, role, workerId, name, teamName, until: null })
      .execute()
  }
  const before = await sql<{ photos: string[] }>`delete from work_permit_measure where permit_id = ${row.id} returning photos`.execute(
    ctx.db,
  )
  const known = before.rows.flatMap((one) => one.photos)
  for (const [seq, measure] of (permitTypes[fields.type]?.measures ?? []).entries()) {
    const at = fields.measures.findIndex((one) => one.seq === seq)
    const said = fields.measures[at]
    await ctx.db
      .insertInto('workPermitMeasure')
      .values({
        id: ctx.newId(),
        ...own,
        seq,
        text: measure.text,
        photo: measure.photo ?? false,
        done: said?.done ?? false,
        photos: await keptFiles(ctx, fileIdsOf(said?.photos), known, `measures.${at}.photos`),
      })
      .execute()
  }
}

const fieldOf: Readonly<Record<ReasonKey, string>> = {
  window: 'endTime',
  guardian: 'guardianId',
  certificate: 'workers',
  onSite: 'workers',
  inside: 'workers',
  measures: 'measures',
  device: 'deviceId',
  gas: 'type',
  stop: 'startTime',
}

type Stored = Pick<Permit, 'id' | 'code' | 'version' | 'state'>
const answerOf = ({ id, code, version, state }: Stored) => ({ id, code, version, state })

export const createPermitRow: HandlerOf<typeof createPermit> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await createOnce(ctx, permitKind, id, {
    insert: () => insertPermit(ctx, id, projectCode, fields),
    again: ({ version }) => change(ctx, id, { action, version, ...fields }),
    begin: async (draft) => {
      if (action === 'submit') return change(ctx, id, { action, version: draft.version, ...fields })
      await writeChildren(ctx, draft, fields)
      await writeLog(ctx, permitType, draft, { action: 'create', from: null, to: draft.state })
      ctx.note('起草作业票', id)
      return draft
    },
  })
  return answerOf(row)
}

async function insertPermit(ctx: Context, id: string, projectCode: string, fields: Fields): Promise<void> {
  const columns = await permitColumns(ctx, projectCode, fields)
  await ctx.db
    .insertInto('workPermit')
    .values({
      id,
      projectCode,
      ...columns,
      groups: [ctx.group.id],
      authorGroup: ctx.group.id,
      authorGroupName: ctx.group.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
}

export const changePermitRow: HandlerOf<typeof changePermit> = async ({ params: { id }, body }, ctx) =>
  answerOf(await change(ctx, id, body))

async function change(ctx: Context, id: string, body: Body): Promise<Permit> {
  const { action, version } = body
  const after = await take(ctx, permitKind, { id, action, version }, async (row) => columnsOnly(await write(ctx, row, body)))
  const title = messages[action]
  if (title) {
    const { projectCode, corpCode } = after
    const text = `${permitTypes[after.type]?.name ?? ''} ${after.part}，${formatInstant(after.startTime).slice(5, 16)} 至 ${formatInstant(after.endTime).slice(5, 16)}`
    await tellKeepers(ctx, { projectCode, corpCode, code: permitMoves.start.needs, title, text, link: permitPage(id), kind: 'due' })
  }
  return after
}
/** What the site is told beside its to-dos. */
const messages: Partial<Record<PermitAction, string>> = {
  approve: '作业票已批准',
  reject: '作业票被驳回',
  extendRefuse: '作业票延时未获同意',
}

/** The facts of a permit are read, never written. */
function columnsOnly({ values, ...outcome }: Outcome<Permit>): Outcome<Permit> {
  const { facts: _f, people: _p, ...columns } = values ?? {}
  return { ...outcome, values: columns }
}

async function write(ctx: Context, row: Permit, body: Body): Promise<Outcome<Permit>> {
  const now = new Date(ctx.clock.now())
  switch (body.action) {
    case 'save':
    case 'submit':
      return writeFields(ctx, row, body)
    case 'approve':
      return { values: { approvedBy: ctx.user.name, approvedAt: now }, opinion: body.opinion }
    case 'reject':
      return { opinion: body.opinion }
    case 'gas':
      return writeGas(ctx, row, body)
    case 'start': {
      const startPhotos = await keepPhotos(ctx, row, 'start', body.photos, row.startTime)
      return { values: { startedAt: now, startPhotos } }
    }
    case 'handover':
      return handOver(ctx, row, body)
    case 'extend':
      return askLonger(row, body)
    case 'extendPass':
      return row.extendTo === null ? {} : longer(row, row.extendTo, body.opinion)
    case 'extendRefuse':
      return { values: { extendTo: null, extendReason: null }, opinion: body.opinion }
    case 'finish':
      return finished(ctx, row, body)
    case 'close':
      return closed(ctx, row, body)
  }
}

async function writeFields(ctx: Context, row: Permit, body: Of<'save' | 'submit'>): Promise<Outcome<Permit>> {
  const { action, version: _version, ...fields } = body
  const columns = await permitColumns(ctx, row.projectCode, fields)
  const submits = action === 'submit'
  const shownAt = submits ? (row.shownAt ?? new Date(ctx.clock.now())) : row.shownAt
  await writeChildren(ctx, { ...row, ...columns, shownAt }, fields)
  if (!submits) return { values: columns }
  const { facts } = await readPermitRow(ctx, row.id)
  const { startTime, endTime, type, level, deviceId } = columns
  const wanted = { ...facts, type, level, hasDevice: deviceId !== null, startTime: startTime.getTime(), endTime: endTime.getTime() }
  const now = ctx.clock.now()
  const [wrong] = whyNot('submit', wanted, now, formatDay(now))
  if (wrong) throw refuse(fieldOf[wrong.key], wrong.text)
  if (type === liftingWork && fields.driverId === null) throw refuse('driverId', '吊装作业须选择司机')
  return { values: { ...columns, shownAt, code: row.code ?? (await numberOf(ctx, row.projectCode)) } }
}

async function writeGas(ctx: Context, row: Permit, body: Of<'gas'>): Promise<Outcome<Permit>> {
  const { oxygen, combustible, carbonMonoxide, hydrogenSulfide, spot, tester } = body
  const { projectCode, corpCode, shownAt, groups } = row
  const values = { oxygen, combustible, carbonMonoxide, hydrogenSulfide }
  await ctx.db
    .insertInto('workPermitGas')
    .values({
      id: ctx.newId(),
      permitId: row.id,
      ...{ projectCode, corpCode, shownAt, groups },
      at: new Date(ctx.clock.now()),
      spot,
      tester,
      ...values,
    })
    .execute()
  const faults = gasFaults(values)
  if (faults.length > 0 && row.state === '3')
    await tellKeepers(ctx, {
      projectCode,
      corpCode,
      code: permitMoves.start.needs,
      title: `${permitTypes[row.type]?.name ?? '作业'}气体不合格，立即停止作业`,
      text: `${row.part}：${faults.join('、')}`,
      link: permitPage(row.id),
      kind: 'due',
    })
  return { opinion: faults.length > 0 ? `不合格：${faults.join('、')}` : '合格' }
}

async function handOver(ctx: Context, row: Permit, { guardianId, note }: Of<'handover'>): Promise<Outcome<Permit>> {
  const now = new Date(ctx.clock.now())
  const person = await personFor(ctx, row.projectCode, guardianId, 'guardianId')
  const before = row.facts.people.find((one) => one.role === 'guardian')
  if (before?.workerId === guardianId) throw refuse('guardianId', `${person.name}正在监护`)
  if (row.facts.people.some((one) => one.workerId === guardianId)) throw refuse('guardianId', `监护人${person.name}不得是作业人员`)
  const unfit = whyNotPerson(row.type, { ...person, role: 'guardian' }, formatDay(now))
  if (unfit) throw refuse('guardianId', unfit.text)
  if (!person.inside) throw refuse('guardianId', `${person.name}此刻不在场（闸机记录）`)
  await sql`update work_permit_person set until = ${now} where permit_id = ${row.id} and role = 'guardian' and until is null`.execute(
    ctx.db,
  )
  const { projectCode, corpCode, shownAt, groups } = row
  await ctx.db
    .insertInto('workPermitPerson')
    .values({
      id: ctx.newId(),
      permitId: row.id,
      ...{ projectCode, corpCode, shownAt, groups },
      seq: Math.max(0, ...row.people.map((one) => one.seq)) + 1,
      role: 'guardian',
      workerId: guardianId,
      name: person.name,
      teamName: person.teamName,
      until: null,
    })
    .execute()
  return { opinion: [`${before?.name ?? '--'} → ${person.name}`, note].filter(Boolean).join('：') }
}

function longest(row: Permit, to: Date): void {
  const grade = gradeOf(row.type, row.level)
  if (to <= row.endTime) throw refuse('extendTo', '延时后的结束时间须晚于原结束时间')
  if (grade && to.getTime() - row.startTime.getTime() > grade.most)
    throw refuse('extendTo', `${row.level ?? ''}${permitTypes[row.type]?.name ?? ''}最长 ${hoursIn(grade.most)}，请另开作业票`)
}

function askLonger(row: Permit, { extendTo, opinion }: Of<'extend'>): Outcome<Permit> {
  const to = instantOf(extendTo)
  longest(row, to)
  return { values: { extendTo: to, extendReason: opinion }, opinion: `延至 ${formatInstant(to).slice(5, 16)}：${opinion}` }
}

function longer(row: Permit, to: Date, opinion: string): Outcome<Permit> {
  longest(row, to)
  return {
    values: { endTime: to, closesBy: to, extendTo: null, extendReason: null },
    opinion: [`延至 ${formatInstant(to).slice(5, 16)}`, opinion].filter(Boolean).join('：'),
  }
}

async function finished(ctx: Context, row: Permit, { photos }: Of<'finish'>): Promise<Outcome<Permit>> {
  const now = ctx.clock.now()
  const finishPhotos = await keepPhotos(ctx, row, 'finish', photos, row.startedAt ?? row.startTime)
  // The work is over; what remains open until then is the look for embers.
  const closesBy = row.state === '3' ? new Date(Math.max(row.closesBy.getTime(), now + emberDueMs)) : row.closesBy
  return { values: { endedAt: new Date(now), finishPhotos, closesBy, extendTo: null, extendReason: null } }
}

async function closed(ctx: Context, row: Permit, { photos, note }: Of<'close'>): Promise<Outcome<Permit>> {
  if (row.startedAt !== null && photos.length === 0) throw refuse('photos', row.endedAt ? '请附余火检查的照片' : '请附完工照片')
  const closePhotos = await keepPhotos(ctx, row, 'close', photos, row.endedAt ?? row.startedAt ?? row.startTime)
  const words = row.startedAt === null ? '未作业，关闭' : row.endedAt ? '余火检查无异常' : null
  return {
    values: { closedAt: new Date(ctx.clock.now()), closeNote: note, closePhotos, extendTo: null, extendReason: null },
    opinion: [words, note].filter(Boolean).join('；') || null,
  }
}

/** Keeps photographs and records them as evidence. */
async function keepPhotos(ctx: Context, row: Permit, stage: string, photos: readonly string[], notBefore: Date): Promise<string[]> {
  const files = await keptFiles(ctx, fileIdsOf(photos), [], 'photos')
  const { projectCode, corpCode, shownAt, groups } = row
  const earliest = new Date(notBefore.getTime() - (stage === 'start' ? findingLeadMs : 0))
  await usePhotos(ctx, { kind: permitType, objectId: row.id, stage, projectCode, corpCode, shownAt, groups, files, notBefore: earliest })
  return files
}

/** Letters of the series of numbers of a site's permits. */
const series = 'ZY'
async function numberOf(ctx: Context, projectCode: string): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, projectCode, series)
  return `${rows[0]?.name ?? projectCode}-${series}-${year}-${String(no).padStart(3, '0')}`
}

export async function removePermitRow(ctx: Context, id: string): Promise<void> {
  const row = await permitKind.lock(ctx, id)
  if (row.state !== '0' || !offersFor(ctx, permitKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有申请方可以删除，且只能删除草稿')
  await forgetRecord(ctx, permitType, id)
  await sql`delete from work_permit where id = ${id}`.execute(ctx.db)
  ctx.note('删除作业票草稿', id)
}
