import { type CorrectionKind, correctionKinds } from '@zhugong/contract/attendance/facts'
import { fixContent, fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Db, Row, Tx } from '#kit/db'
import { type Decision, type FlowStart, type Item, registerKind, type WorkContext, type WorkDocument } from '../workflow/public.ts'
import { chainFixes } from './fix-chain.ts'
import { markFix } from './fix-mark.ts'
import { recomputeDirty } from './recompute.ts'
import type { Approval, CorrectionValue } from './tables.ts'

/** Approval kind of 考勤更正: the site decides; after the window also the company, and for key posts the supervisor or owner (A43, A44). */
export const fixKind = 'attendanceFix'

export function registerFixKind(): void {
  registerKind({
    kind: fixKind,
    name: '考勤补录',
    noun: '此更正',
    prefix: 'KQBL',
    facts: {
      late: { label: '已过补录期限', type: 'flag' },
      keyPost: { label: '关键岗位', type: 'flag' },
      daysLate: { label: '补录天数', type: 'number' },
      kind: { label: '更正类型', type: 'code', options: correctionKinds },
    },
    flow: [
      { key: 'site', name: '项目', places: ['site'], by: { kind: 'code', code: 'attendance.approve' }, hours: 48 },
      {
        key: 'company',
        name: '企业',
        places: ['leader'],
        by: { kind: 'code', code: 'attendance.approve' },
        beside: true,
        when: [{ fact: 'late', op: '=', value: true }],
        hours: 72,
        locked: true,
      },
      {
        key: 'review',
        name: '监理或建设单位',
        places: ['supervisor', 'owner'],
        by: { kind: 'code', code: 'attendance.approve' },
        beside: true,
        when: [{ fact: 'keyPost', op: '=', value: true }],
        hours: 72,
        locked: true,
      },
    ],
    corp: true,
    apart: true,
    batch: true,
    withdraw: 'running',
    reads: ['attendance.view'],
    link: ({ projectCode }) => `/attendance?tab=fixes&projectCode=${projectCode ?? ''}`,
    document: documentOf,
    waiting,
    decided,
  })
}

type Fix = Row<'attendanceCorrection'>

async function documentOf({ db }: Pick<WorkContext, 'db'>, id: string): Promise<WorkDocument | undefined> {
  const fix = await db.selectFrom('attendanceCorrection').selectAll().where('id', '=', id).executeTakeFirst()
  if (!fix) return undefined
  const value = fix.value as CorrectionValue
  return {
    fields: [
      { label: '更正', value: nameOf(fix) },
      { label: '人员', value: await personOf(db, fix) },
      { label: '考勤日', value: fix.workDay },
      { label: '内容', value: contentOf(fix.kind, value) || null },
      { label: '原因', value: fix.reason },
      { label: '申请人', value: fix.requestedName },
    ],
    files: (fix.files as string[] | null) ?? [],
  }
}
const nameOf = (fix: Pick<Fix, 'kind'>) => correctionKinds[fix.kind as CorrectionKind] ?? fix.kind
const contentOf = (kind: string, value: CorrectionValue) =>
  fixContent({
    kind,
    time: value.time === null || value.time === undefined ? null : formatInstant(value.time),
    direction: value.direction ?? null,
    fromDay: value.fromDay ?? null,
    toDay: value.toDay ?? null,
  })

async function personOf(db: Db | Tx, { projectCode, workerId }: Pick<Fix, 'projectCode' | 'workerId'>): Promise<string> {
  if (workerId === null) return '全体人员'
  const { rows } = await sql<{ name: string }>`select worker_name as name from project_worker
    where project_code = ${projectCode} and worker_id = ${workerId} order by exit_time is not null, entry_time desc limit 1`.execute(db)
  return rows[0]?.name ?? '--'
}

/** The initial flow of a correction. */
export async function flowStart(
  db: Db | Tx,
  fix: Pick<Fix, 'id' | 'kind' | 'projectCode' | 'workerId' | 'corpCode' | 'workDay' | 'requestedAt'>,
  facts: { late: boolean; keyPost: boolean },
  groupId: string,
): Promise<FlowStart> {
  const dayMs = 86_400_000
  const daysLate =
    fix.workDay === null ? 0 : Math.max(0, Math.floor((fix.requestedAt.getTime() - Date.parse(`${fix.workDay}T00:00:00+08:00`)) / dayMs))
  return {
    kind: fixKind,
    groupId,
    projectCode: fix.projectCode,
    corpCode: fix.corpCode,
    objectId: fix.id,
    title: `${nameOf(fix)} ${await personOf(db, fix)} ${fix.workDay ?? ''}`.trim(),
    facts: { ...facts, daysLate, kind: fix.kind },
  }
}

async function waiting(db: Db | Tx, objectId?: string): Promise<FlowStart[]> {
  const rows = await db
    .selectFrom('attendanceCorrection as x')
    .innerJoin('tenant as t', (join) => join.onRef('t.code', '=', 'x.projectCode').on('t.type', '=', 3))
    .selectAll('x')
    .select('t.id as groupId')
    .where('x.state', '=', fixStates.waiting)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workItem as i')
            .select('i.id')
            .whereRef('i.objectId', '=', 'x.id')
            .where('i.kind', '=', fixKind)
            .where('i.state', '=', '1'),
        ),
      ),
    )
    .$if(objectId !== undefined, (q) => q.where('x.id', '=', objectId ?? ''))
    .execute()
  return Promise.all(
    rows.map(async (x) => ({
      ...(await flowStart(db, x, { late: x.needs.includes('company'), keyPost: x.needs.includes('review') }, x.groupId)),
      since: x.requestedAt,
      applicant: { id: x.requestedBy ?? '', name: x.requestedName ?? '--', groupId: x.groupId },
    })),
  )
}

/** The decision is also stored with the correction, because the ledger entry contains it. */
async function decided(ctx: WorkContext, item: Item, { act, node, opinion, state, at }: Decision): Promise<void> {
  const fix = await ctx.db.selectFrom('attendanceCorrection').selectAll().where('id', '=', item.objectId).executeTakeFirstOrThrow()
  const words: Approval[] = node
    ? [
        ...(fix.approvals ?? []),
        { role: node.key, by: ctx.user.id, name: ctx.user.name, at: at.getTime(), opinion, result: act === 'reject' ? 'reject' : 'pass' },
      ]
    : (fix.approvals ?? [])
  const passed = state === fixStates.passed
  await changeRow(ctx, 'attendanceCorrection', {
    key: { id: fix.id },
    version: fix.version,
    noun: '更正',
    values: {
      state,
      approvals: JSON.stringify(words),
      ...(passed
        ? { approvedBy: ctx.user.id, approvedName: ctx.user.name, approvedAt: at, byCompany: words.some((w) => w.role === 'company') }
        : {}),
    },
  })
  if (!passed) return
  await markFix(ctx, fix)
  // Runs after the commit on the system connection, because requests may not write the ledger: appends the entry and recomputes the
  // days.
  ctx.afterCommit(async () => {
    await chainFixes(ctx.system, ctx.clock)
    await recomputeDirty(ctx.system, ctx.clock)
  })
}
