import { AppError } from '@zhugong/contract/kit/errors'
import { type PersonRequestKind, personRequests } from '@zhugong/contract/settings/my-requests'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type NewRow, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import { keptFiles } from '../../files/public.ts'
import {
  type Decision,
  type FlowStart,
  type Item,
  registerKind,
  startFlow,
  type WorkContext,
  type WorkDocument,
  type WorkKind,
} from '../../workflow/public.ts'
import { asOwner } from '../own-file.ts'

/**
 * A person's request in the workflow engine. It belongs to the person's file, independent of the current group, and is written outside
 * that group's row-level security. Deciders see it through its project.
 */
export type PersonRequest = Row<'personRequest'>

type RequestValues = Omit<
  NewRow<'personRequest'>,
  'id' | 'kind' | 'userId' | 'workerId' | 'createTime' | 'opinion' | 'decidedName' | 'decideTime' | 'files'
>
const nothing = {
  projectCode: null,
  corpCode: null,
  subject: null,
  subjectId: null,
  fromMonth: null,
  toMonth: null,
  amountCents: null,
  startDate: null,
  expiryDate: null,
  grantOrg: null,
  frontImage: null,
  backImage: null,
} as const

/**
 * Creates a request of the caller and starts its workflow. `tell` describes the subject, and throws if the caller may not make the
 * request.
 */
export async function ask(
  ctx: Context,
  kind: PersonRequestKind,
  given: { reason: string; files: readonly string[]; pictures?: readonly string[] },
  tell: (own: Context, workerId: string) => Promise<Pick<RequestValues, 'about'> & Partial<RequestValues>>,
): Promise<{ id: string; code: string; itemId: string }> {
  // Files must be visible to the caller; the rights of `asOwner` do not apply to them.
  const files = await keptFiles(ctx, given.files)
  await keptFiles(ctx, given.pictures ?? [], [], 'front')
  return asOwner(ctx, async (own, workerId) => {
    const result = await tell(own, workerId)
    const id = ctx.newId()
    const row = { ...nothing, ...result, reason: given.reason, files: JSON.stringify(files) }
    try {
      await own.db
        .insertInto('personRequest')
        .values({
          ...row,
          id,
          kind,
          userId: ctx.user.id,
          workerId,
          opinion: null,
          decidedName: null,
          decideTime: null,
          createTime: new Date(ctx.clock.now()),
        })
        .execute()
    } catch (error) {
      if (isUniqueViolation(error, 'person_request_waits')) throw new AppError('refused', '同一事项的申请正在办理，请等待答复或先撤回')
      throw error
    }
    const groupId = row.projectCode === null ? ctx.group.id : await siteGroup(own, row.projectCode)
    const { code, itemId } = await startFlow(own, {
      kind,
      groupId,
      projectCode: row.projectCode,
      corpCode: row.corpCode,
      objectId: id,
      title: `${personRequests[kind]} ${row.about}`,
    })
    ctx.note(`${personRequests[kind]}：${row.about}`, id)
    return { id, code, itemId }
  })
}

async function siteGroup(own: Context, projectCode: string): Promise<string> {
  const group = await own.system
    .selectFrom('tenant')
    .select('id')
    .where('type', '=', groupTypes.project)
    .where('code', '=', projectCode)
    .executeTakeFirst()
  return group?.id ?? own.group.id
}

/** One of the person's own stays, current or ended. */
export async function ownStay(own: Context, workerId: string, stayId: string) {
  const stay = await own.db
    .selectFrom('projectWorker as s')
    .innerJoin('project as p', 'p.projectCode', 's.projectCode')
    .leftJoin('corporation as c', 'c.corpCode', 's.corpCode')
    .select(['s.id', 's.projectCode', 's.corpCode', 's.entryTime', 's.exitTime', 'p.name as projectName', 'c.corpName'])
    .where('s.id', '=', stayId)
    .where('s.workerId', '=', workerId)
    .executeTakeFirst()
  return found(stay, '从业记录')
}

/** A misconduct record about the person. */
export async function ownBad(own: Context, workerId: string, badId: string) {
  const bad = await own.db.selectFrom('workerBad').selectAll().where('id', '=', badId).where('workerId', '=', workerId).executeTakeFirst()
  return found(bad, '不良记录')
}

