import type { changeGangBriefing, changeManagerBriefing } from '@zhugong/contract/briefings/calls'
import { type BriefingType, briefingStates, type gangFields, type managerFields } from '@zhugong/contract/briefings/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { drawNumber, type Outcome, replaceTodos } from '../process/public.ts'
import { type Briefing, hasSigned, kindOf, readBriefingRow, signatureOf } from './kind.ts'

export type Body = ParsedFor<typeof changeGangBriefing>['body'] | ParsedFor<typeof changeManagerBriefing>['body']
type GangFields = z.output<z.ZodObject<typeof gangFields>>
type ManagerFields = z.output<z.ZodObject<typeof managerFields>>
/** What the author writes, of either kind. */
export type BriefingFields = GangFields | ManagerFields
type Of<A extends Body['action']> = Extract<Body, { action: A }>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
const isGang = (fields: BriefingFields): fields is GangFields => 'workType' in fields

/** The columns that the fields fill. @throws AppError `invalidInput` at the field */
export async function briefingColumns(ctx: Context, projectCode: string, fields: BriefingFields, before?: Row<'briefing'>) {
  const { name, part, bigProjectId, content, date, discloser, replacesId } = fields
  await requireWork(ctx, projectCode, bigProjectId)
  if (replacesId !== null && replacesId !== before?.replacesId) await requireVoid(ctx, projectCode, replacesId)
  const files = await keptFiles(ctx, fileIdsOf(fields.files), before?.files ?? [])
  const same = { name, part, bigProjectId, content, files, date, discloser, replacesId }
  if (!isGang(fields)) {
    const corpCode = before?.corpCode ?? (await contractorOf(ctx, projectCode))
    return { ...same, corpCode, kind: fields.kind, workType: null, teamId: null, witness: null, measureIds: [] }
  }
  const { workType, corpCode, teamId, witness, measureIds } = fields
  await requirePresentUnit(ctx, projectCode, corpCode)
  if (teamId !== null) await requireTeam(ctx, projectCode, corpCode, teamId)
  await requireMeasures(ctx, projectCode, measureIds)
  if (witness !== null && witness === discloser) throw refuse('witness', '见证的安全员不能是交底人本人')
  return { ...same, corpCode, kind: null, workType, teamId, witness: witness || null, measureIds }
}

async function contractorOf(ctx: Context, projectCode: string): Promise<string> {
  const { rows } = await sql<{ corpCode: string }>`select corp_code from project_corp
    where project_code = ${projectCode} and corp_type = '009' and exit_time is null order by entry_time limit 1`.execute(ctx.db)
  const found = rows[0]?.corpCode ?? (ctx.group.type === groupTypes.corporation ? ctx.group.code : undefined)
  if (!found) throw new AppError('refused', '该项目没有施工总承包单位，不能登记方案与监督交底')
  return found
}

async function requireWork(ctx: Context, projectCode: string, id: string | null): Promise<void> {
  if (id === null) return
  const { rows } = await sql<{ name: string; overScale: boolean; state: string }>`select name, over_scale, state from bigproject
    where id = ${id} and project_code = ${projectCode}`.execute(ctx.db)
  const work = rows[0]
  if (!work) throw refuse('bigProjectId', '危大工程不存在或不在本项目')
  const hindrance = hindranceOf(work)
  if (hindrance) throw refuse('bigProjectId', hindrance)
}

/** 方案通过待实施. */
const approved = '5'
/** Why a dangerous work cannot be briefed yet; undefined: it can. */
export function hindranceOf({ name, overScale, state }: { name: string; overScale: boolean; state: string }): string | undefined {
  if (!overScale || state >= approved) return undefined
  return `${name}为超规模危大工程，方案${dictName('bigProjectState', state) ?? '未通过'}，通过前不能交底`
}

async function requireVoid(ctx: Context, projectCode: string, id: string): Promise<void> {
  const { rows } =
    await sql`select from briefing where id = ${id} and project_code = ${projectCode} and state = ${briefingStates.void}`.execute(ctx.db)
  if (rows.length === 0) throw refuse('replacesId', '只能替代本项目已作废的交底')
}

async function requireTeam(ctx: Context, projectCode: string, corpCode: string, id: string): Promise<void> {
  const { rows } = await sql`select from team where id = ${id} and project_code = ${projectCode} and corp_code = ${corpCode}
    and exit_time is null`.execute(ctx.db)
  if (rows.length === 0) throw refuse('teamId', '班组不在本项目场内，或不属于该单位')
}

