import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { changeMaterial, receiveMaterial } from '@zhugong/contract/materials/calls'
import { type MaterialState, materialStates, passedMaterial, rejectedMaterial, retestedMaterial } from '@zhugong/contract/materials/moves'
import { numberedCategories, samplesDue, weighedUnits } from '@zhugong/contract/materials/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { fileIdsOf, keptFiles, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { placeColumns } from '../places/public.ts'
import { fillSeat, type Outcome } from '../process/public.ts'
import { addEvent, photoKind } from './events.ts'
import { type Batch, batchKind, leftOf } from './kind.ts'
import { ruleFor } from './rules.ts'
import { materialSeats } from './seats.ts'
import { deviationFor, linkTickets } from './tickets.ts'

export type Body = ParsedFor<typeof changeMaterial>['body']
type Fields = Omit<ParsedFor<typeof receiveMaterial>['body'], 'id' | 'tickets'>
type Of<A extends Body['action']> = Extract<Body, { action: A }>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The columns of a batch that arrives. @throws AppError `invalidInput` at the field */
export async function batchColumns(ctx: Context, projectCode: string, fields: Fields) {
  await requirePresentUnit(ctx, projectCode, fields.corpCode)
  if (!fields.batchNo && numberedCategories.includes(fields.category))
    throw refuse('batchNo', `${dictName('materialCategory', fields.category) ?? '该类材料'}须填写批号`)
  const now = ctx.clock.now()
  const arrived = fields.arriveTime ? (parseInstant(fields.arriveTime) ?? now) : now
  if (arrived > now) throw refuse('arriveTime', '进场时间不能晚于现在')
  const rule = await ruleFor(ctx, projectCode, fields.category)
  return {
    ...fields,
    arriveTime: new Date(arrived),
    certFiles: await keptFiles(ctx, fileIdsOf(fields.certFiles), [], 'certFiles'),
    photos: await keptFiles(ctx, fileIdsOf(fields.photos), [], 'photos'),
    needRetest: rule.needRetest,
    samplesDue: samplesDue(rule, fields.quantity, fields.unit),
    tolerance: rule.tolerance,
  }
}

/** What each action changes beside the state. */
export async function writeMaterial(ctx: Context, row: Batch, body: Body): Promise<Outcome<Batch>> {
  switch (body.action) {
    case 'accept':
      return accept(ctx, row, body)
    case 'sample':
      return sample(ctx, row, body)
    case 'send': {
      await addEvent(ctx, row, { action: 'send', note: body.note || null, result: body.labOrg })
      return {
        values: { sentAt: new Date(ctx.clock.now()), labOrg: body.labOrg },
        opinion: `${body.labOrg}${body.note ? `：${body.note}` : ''}`,
      }
    }
    case 'report':
      return report(ctx, row, body)
    case 'use':
      return use(ctx, row, body)
    case 'withdraw':
      return withdraw(ctx, row, body)
    case 'correct':
      return correct(ctx, row, body)
    case 'link': {
      await linkTickets(ctx, row, body.tickets, 'in')
      return { values: { deviation: await deviationFor(ctx, row.id) }, opinion: `${body.tickets.length} 张磅单` }
    }
  }
}

async function photosOf(ctx: Context, row: Batch, stage: string, given: readonly string[]): Promise<string[]> {
  const files = await keptFiles(ctx, fileIdsOf([...given]), [], 'photos')
  const { id: objectId, projectCode, corpCode, shownAt, groups } = row
  await usePhotos(ctx, { kind: photoKind, objectId, stage, projectCode, corpCode, shownAt, groups, files, notBefore: row.arriveTime })
  return files
}

const shortest = 5
async function accept(ctx: Context, row: Batch, { result, opinion, photos, signature }: Of<'accept'>): Promise<Outcome<Batch>> {
  const to = result as MaterialState
  if (to === passedMaterial && row.needRetest) throw refuse('result', '该类材料须见证取样复验，结论应为待复验')
  if (to === retestedMaterial && !row.needRetest) throw refuse('result', '该类材料不需复验，请填写合格、不合格或让步接收')
  if (to !== passedMaterial && to !== retestedMaterial && opinion.length < shortest)
    throw refuse('opinion', `${materialStates[to]}须填写理由（至少 ${shortest} 个字）`)
  const files = await photosOf(ctx, row, 'accept', photos)
  const seat = (await materialSeats(row)).find((one) => one.seat === 'supervisor')
  if (seat) await fillSeat(ctx, batchKind, row, seat, { image: signature })
  await addEvent(ctx, row, { action: 'accept', quantity: Number(row.quantity), result: materialStates[to], note: opinion || null, files })
  return { to, values: { checkedBy: ctx.user.name }, opinion: `${materialStates[to]}${opinion ? `：${opinion}` : ''}` }
}

