import { type CorrectionKind, correctionKinds } from '@zhugong/contract/attendance/facts'
import { fixContent, fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { minuteMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { daysWithPeople, type RawDay, resultText, runningDay, toDaily } from './day-list.ts'
import { entryHash, genesisHash } from './engine/ledger.ts'
import { assignedDay } from './engine/pairing.ts'
import { addDays, textOf } from './engine/time.ts'
import { versionOn } from './engine/work-day.ts'
import { evaluatePerson, recordsByIds } from './records.ts'
import type { CorrectionValue } from './tables.ts'

/** Explains a day's result: every record, every pair, and the calculation in words. */
export async function accountOf(ctx: Context, projectCode: string, workerId: string, date: string) {
  const found = await evaluatePerson(ctx, projectCode, workerId, date)
  if (!found) throw new AppError('notFound', '人员不存在或不在您的管辖范围内', { field: 'workerId' })
  const { evaluation, facts } = found
  const today = await runningDay(ctx, projectCode)
  const { rows } = await sql<RawDay>`
    select * from (${daysWithPeople(ctx.clock.now(), today)}) d
    where d.project_code = ${projectCode} and d.worker_id = ${workerId} and d.work_day = ${date}::date`.execute(ctx.db)
  const row = rows[0]
  const traced = evaluation.traced.filter((t) => t.event.workerId === workerId && (t.countsOn ?? t.workDay) === date)
  const records = await recordsByIds(ctx, projectCode, traced)
  const passages = evaluation.passages.filter((p) => assignedDay(p) === date)
  const pairs = passages
    .filter((p) => p.direction === '01')
    .map((p) => ({
      from: textOf(p.time),
      to: p.partner ? textOf(p.partner.time) : null,
      minutes: p.partner ? Math.round((p.partner.time - p.time) / minuteMs) : 0,
      countsOn: date,
    }))
  const { calendar } = evaluation
  const rule = calendar.ruleOn(
    date,
    calendar.teamAt(passages[0]?.records[0]?.time ?? calendar.closeOf(addDays(date, -1)) + 8 * 60 * minuteMs),
  )
  const version = versionOn(facts.versions, date)
  return {
    day: row ? toDaily(row) : null,
    records,
    pairs,
    words: wordsOf(row, pairs, rule),
    fixes: await waitingFixes(ctx, projectCode, workerId, date),
    setting: {
      version: version.version,
      effectiveFrom: version.effectiveFrom,
      shift: rule.shift,
      workStart: clock(rule.workStartMs),
      workEnd: clock(rule.workEndMs),
      dayCut: clock(rule.dayCutMs),
      lateMinutes: rule.lateMs / minuteMs,
      earlyMinutes: rule.earlyMs / minuteMs,
      minHours: rule.minHours,
    },
    chain: await checkEntries(
      ctx,
      projectCode,
      records.map((r) => r.seq),
    ),
  }
}

/** Pending corrections of the day. */
async function waitingFixes(ctx: Pick<Context, 'db'>, projectCode: string, workerId: string, date: string) {
  const { rows } = await sql<{ id: string; kind: CorrectionKind; value: CorrectionValue; requestedName: string | null; requestedAt: Date }>`
    select x.id, x.kind, x.value, x.requested_name, x.requested_at from attendance_correction x
    where x.project_code = ${projectCode} and (x.worker_id = ${workerId} or x.worker_id is null) and x.state = ${fixStates.waiting}
      and (x.work_day = ${date}::date or ${date} between x.value ->> 'fromDay' and x.value ->> 'toDay')
    order by x.requested_at, x.id`.execute(ctx.db)
  return rows.map(({ id, kind, value, requestedName, requestedAt }) => ({
    id,
    kind,
    kindName: correctionKinds[kind],
    content: fixContent({
      kind,
      time: value.time === null ? null : textOf(value.time),
      ...pick(value, 'direction', 'fromDay', 'toDay'),
    }),
    requestedName,
    requestedAt: formatInstant(requestedAt),
  }))
}

const clock = (ms: number) =>
  `${String(Math.floor(ms / 3_600_000) % 24).padStart(2, '0')}:${String(Math.floor(ms / minuteMs) % 60).padStart(2, '0')}`
const minuteOf = (text: string, date: string) => `${text.slice(0, 10) === date ? '' : '次日 '}${text.slice(11, 16)}`

/** Duration of an entry–exit pair in hours and minutes. In tenths of an hour the pairs would not add up to the day's figure. */
const lengthWords = (minutes: number): string => `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分`

function wordsOf(
  row: RawDay | undefined,
  pairs: readonly { from: string; to: string | null; minutes: number }[],
  rule: { workStartMs: number; workEndMs: number; lateMs: number; earlyMs: number; breaks: readonly unknown[]; minHours: number },
): string[] {
  if (!row) return ['当日不在场，不计考勤']
  const words = pairs.map((p) =>
    p.to
      ? `${minuteOf(p.from, row.workDay)} 入 － ${minuteOf(p.to, row.workDay)} 出 ＝ ${lengthWords(p.minutes)}`
      : `${minuteOf(p.from, row.workDay)} 入，${row.pending ? '尚未出场' : '没有对应的出场记录，不计工时'}`,
  )
  if (row.lastOut && pairs.every((p) => p.to === null || p.to !== formatInstant(row.lastOut as Date)) && pairs.length === 0)
    words.push(`${minuteOf(formatInstant(row.lastOut), row.workDay)} 出，没有对应的入场记录，不计工时`)
  if (row.recordCount === 0) words.push(row.expected ? '应到，没有通行记录' : '没有通行记录')
  if (rule.breaks.length && pairs.some((p) => p.to)) words.push('其中休息时段已扣除')
  if (pairs.some((p) => p.to) || row.recordCount > 0)
    words.push(`工时合计 ${row.workHours.toFixed(1)} 小时，${row.attendDay ? '计 1 个出勤日' : `不足 ${rule.minHours} 小时，不计出勤日`}`)
  const start = clock(rule.workStartMs)
  const end = clock(rule.workEndMs)
  if (row.results.includes(2)) words.push(`首次入场晚于 ${start}${rule.lateMs ? `（宽限 ${rule.lateMs / minuteMs} 分钟）` : ''}：迟到`)
  if (row.results.includes(3)) words.push(`末次出场早于 ${end}${rule.earlyMs ? `（宽限 ${rule.earlyMs / minuteMs} 分钟）` : ''}：早退`)
  if (row.results.includes(8)) words.push('当日项目停工，不考核迟到、早退和缺勤')
  if (row.results.includes(12)) words.push('当日暂停作业，不计应到，不考核缺勤')
  words.push(row.results.length ? `结果：${resultText(row.results)}` : row.settled ? '结果：无考核' : '当日尚未结束，结果待定')
  return words
}

/** Whether the stored hashes of some entries are right; each is checked with the entry before it. */
async function checkEntries(ctx: Pick<Context, 'db'>, projectCode: string, seqs: readonly number[]) {
  const first = seqs.length ? Math.min(...seqs) : null
  const last = seqs.length ? Math.max(...seqs) : null
  if (first === null) return { ok: true, checked: 0, firstSeq: null, lastSeq: null }
  const { rows } = await sql<{ seq: number; entry: string; hash: string; before: string | null }>`
    select l.seq, l.entry, l.hash, (select b.hash from attendance_ledger b where b.project_code = l.project_code and b.seq = l.seq - 1) as before
    from attendance_ledger l where l.project_code = ${projectCode} and l.seq = any (${[...seqs]})`.execute(ctx.db)
  const sound = rows.filter((r) => entryHash(r.before ?? genesisHash(projectCode), r.entry) === r.hash)
  return { ok: rows.length === seqs.length && sound.length === rows.length, checked: rows.length, firstSeq: first, lastSeq: last }
}