async function requireMeasures(ctx: Context, projectCode: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql`select id from safety_measure where id = any (${[...ids]}) and project_code = ${projectCode}`.execute(ctx.db)
  if (rows.length < new Set(ids).size) throw refuse('measureIds', '引用的安全措施不存在或不在本项目')
}

interface Stay {
  id: string
  workerId: string
  workerName: string
  workType: string | null
  post: string | null
  corpCode: string
  corpName: string
}

/** People of the site who stand on it now, in the given order. @throws AppError at `receivers` */
async function staysOf(ctx: Context, projectCode: string, ids: readonly string[]): Promise<Stay[]> {
  const { rows } = await sql<Stay>`select w.id, w.worker_id, w.worker_name, w.work_type, w.post, w.corp_code, k.corp_name
    from project_worker w join corporation k on k.corp_code = w.corp_code
    where w.id = any (${[...ids]}) and w.project_code = ${projectCode} and w.exit_time is null`.execute(ctx.db)
  const known = new Map(rows.map((one) => [one.id, one]))
  const wanted = [...new Set(ids)]
  if (wanted.some((id) => !known.has(id))) throw refuse('receivers', '被交底人不在本项目，或已退场')
  return wanted.flatMap((id) => known.get(id) ?? [])
}

/** Makes the people who are briefed those given; who has signed or was excused stays. */
export async function writeReceivers(ctx: Context, row: Row<'briefing'>, ids: readonly string[], keep = false): Promise<void> {
  const stays = await staysOf(ctx, row.projectCode, ids)
  if (!keep)
    await sql`delete from briefing_receiver where briefing_id = ${row.id} and not stay_id = any (${stays.map((one) => one.id)})`.execute(
      ctx.db,
    )
  const { rows } = await sql<{
    stayId: string
    seq: number
  }>`select stay_id, seq from briefing_receiver where briefing_id = ${row.id}`.execute(ctx.db)
  const there = new Set(rows.map((one) => one.stayId))
  const last = Math.max(0, ...rows.map((one) => one.seq))
  const fresh = stays.filter((one) => !there.has(one.id))
  if (fresh.length === 0) return
  await ctx.db
    .insertInto('briefingReceiver')
    .values(
      fresh.map((one, i) => ({
        id: ctx.newId(),
        briefingId: row.id,
        ...pick(row, 'projectCode', 'shownAt', 'groups'),
        corpCode: one.corpCode,
        seq: last + i + 1,
        stayId: one.id,
        workerId: one.workerId,
        name: one.workerName,
        unit: one.corpName,
        role: (one.workType ? dictName('workerType', one.workType) : dictName('managerPost', one.post)) ?? '',
      })),
    )
    .execute()
}

/** What an action writes. */
export async function writeBriefing(ctx: Context, row: Briefing, body: Body): Promise<Outcome<Briefing>> {
  switch (body.action) {
    case 'save':
    case 'begin':
      return write(ctx, row, body.action, body)
    case 'amend':
      return amend(ctx, row, body)
    case 'add':
      await writeReceivers(ctx, row, body.receivers, true)
      return {}
    case 'excuse':
      return excuse(ctx, row, body)
    case 'scan':
      return scan(ctx, row, body)
    case 'finish':
      return finish(ctx, row)
    case 'void':
      return { opinion: body.reason }
    case 'redo':
      return { values: { redo: true }, opinion: body.reason }
    case 'comment':
      return { opinion: body.opinion }
    case 'remind':
      return { values: { remindedAt: new Date(ctx.clock.now()) } }
    case 'archive':
      return {}
  }
}

/** Stores what the author wrote; when signing begins, it becomes known and gets its number. */
export async function write(ctx: Context, row: Briefing, action: 'save' | 'begin', fields: BriefingFields): Promise<Outcome<Briefing>> {
  const columns = await briefingColumns(ctx, row.projectCode, fields, row)
  if (action === 'save') {
    await writeReceivers(ctx, { ...row, ...columns }, fields.receivers)
    return { values: columns }
  }
  if (columns.date > formatDay(ctx.clock.now())) throw refuse('date', '交底日期还没有到，到当天再发起签字')
  if (fields.receivers.length === 0) throw refuse('receivers', '请选择被交底人')
  if (isGang(fields) && !columns.witness) throw refuse('witness', '请填写见证的专职安全员')
  const shownAt = new Date(ctx.clock.now())
  await writeReceivers(ctx, { ...row, ...columns, shownAt }, fields.receivers)
  await sql`update briefing_receiver set shown_at = ${shownAt} where briefing_id = ${row.id}`.execute(ctx.db)
  const code = await numberOf(ctx, row.projectCode)
  return { values: { ...columns, shownAt, code }, opinion: `${fields.receivers.length} 人` }
}

