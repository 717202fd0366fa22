import { type BlackMove, blackMoves, blackStates } from '@zhugong/contract/labour/black-codes'
import type { BlackDetail } from '@zhugong/contract/labour/black-model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { commonCalendar } from '../access/public.ts'
import { linksOf } from '../files/public.ts'
import { reasonName } from './black-hold.ts'
import { type RawBlack, toRow } from './black-rows.ts'
import { hindrance, isInHand } from './black-rules.ts'

/** Maximum number of refusals and passages shown. */
const mostRefusals = 100
const wayNames: Record<string, string> = { entry: '办理进场被拒', join: '加入项目被拒', team: '新增班组被拒', gate: '门禁通行' }

/** The complete entry for the parties involved; for others only its public notice. */
export async function detailOf(ctx: Context, entry: RawBlack): Promise<BlackDetail> {
  const full = entry.isFull
  const { moves, holdUps } = await openMoves(ctx, entry)
  const isProposer = entry.groupId === ctx.group.id && ctx.codes.has(blackMoves.submit.needs)
  return {
    ...toRow(ctx, entry, await commonCalendar(ctx.db)),
    idCardType: full ? entry.idCardType : null,
    reason: full ? entry.reason : null,
    files: full ? linksOf(ctx, entry.files) : [],
    moves,
    holdUps,
    mayEdit: isProposer && (entry.state === blackStates.draft || entry.state === blackStates.rejected),
    mayAdjust: entry.state === blackStates.recognised && entry.mayDecide && ctx.codes.has(blackMoves.decide.needs),
    log: full ? await logOf(ctx, entry.id) : [],
    projects: await projectsOf(ctx, entry),
    refusals: await refusalsOf(ctx, entry),
    earlier: full ? await earlierOf(ctx, entry) : [],
    badRecords: full ? await badRecordsOf(ctx, entry) : [],
    workerId: full ? await fileOf(ctx, entry) : null,
  }
}

/** The actions possible now, and for those not possible yet the reasons. */
async function openMoves(ctx: Context, entry: RawBlack): Promise<{ moves: BlackMove[]; holdUps: string[] }> {
  const moves: BlackMove[] = []
  const holdUps: string[] = []
  for (const [name, move] of Object.entries(blackMoves) as [BlackMove, (typeof blackMoves)[BlackMove]][]) {
    if (!(move.from as readonly string[]).includes(entry.state) || !ctx.codes.has(move.needs) || !isInHand(ctx, entry, name)) continue
    const why = await hindrance(ctx, entry, name)
    if (why) holdUps.push(why)
    else moves.push(name)
  }
  return { moves, holdUps: [...new Set(holdUps)] }
}

async function logOf(ctx: Context, entryId: string): Promise<BlackDetail['log']> {
  const rows = await ctx.db.selectFrom('blackLog').selectAll().where('entryId', '=', entryId).orderBy('at').orderBy('id').execute()
  return rows.map((l) => ({
    ...pick(l, 'id', 'action', 'byName', 'groupName', 'opinion'),
    time: l.at.getTime(),
    to: dictName('misconductState', l.toState) ?? l.toState,
    files: linksOf(ctx, l.files),
  }))
}

async function projectsOf(ctx: Context, entry: RawBlack): Promise<BlackDetail['projects']> {
  const { rows } = await sql<{ projectCode: string; name: string; inPlace: boolean }>`
    select p.project_code, p.name,
      exists (select 1 from project_worker w where ${entry.kind} = 'worker' and w.project_code = p.project_code and w.id_card_hash = ${entry.idCardHash} and w.exit_time is null)
        or exists (select 1 from project_corp u where ${entry.kind} = 'corp' and u.project_code = p.project_code and u.corp_code = ${entry.corpCode} and u.exit_time is null) as in_place
    from project p where zg_black_reaches(${entry.scope}, ${entry.scopeCode}, p, null)
      or exists (select 1 from project_worker w where ${entry.scope} = '2' and w.project_code = p.project_code and w.id_card_hash = ${entry.idCardHash}
        and w.exit_time is null and w.corp_code = ${entry.scopeCode})
    order by in_place desc, p.name limit 200`.execute(ctx.db)
  return rows
}

async function refusalsOf(ctx: Context, entry: RawBlack): Promise<BlackDetail['refusals']> {
  const { rows } = await sql<{ at: Date; projectName: string | null; way: string; place: string }>`
    select r.at, p.name as project_name, r.way, r.by_name as place from black_refusal r left join project p using (project_code) where r.entry_id = ${entry.id}
    union all
    select v.time, p.name, 'gate', coalesce(d.name, '') from attendance_event v join project p using (project_code) left join device d on d.id = v.device_id
    where ${entry.decidedTime}::timestamptz is not null and v.time >= greatest(${entry.decidedTime}::timestamptz, ${entry.startDate}::date::timestamp at time zone 'Asia/Shanghai')
      and v.time < (${entry.endDate}::date + 1)::timestamp at time zone 'Asia/Shanghai'
      and (${['5', '6', '7'].includes(entry.state) ? entry.updateTime : null}::timestamptz is null or v.time < ${entry.updateTime}::timestamptz)
      and (v.project_code, v.worker_id) in (select w.project_code, w.worker_id from project_worker w where w.id_card_hash = ${entry.idCardHash})
      and zg_black_reaches(${entry.scope}, ${entry.scopeCode}, p, null)
    order by 1 desc limit ${mostRefusals}`.execute(ctx.db)
  return rows.map((r) => ({
    time: formatInstant(r.at),
    projectName: r.projectName ?? '其他项目',
    way: wayNames[r.way] ?? r.way,
    place: r.place,
  }))
}

async function earlierOf(ctx: Context, entry: RawBlack): Promise<BlackDetail['earlier']> {
  const { rows } = await sql<{ id: string; reasonType: string; startDate: string; endDate: string; state: string }>`
    select e.id, e.reason_type, e.start_date::text as start_date, e.end_date::text as end_date, e.state from black_entry e
    where e.kind = ${entry.kind} and e.id <> ${entry.id} and e.state <> '0'
      and (e.id_card_hash = ${entry.idCardHash} or e.corp_code = ${entry.corpCode}) order by e.start_date desc limit 20`.execute(ctx.db)
  return rows.map(({ state, reasonType, ...r }) => ({
    ...r,
    reasonTypeName: reasonName(entry.kind, reasonType),
    statusName: dictName('misconductState', state),
  }))
}

// Reads the tables of personnel directly: earlier misconduct is shown beside the entry.
async function badRecordsOf(ctx: Context, entry: RawBlack): Promise<BlackDetail['badRecords']> {
  const { rows } = await sql<{ id: string; occurrenceDate: string; type: string; score: number | null }>`
    select b.id, b.occurrence_date::text as occurrence_date, b.bad_record_type as type, b.score::float as score
    from worker_bad b join worker w on w.id = b.worker_id where w.id_card_hash = ${entry.idCardHash} and b.audit_status = '1'
    order by b.occurrence_date desc limit 20`.execute(ctx.db)
  return rows.map(({ type, ...r }) => ({ ...r, typeName: dictName('badActionType', type) }))
}

async function fileOf(ctx: Context, entry: RawBlack): Promise<string | null> {
  const { rows } = await sql<{
    id: string
  }>`select id from worker where id_card_hash = ${entry.idCardHash} and not deleted limit 1`.execute(ctx.db)
  return rows[0]?.id ?? null
}