async function sample(ctx: Context, row: Batch, { sampleNo, note, photos }: Of<'sample'>): Promise<Outcome<Batch>> {
  const files = await photosOf(ctx, row, `sample ${row.samplesTaken + 1}`, photos)
  await addEvent(ctx, row, { action: 'sample', sampleNo, note, files }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse('sampleNo', `样品编号 ${sampleNo} 已使用，请核对封条`) : error
  })
  return { values: { samplesTaken: row.samplesTaken + 1 }, opinion: `${sampleNo}，${note}` }
}

async function report(ctx: Context, row: Batch, { reportNo, passed, values, files }: Of<'report'>): Promise<Outcome<Batch>> {
  const kept = await keptFiles(ctx, fileIdsOf(files), [], 'files')
  const result = passed ? '合格' : '不合格'
  await addEvent(ctx, row, { action: 'report', reportNo, result, note: values, files: kept })
  return {
    to: passed ? passedMaterial : rejectedMaterial,
    values: { reportNo, retestPassed: passed },
    opinion: `${reportNo} ${result}：${values}`,
  }
}

async function use(ctx: Context, row: Batch, { quantity, part, placeId, pin, team }: Of<'use'>): Promise<Outcome<Batch>> {
  const left = leftOf(row)
  if (quantity > left) throw refuse('quantity', `结存 ${left} ${unitOf(row)}，不能领用 ${quantity}`)
  const [place] = await placeColumns(ctx, row.projectCode, [{ placeId, pin }], (_at, name) => name)
  await addEvent(ctx, row, { action: 'use', quantity, part, team, ...place })
  return {
    values: { usedQuantity: Math.round((Number(row.usedQuantity) + quantity) * 1000) / 1000 },
    opinion: `${quantity} ${unitOf(row)}，${part}`,
  }
}

export const unitOf = ({ unit }: Pick<Batch, 'unit'>): string => dictName('materialUnit', unit) ?? unit

async function withdraw(ctx: Context, row: Batch, { plateNo, tickets, photos, note }: Of<'withdraw'>): Promise<Outcome<Batch>> {
  if (tickets.length === 0 && weighedUnits.includes(row.unit)) throw refuse('tickets', '按重量计的材料退场须关联出场磅单')
  const files = await photosOf(ctx, row, 'exit', photos)
  await linkTickets(ctx, row, tickets, 'out')
  const left = leftOf(row)
  await addEvent(ctx, row, {
    action: 'withdraw',
    quantity: left > 0 ? left : null,
    result: '已退场',
    note: `${plateNo}，退往${note}`,
    weighId: tickets[0] ?? null,
    files,
  })
  return { to: rejectedMaterial, values: { exitAt: new Date(ctx.clock.now()) }, opinion: `${plateNo}，退往${note}` }
}

async function correct(ctx: Context, row: Batch, { quantity, spec, batchNo, reason }: Of<'correct'>): Promise<Outcome<Batch>> {
  if (quantity < Number(row.usedQuantity)) throw refuse('quantity', `已领用 ${Number(row.usedQuantity)} ${unitOf(row)}，数量不能更少`)
  if (!batchNo && numberedCategories.includes(row.category)) throw refuse('batchNo', '该类材料须填写批号')
  const changes = [
    ...(quantity === Number(row.quantity) ? [] : [`数量 ${Number(row.quantity)} → ${quantity}`]),
    ...(spec === row.spec ? [] : [`规格 ${row.spec} → ${spec}`]),
    ...(batchNo === row.batchNo ? [] : [`批号 ${row.batchNo ?? '无'} → ${batchNo ?? '无'}`]),
  ]
  if (changes.length === 0) throw refuse('quantity', '没有更改任何内容')
  const rule = await ruleFor(ctx, row.projectCode, row.category)
  const note = `${changes.join('，')}；${reason}`
  await addEvent(ctx, row, { action: 'correct', quantity, note })
  return { values: { quantity, spec, batchNo, samplesDue: samplesDue(rule, quantity, row.unit) }, opinion: note }
}