/** The content is frozen by the first signature: a change makes all void, as many as the page said. */
async function amend(ctx: Context, row: Briefing, { voiding, ...fields }: Of<'amend'>): Promise<Outcome<Briefing>> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from process_signature
    where kind = ${row.type} and object_id = ${row.id} and void_at is null`.execute(ctx.db)
  const signed = rows[0]?.n ?? 0
  if (signed !== voiding) throw new AppError('conflict', `刚有人签字，现在修改将使 ${signed} 个签名失效，请刷新后确认`, { signed })
  const columns = await briefingColumns(ctx, row.projectCode, fields, row)
  if (columns.date > formatDay(ctx.clock.now())) throw refuse('date', '交底日期不能晚于今天')
  if (columns.corpCode !== row.corpCode) throw refuse('corpCode', '发起签字后不能更换单位，请作废后重新交底')
  if (isGang(fields) && !columns.witness) throw refuse('witness', '请填写见证的专职安全员')
  await writeReceivers(ctx, row, fields.receivers, true)
  // A sheet signed on paper is about what was said then.
  await sql`update briefing_receiver set paper_at = null where briefing_id = ${row.id}`.execute(ctx.db)
  return { values: { ...columns, scans: [] }, opinion: signed > 0 ? `${signed} 个签名失效` : null }
}

/** @throws AppError at `field` unless all are receivers without a signature */
async function requireUnsigned(ctx: Context, row: Briefing, ids: readonly string[], field: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select r.id from briefing b join briefing_receiver r on r.briefing_id = b.id ${signatureOf}
    where b.id = ${row.id} and not ${hasSigned} and r.id = any (${[...ids]})`.execute(ctx.db)
  if (rows.length < new Set(ids).size) throw refuse(field, '所选人员已签字，或不在名单内，请刷新')
}

async function excuse(ctx: Context, row: Briefing, { receiverId, reason }: Of<'excuse'>): Promise<Outcome<Briefing>> {
  await requireUnsigned(ctx, row, [receiverId], 'receiverId')
  const { rows } = await sql<{ name: string }>`update briefing_receiver set absent_reason = ${reason}
    where id = ${receiverId} and briefing_id = ${row.id} returning name`.execute(ctx.db)
  return { opinion: `${rows[0]?.name ?? ''}：${reason}` }
}

async function scan(ctx: Context, row: Briefing, { files, signers }: Of<'scan'>): Promise<Outcome<Briefing>> {
  await requireUnsigned(ctx, row, signers, 'signers')
  const scans = await keptFiles(ctx, fileIdsOf(files), row.scans)
  await sql`update briefing_receiver set paper_at = ${new Date(ctx.clock.now())}, absent_reason = null
    where briefing_id = ${row.id} and id = any (${[...signers]})`.execute(ctx.db)
  return { values: { scans: [...new Set([...row.scans, ...scans])] }, opinion: `${signers.length} 人纸质签字` }
}

/** Both sides have signed: whoever briefed, the witness, and everybody who was there. */
async function finish(ctx: Context, row: Briefing): Promise<Outcome<Briefing>> {
  const { rows } = await sql<{ seat: string }>`select seat from process_signature
    where kind = ${row.type} and object_id = ${row.id} and void_at is null and not refused`.execute(ctx.db)
  const signed = new Set(rows.map((one) => one.seat))
  if (!signed.has('discloser')) throw new AppError('refused', `交底人${row.discloser}还没有签字`)
  if (row.witness && !signed.has('witness')) throw new AppError('refused', `见证的安全员${row.witness}还没有签字`)
  return {}
}

/** A void briefing that is replaced waits for nobody. */
export async function settleReplaced(ctx: Context, type: BriefingType, id: string | null): Promise<void> {
  if (id === null) return
  const { rows } = await sql<{ type: BriefingType }>`select type from briefing where id = ${id}`.execute(ctx.db)
  const replaced = rows[0]?.type
  if (replaced !== type) return
  await replaceTodos(ctx, kindOf(type), await readBriefingRow(ctx, { id, type }))
}

/** Letters of the series of numbers of a site's briefings. */
const series = 'JD'
async function numberOf(ctx: Context, projectCode: string): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, projectCode, series)
  return `${rows[0]?.name ?? projectCode}-${series}-${year}-${String(no).padStart(3, '0')}`
}
