import {
  type AskedAt,
  approvers,
  emberMs,
  gasFaults,
  type PermitRole,
  reasonNames,
  roles,
  weatherTypes,
  whyNot,
  whyNotPerson,
} from '@zhugong/contract/hazards/permit-rules'
import type { PermitDetail, permitPeople } from '@zhugong/contract/hazards/permits'
import { permitDetail } from '@zhugong/contract/hazards/permits'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { pinOf, planPictures } from '../places/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { approverOf, permitLabels as labels, type Permit, permitKind, permitType, readPermitRow } from './permit-kind.ts'
import { permitFor } from './permit-rows.ts'
import { type PermitPerson, sitePeople, weatherOf } from './site-facts.ts'

export async function readPermit(ctx: Context, id: string): Promise<PermitDetail> {
  const row = found(await permitFor(ctx, id), permitKind.noun)
  const permit = await readPermitRow(ctx, id)
  const at = (instant: Date | null) => instant && formatInstant(instant)
  const approver = approverOf(permit)
  return rowOf(permitDetail, permit, {
    ...row,
    pin: pinOf(permit),
    plans: await planPictures(ctx, [permit.planId]),
    approver,
    approverName: approvers[approver],
    hazard: await hazardOf(ctx, permit.hazardId),
    device: await deviceOf(ctx, permit.deviceId),
    people: permit.people.map((one) => toPerson(permit, one, formatDay(ctx.clock.now()))),
    measures: await measuresOf(ctx, id),
    gas: await gasOf(ctx, id),
    checks: checksOf(permit, ctx.clock.now()),
    weather: weatherTypes.includes(permit.type) && ['1', '2', '3'].includes(permit.state) ? await weatherOf(ctx, permit.projectCode) : [],
    approvedAt: at(permit.approvedAt),
    startedAt: at(permit.startedAt),
    startPhotos: linksOf(ctx, permit.startPhotos),
    endedAt: at(permit.endedAt),
    finishPhotos: linksOf(ctx, permit.finishPhotos),
    closedAt: at(permit.closedAt),
    closePhotos: linksOf(ctx, permit.closePhotos),
    embersFrom: permit.endedAt && formatInstant(permit.endedAt.getTime() + emberMs),
    extendTo: at(permit.extendTo),
    timeline: await historyOf(ctx, permitType, id, labels),
    signatures: permit.state === '0' ? [] : await signaturesOf(ctx, permitKind, permit),
    actions: offersFor(ctx, permitKind, permit),
  })
}

/** The step that comes next in each state. */
const nextStep: Readonly<Record<string, AskedAt>> = { 0: 'submit', 1: 'approve', 2: 'start' }

/** What the next step asks, line by line. */
function checksOf(permit: Permit, now: number): PermitDetail['checks'] {
  const step = nextStep[permit.state]
  if (!step) return []
  const wrong = Map.groupBy(whyNot(step, permit.facts, now, formatDay(now)), (one) => one.key)
  return Object.entries(reasonNames).flatMap(([key, label]) => {
    const faults = wrong.get(key as keyof typeof reasonNames)
    if (!faults && !asksAlways[step].includes(key)) return []
    return [{ key, label, ok: !faults, text: faults?.map((one) => one.text).join('；') ?? '符合' }]
  })
}
/** Shown whether or not they hold. */
const asksAlways: Record<AskedAt, readonly string[]> = {
  submit: ['window', 'guardian', 'certificate', 'measures'],
  approve: ['window', 'guardian', 'certificate', 'onSite', 'stop'],
  start: ['window', 'certificate', 'inside', 'stop'],
  extend: [],
}

const wordsOf = (licences: Readonly<Record<string, string>>) =>
  Object.entries(licences).map(
    ([kind, end]) => `${dictName('specialCertType', kind) ?? kind} ${end.startsWith('9999') ? '长期' : `至 ${end}`}`,
  )

function toPerson(permit: Permit, one: PermitPerson, today: string): PermitDetail['people'][number] {
  const { workerId, role, name, teamName, inside, licences, until } = one
  const unfit = until === null ? whyNotPerson(permit.type, one, today) : undefined
  return {
    workerId,
    role,
    roleName: roles[role],
    name,
    teamName,
    inside,
    licences: wordsOf(licences),
    unfit: unfit?.text ?? null,
    until: until && formatInstant(until),
  }
}

async function hazardOf(ctx: Pick<Context, 'db'>, id: string | null): Promise<PermitDetail['hazard']> {
  if (id === null) return null
  const { rows } = await sql<{ id: string; name: string; riskLevel: string }>`
    select id, name, risk_level from hazard_source where id = ${id}`.execute(ctx.db)
  return rows[0] ?? null
}
async function deviceOf(ctx: Pick<Context, 'db'>, id: string | null): Promise<PermitDetail['device']> {
  if (id === null) return null
  const { rows } = await sql<{ id: string; name: string }>`select id, name from device where id = ${id}`.execute(ctx.db)
  return rows[0] ?? null
}
async function measuresOf(ctx: Context, id: string): Promise<PermitDetail['measures']> {
  const { rows } = await sql<Row<'workPermitMeasure'>>`select * from work_permit_measure where permit_id = ${id} order by seq`.execute(
    ctx.db,
  )
  return rows.map(({ seq, text, photo, done, photos }) => ({ seq, text, photo, done, photos: linksOf(ctx, photos) }))
}
async function gasOf(ctx: Context, id: string): Promise<PermitDetail['gas']> {
  const { rows } = await sql<
    Row<'workPermitGas'>
  >`select * from work_permit_gas where permit_id = ${id} order by at desc, id desc limit 100`.execute(ctx.db)
  return rows.map((one) => ({
    ...pick(one, 'id', 'spot', 'tester', 'oxygen', 'combustible', 'carbonMonoxide', 'hydrogenSulfide'),
    at: formatInstant(one.at),
    faults: gasFaults(one),
  }))
}

const mostPeople = 500
export const readPeople: HandlerOf<typeof permitPeople> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const people = await sitePeople(ctx, projectCode, { corpCode: query.corpCode, name: query.name, limit: mostPeople })
  const today = formatDay(ctx.clock.now())
  const unfitAs = (role: PermitRole, one: (typeof people)[number]) => whyNotPerson(query.type, { ...one, role }, today)?.text ?? null
  return {
    people: people.map((one) => ({
      ...pick(one, 'workerId', 'name', 'teamName', 'inside'),
      corpCode: one.corpCode ?? '',
      unfit: unfitAs('worker', one),
      unfitDriver: unfitAs('driver', one),
    })),
  }
}
