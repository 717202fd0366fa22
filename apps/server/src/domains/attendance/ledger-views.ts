import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { offThread } from '#kit/off-thread/off-thread'
import { pick } from '#kit/pick'
import { rulesVersion } from './engine/day.ts'
import { genesisHash, rootHash } from './engine/ledger.ts'
import { inclusionPath } from './engine/merkle.ts'
import { addDays, dateOf } from './engine/time.ts'
import { compareRoots, type Finding, findingKinds } from './engine/verify.ts'
import { fixFindings } from './fix-chain.ts'
import { rootOf } from './roots.ts'
import type { VerifyOutcome, VerifyWork } from './verify-thread.ts'

/** Entries passed to the worker thread at a time; each slice blocks this thread for a few milliseconds. */
const slice = 5_000
/** Enough for two million entries; the largest sites have half of that. */
const timeLimitMs = 120_000
const tooLong = '校验时间过长，请缩短日期范围'

/** The same for a row without characters that JSON escapes; takes a third of the time. */
const quoted = (column: string) => sql`coalesce('"' || ${sql.ref(`e.${column}`)} || '"', 'null')`
const plainEntry = sql`'{"attendType":' || ${quoted('attend_type')} || ',"channel":' || ${quoted('channel')}
  || ',"clockOffsetMs":' || coalesce(e.clock_offset_ms::text, 'null') || ',"direction":' || ${quoted('direction')}
  || ',"kind":"event","live":' || ${quoted('live')} || ',"pass":' || ${quoted('pass')}
  || ',"pictureHash":' || ${quoted('picture_hash')} || ',"pointHash":' || ${quoted('point_hash')}
  || ',"projectCode":' || ${quoted('project_code')} || ',"receivedAt":' || (extract(epoch from e.received_at) * 1000)::bigint
  || ',"recordId":' || ${quoted('record_id')} || ',"score":' || coalesce((e.score * 100)::int::text, 'null')
  || ',"seq":' || e.seq || ',"source":' || ${quoted('source')} || ',"terminalCode":' || ${quoted('terminal_code')}
  || ',"time":' || (extract(epoch from e.time) * 1000)::bigint || ',"v":1,"workerId":' || ${quoted('worker_id')}
  || ',"workerSeq":' || coalesce(l.worker_seq::text, 'null') || '}'`
/** An event's canonical entry rebuilt from its row by the database; comparing a million rows in Node would take twice as long. */
const rebuiltEntry = sql`'{"attendType":' || to_json(e.attend_type) || ',"channel":' || coalesce(to_json(e.channel)::text, 'null')
  || ',"clockOffsetMs":' || coalesce(e.clock_offset_ms::text, 'null') || ',"direction":' || coalesce(to_json(e.direction)::text, 'null')
  || ',"kind":"event","live":' || coalesce(to_json(e.live)::text, 'null') || ',"pass":' || coalesce(to_json(e.pass)::text, 'null')
  || ',"pictureHash":' || coalesce(to_json(e.picture_hash)::text, 'null') || ',"pointHash":' || coalesce(to_json(e.point_hash)::text, 'null')
  || ',"projectCode":' || to_json(e.project_code) || ',"receivedAt":' || (extract(epoch from e.received_at) * 1000)::bigint
  || ',"recordId":' || coalesce(to_json(e.record_id)::text, 'null') || ',"score":' || coalesce((e.score * 100)::int::text, 'null')
  || ',"seq":' || e.seq || ',"source":' || to_json(e.source) || ',"terminalCode":' || to_json(e.terminal_code)
  || ',"time":' || (extract(epoch from e.time) * 1000)::bigint || ',"v":1,"workerId":' || coalesce(to_json(e.worker_id)::text, 'null')
  || ',"workerSeq":' || coalesce(l.worker_seq::text, 'null') || '}'`

export interface VerifyResult {
  entries: number
  lastSeq: number
  lastHash: string
  roots: number
  copies: number
  findings: Finding[]
}