interface PersonKind extends Pick<WorkKind, 'prefix' | 'flow' | 'link'> {
  kind: PersonRequestKind
  /** Permission codes, any of which lets non-deciders read the request. */
  reads?: readonly string[]
  /** Additional fields for deciders. Must not contain people's numbers. */
  fields?: (row: PersonRequest) => WorkDocument['fields']
  findings?: (ctx: Pick<WorkContext, 'db' | 'system' | 'clock'>, row: PersonRequest) => ReturnType<NonNullable<WorkKind['findings']>>
  /** Label of the answer that approval requires. */
  answers?: string
  /** Throws if the caller may not decide; runs before any write. */
  mayDecide?: (ctx: WorkContext, row: PersonRequest) => Promise<void>
  passed?: (ctx: WorkContext, row: PersonRequest) => Promise<void>
}

export function registerPersonKind(own: PersonKind): void {
  const { kind } = own
  registerKind({
    kind,
    name: personRequests[kind],
    noun: '此申请',
    ...pick(own, 'prefix', 'flow', 'link'),
    facts: {},
    corp: true,
    withdraw: 'running',
    reads: own.reads ?? [],
    document: async ({ db }, id) => {
      const row = await rowOf(db, id)
      return (
        row && {
          fields: [{ label: '事项', value: row.about }, ...(own.fields?.(row) ?? []), { label: '说明', value: row.reason || null }],
          files: row.files as string[],
        }
      )
    },
    findings: async (ctx, item) => {
      const row = await rowOf(ctx.db, item.objectId)
      return row && own.findings ? own.findings(ctx, row) : []
    },
    waiting: (db, objectId) => waitingOf(kind, db, objectId),
    decided: (ctx, item, decision) => decide(own, ctx, item, decision),
  })
}

export const rowOf = (db: WorkContext['db'], id: string): Promise<PersonRequest | undefined> =>
  db.selectFrom('personRequest').selectAll().where('id', '=', id).executeTakeFirst()

/** Requests without a workflow item: those of the demonstration data. */
async function waitingOf(kind: PersonRequestKind, db: WorkContext['system'] | WorkContext['db'], objectId?: string): Promise<FlowStart[]> {
  const { rows } = await sql<PersonRequest & { siteGroup: string | null; askedGroup: string | null; askedName: string }>`
    select x.*, u.name as asked_name, t.id as site_group,
      (select m.group_id from member m where m.user_id = u.id and m.enable = '1' order by m.group_id = t.id desc, m.is_default desc limit 1) as asked_group
    from person_request x join app_user u on u.id = x.user_id left join tenant t on t.type = ${groupTypes.project} and t.code = x.project_code
    where x.kind = ${kind} and x.state = ${approvalStates.running} and ${objectId === undefined ? sql`true` : sql`x.id = ${objectId}`}
      and not exists (select 1 from work_item i where i.kind = x.kind and i.object_id = x.id and i.state = '1')`.execute(db)
  return rows.flatMap((x) => {
    const groupId = x.siteGroup ?? x.askedGroup
    if (!groupId || !x.askedGroup) return []
    return {
      kind,
      groupId,
      projectCode: x.projectCode,
      corpCode: x.corpCode,
      objectId: x.id,
      title: `${personRequests[kind]} ${x.about}`,
      since: x.createTime,
      applicant: { id: x.userId, name: x.askedName, groupId: x.askedGroup },
    }
  })
}

async function decide(own: PersonKind, ctx: WorkContext, item: Item, { act, opinion, state, at }: Decision): Promise<void> {
  const row = found(await rowOf(ctx.db, item.objectId), '申请')
  if (act !== 'withdraw') await own.mayDecide?.(ctx, row)
  if (own.answers && act === 'pass' && opinion.length < 5) throw new AppError('invalidInput', own.answers, { field: 'opinion' })
  if (state === approvalStates.running) return
  await changeRow(ctx, 'personRequest', {
    key: { id: row.id },
    version: row.version,
    noun: '申请',
    values: {
      state,
      opinion: opinion || null,
      decidedName: act === 'withdraw' ? null : `${ctx.group.name} ${ctx.user.name}`.trim(),
      decideTime: at,
    },
  })
  if (state === approvalStates.passed) await own.passed?.(ctx, row)
}
