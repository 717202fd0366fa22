import { AppError } from '@zhugong/contract/kit/errors'
import { rectifyMoves } from '@zhugong/contract/rectify/moves'
import { changeRow } from '#kit/change-row'
import { type Context, groupTypes } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { tellKeepers } from '../notify/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { followFullStop } from './full-stop.ts'
import { pageOf, rectifyKind } from './kind.ts'
import type { Notice } from './notice.ts'
import { draftValues, type Fields, issueValues, writeLines } from './writes.ts'

interface NewNotice extends Fields {
  id?: string
  projectCode: string
  /** The record it comes from. */
  source?: { kind: string; id: string } | undefined
}

/** Inserts a draft with its problems; nobody but the group that writes it knows of it. */
export async function draftNotice(ctx: Context, given: NewNotice): Promise<Notice> {
  const { id = ctx.newId(), projectCode, source, lines, ...fields } = given
  const columns = await draftValues(ctx, projectCode, { ...fields, lines })
  await ctx.db
    .insertInto('rectify')
    .values({
      id,
      ...columns,
      origin: ctx.group.type === groupTypes.government ? 'gov' : 'site',
      projectCode,
      sourceKind: source?.kind ?? null,
      sourceId: source?.id ?? null,
      groups: [ctx.group.id],
      issuerGroup: ctx.group.id,
      issuerGroupName: ctx.group.name,
      issuerId: ctx.user.id,
      issuerName: ctx.user.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await rectifyKind.lock(ctx, id)
  await writeLines(ctx, row, lines)
  return row
}

/** A problem of a record; `mended`: put right while the checker was there, with photographs. */
type Finding = Fields['lines'][number] & { mended?: { measure: string; photos: readonly string[] } | undefined }

/**
 * Issues a notice as the effect of another record: submitting a check, an alarm. The right to do so is the right to that action. When every
 * problem was mended on the spot, the notice is closed at once.
 * @returns the notice and the ids of its problems, in the order given
 */
export async function issueNotice(
  ctx: Context,
  { lines, ...given }: Omit<NewNotice, 'lines'> & { lines: readonly Finding[] },
): Promise<{ notice: Notice; lineIds: string[] }> {
  const draft = await draftNotice(ctx, { ...given, lines: lines.map(({ mended: _mended, ...line }) => line) })
  const mended = lines.every((one) => one.mended)
  const values = await issueValues(ctx, draft)
  const state = mended ? ('7' as const) : ('1' as const)
  const closed = mended ? { receiveTime: values.issueTime, receiver: draft.responsiblePerson, closeTime: values.issueTime } : {}
  await changeRow(ctx, 'rectify', {
    key: { id: draft.id },
    version: draft.version,
    noun: rectifyKind.noun,
    by: null,
    values: { ...values, ...closed, state },
  })
  const lineRows = await ctx.db.selectFrom('rectifyLine').select('id').where('rectifyId', '=', draft.id).orderBy('seq').execute()
  const lineIds = lineRows.map((one) => one.id)
  if (mended) await closeAtOnce(ctx, draft, values.shownAt, lines, lineIds)
  const notice = await rectifyKind.lock(ctx, draft.id)
  await writeLog(ctx, rectifyKind.kind, notice, { action: mended ? 'mend' : 'issue', from: draft.state, to: state })
  await replaceTodos(ctx, rectifyKind, notice)
  if (!mended) {
    await followFullStop(ctx, 'issue', notice)
    await tellIssued(ctx, notice)
  }
  return { notice, lineIds }
}

async function closeAtOnce(ctx: Context, draft: Notice, at: Date, lines: readonly Finding[], lineIds: readonly string[]): Promise<void> {
  const { id: rectifyId, projectCode, corpCode, groups } = draft
  for (const [i, { mended, person }] of lines.entries()) {
    const lineId = lineIds[i]
    if (!mended || !lineId) continue
    await ctx.db
      .insertInto('rectifyAnswer')
      .values({
        lineId,
        round: 1,
        rectifyId,
        projectCode,
        corpCode,
        shownAt: at,
        groups,
        measure: mended.measure,
        photos: [...mended.photos],
        person: person ?? null,
        byId: ctx.user.id,
        byName: ctx.user.name,
        at,
        draft: false,
        recheckPassed: true,
      })
      .execute()
  }
  await ctx.db.updateTable('rectifyLine').set({ state: 'passed' }).where('rectifyId', '=', rectifyId).execute()
}

/** Tells the responsible side of a new notice, beside its to-do. */
async function tellIssued(ctx: Context, row: Notice): Promise<void> {
  const text = `${row.code ?? '整改通知'}，${row.issuerGroupName}下发，期限 ${row.deadline}`
  const { projectCode, corpCode } = row
  const title = '收到整改通知，请签收'
  await tellKeepers(ctx, { projectCode, corpCode, code: rectifyMoves.sign.needs, title, text, link: pageOf(row), kind: 'rectify' })
}