/** A75: verifies the chain of a period, its roots, the copies delivered to the caller's group, and each record row against its entry. */
export async function verifyStored(
  db: Db,
  projectCode: string,
  from: string | undefined,
  to: string | undefined,
  withRows: boolean,
  request: { group: string; gone?: AbortSignal } = { group: '' },
): Promise<VerifyResult> {
  const rootRows = await db
    .selectFrom('attendanceRoot')
    .select(['date', 'record'])
    .where('projectCode', '=', projectCode)
    .orderBy('date')
    .execute()
  const all = rootRows.map((r) => rootOf(r.record))
  const before = from ? all.filter((r) => r.date < from).at(-1) : undefined
  const chosen = all.filter((r) => (!from || r.date >= from) && (!to || r.date <= to))
  const startSeq = before ? Math.max(0, ...all.filter((r) => r.date <= before.date).map((r) => r.lastSeq ?? 0)) : 0
  const work: VerifyWork = {
    projectCode,
    start: before ? { seq: startSeq, hash: before.lastHash } : undefined,
    roots: chosen,
    before: before ? rootHash(before) : null,
  }
  const verified = await offThread.run<VerifyOutcome>(new URL('./verify-thread.ts', import.meta.url), work, {
    group: request.group,
    signal: request.gone,
    timeLimitMs,
    tooLong,
    pieces: entriesOf(db, projectCode, startSeq, to, withRows),
  })
  const { findings } = verified
  if (withRows) {
    const within = (day: string | null) => day === null || ((!from || day >= from) && (!to || day <= to))
    findings.push(...(await fixFindings(db, projectCode)).filter((f) => within(f.day)))
  }
  const copies = await db.selectFrom('attendanceRootCopy').select(['date', 'hash']).where('projectCode', '=', projectCode).execute()
  const wanted = copies.filter((c) => (!from || c.date >= from) && (!to || c.date <= to))
  findings.push(...compareRoots(projectCode, all, wanted))
  // Detects entries cut off after the last root: the head of the chain contains their number.
  const head = to
    ? undefined
    : await db.selectFrom('attendanceChain').select(['seq', 'hash']).where('projectCode', '=', projectCode).executeTakeFirst()
  if (head && head.seq > verified.lastSeq)
    findings.push({ projectCode, day: null, seq: verified.lastSeq + 1, toSeq: head.seq, kind: 'missing', note: '链尾条目缺失' })
  return {
    ...pick(verified, 'entries', 'lastSeq', 'lastHash'),
    roots: chosen.length,
    copies: wanted.length,
    findings,
  }
}

/**
 * The entries after a position of the chain, each slice as one text (`Piece` of the thread). Slices whose rows all match are plain
 * lines, others are JSON with the state of each entry.
 */
async function* entriesOf(
  db: Db,
  projectCode: string,
  startSeq: number,
  to: string | undefined,
  withRows: boolean,
): AsyncGenerator<string> {
  const until = to ? new Date(`${addDays(to, 1)}T00:00:00+08:00`) : undefined
  const same = withRows
    ? sql`case when l.kind <> 'event' then null when e.id is null then false
        when position('\\' in l.entry) = 0 then l.entry = ${plainEntry} else l.entry = ${rebuiltEntry} end`
    : sql`null::boolean`
  for (let last = startSeq; ; ) {
    // Limits the slice before joining. Otherwise PostgreSQL built every entry of the chain again for each slice.
    const compared = sql`(select l.seq, l.entry, l.hash, l.event_id, ${same} as same
        from (select * from attendance_ledger
          where project_code = ${projectCode} and seq > ${last} ${until ? sql`and received_at < ${until}` : sql``} order by seq limit ${slice}) l
        ${withRows ? sql`left join attendance_event e on e.project_code = l.project_code and e.id = l.event_id` : sql``}) t`
    const { rows } = await sql<{ entries: string; n: number; last: number; odd: boolean }>`
      select min(seq) || E'\\n' || string_agg(hash || entry, E'\\n' order by seq) as entries, count(*)::int as n, max(seq) as last,
        max(seq) - min(seq) + 1 <> count(*) or bool_or(same is false or length(hash) <> 64 or position(E'\\n' in entry) > 0) as odd
      from ${compared}`.execute(db)
    const [page] = rows
    if (!page?.n) return
    if (page.odd) {
      const odd = await sql<{ entries: string }>`
        select json_agg(json_build_array(seq, entry, hash, event_id, same) order by seq)::text as entries from ${compared}`.execute(db)
      yield odd.rows[0]?.entries ?? '[]'
    } else yield page.entries
    if (page.n < slice) return
    last = Number(page.last)
  }
}

export async function verifyAnswer(ctx: Context, projectCode: string, from: string | undefined, to: string | undefined) {
  // Users who see only their own people cannot compare other people's rows.
  const limited = ctx.scope.limited.includes(projectCode)
  const result = await verifyStored(ctx.db, projectCode, from, to, !limited, { group: ctx.group.id, gone: ctx.gone })
  const ok = result.findings.length === 0
  const first = result.findings[0]
  return {
    projectCode,
    ok,
    ...pick(result, 'entries', 'lastSeq', 'lastHash', 'roots', 'copies'),
    findings: result.findings.map((f) => ({
      projectCode: f.projectCode,
      day: f.day,
      seq: f.seq,
      toSeq: f.toSeq ?? null,
      row: f.row ?? null,
      kind: f.kind,
      kindName: findingKinds[f.kind],
      note: f.note,
    })),
    checkedAt: formatInstant(ctx.clock.now()),
    words: first
      ? `${first.seq === null ? '' : `第 ${thousands(first.seq)} 条`}${first.day ? `（${first.day}）` : ''}${first.note}${result.findings.length > 1 ? `，共 ${result.findings.length} 处` : ''}`
      : `${thousands(result.entries)} 条，${result.copies > 0 ? `与本机构留存的 ${result.copies} 个日根值一致` : `与 ${result.roots} 个日根值一致`}`,
  }
}
const thousands = (n: number) => n.toLocaleString('en-US')

/** A77: one person's entries with their paths to the daily roots. Reveals only hashes of others. */
export async function proofOf(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  workerId: string,
  from: string | undefined,
  to: string | undefined,
) {
  const stay = await ctx.db
    .selectFrom('projectWorker')
    .select('id')
    .where('projectCode', '=', projectCode)
    .where('workerId', '=', workerId)
    .executeTakeFirst()
  if (!stay) throw new AppError('notFound', '人员不存在或不在您的管辖范围内', { field: 'workerId' })
  const { rows } = await sql<{ seq: number; workerSeq: number; receivedAt: Date; entry: string; hash: string; before: string | null }>`
    select l.seq, l.worker_seq, l.received_at, l.entry, l.hash,
      (select b.hash from attendance_ledger b where b.project_code = l.project_code and b.seq = l.seq - 1) as before
    from attendance_ledger l where l.project_code = ${projectCode} and l.worker_id = ${workerId}
      ${from ? sql`and l.received_at >= ${new Date(`${from}T00:00:00+08:00`)}` : sql``}
      ${to ? sql`and l.received_at < ${new Date(`${addDays(to, 1)}T00:00:00+08:00`)}` : sql``} order by l.seq`.execute(ctx.db)
  const byDate = Map.groupBy(rows, (r) => dateOf(r.receivedAt.getTime()))
  const stored = await ctx.db
    .selectFrom('attendanceRoot')
    .select(['date', 'record'])
    .where('projectCode', '=', projectCode)
    .where('date', 'in', byDate.size ? [...byDate.keys()] : ['0001-01-01'])
    .orderBy('date')
    .execute()
  const roots = stored.map((r) => rootOf(r.record))
  const entries = []
  let pending = rows.length
  for (const root of roots) {
    const hashes = await sql<{ hash: string }>`
      select hash from attendance_ledger where project_code = ${projectCode} and seq between ${root.firstSeq} and ${root.lastSeq} order by seq`.execute(
      ctx.db,
    )
    const list = hashes.rows.map((r) => r.hash)
    for (const row of byDate.get(root.date) ?? []) {
      const index = row.seq - (root.firstSeq ?? 0)
      if (index < 0 || index >= list.length) continue
      pending--
      entries.push({
        canonical: row.entry,
        previousHash: row.before ?? genesisHash(projectCode),
        hash: row.hash,
        date: root.date,
        index,
        path: inclusionPath(list, index),
      })
    }
  }
  return { projectCode, workerId, rulesVersion, entries, roots: roots.map(plainRoot), pending, fromWorkerSeq: rows[0]?.workerSeq ?? null }
}

const plainRoot = (r: ReturnType<typeof rootOf>) => ({
  ...pick(r, 'count', 'date', 'firstSeq', 'lastHash', 'lastSeq', 'merkleRoot', 'prevRoot', 'projectCode'),
})

export async function rootsPage(
  ctx: Context,
  projectCode: string,
  query: { from?: string | undefined; to?: string | undefined; page: number; size: number },
) {
  let rows = ctx.db.selectFrom('attendanceRoot').where('projectCode', '=', projectCode)
  if (query.from) rows = rows.where('date', '>=', query.from)
  if (query.to) rows = rows.where('date', '<=', query.to)
  const list = await rows
    .select(['date', 'record', 'hash'])
    .orderBy('date', 'desc')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const copies = await ctx.db
    .selectFrom('attendanceRootCopy')
    .select(['date', 'hash', 'deliveredAt'])
    .where('projectCode', '=', projectCode)
    .execute()
  const byDate = new Map(copies.map((c) => [c.date, c]))
  return {
    list: list.map((r) => {
      const copy = byDate.get(r.date)
      return {
        ...plainRoot(rootOf(r.record)),
        hash: r.hash,
        deliveredAt: copy ? formatInstant(copy.deliveredAt) : null,
        copyHash: copy?.hash ?? null,
      }
    }),
    total,
  }
}
