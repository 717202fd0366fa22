import * as daysCalls from '@zhugong/contract/attendance/days'
import { keyPosts } from '@zhugong/contract/attendance/facts'
import * as fixes from '@zhugong/contract/attendance/fix-endpoints'
import * as ledgerCalls from '@zhugong/contract/attendance/ledger'
import * as monthsCalls from '@zhugong/contract/attendance/months'
import * as presenceCalls from '@zhugong/contract/attendance/presence'
import * as recordsCalls from '@zhugong/contract/attendance/records'
import type { RehearseOutput } from '@zhugong/contract/attendance/rehearsal'
import * as settingCalls from '@zhugong/contract/attendance/setting'
import * as statsCalls from '@zhugong/contract/attendance/stats'
import './tables.ts'
import { type Context, oneProject, projectsFor } from '#kit/context'
import { declared } from '#kit/declared-keys'
import { offThread } from '#kit/off-thread/off-thread'
import type { HandlerOf, Serve } from '#kit/serve'
import { workbook } from '../exports/public.ts'
import { accountOf } from './day-account.ts'
import { countsOf, dailyPage, runningDay } from './day-list.ts'
import { thresholdOf } from './engine/key-post.ts'
import { versionOn } from './engine/work-day.ts'
import { dailyExport } from './export-lists.ts'
import { findVersions } from './facts-store.ts'
import { decideFix } from './fix-deciding.ts'
import { fixDetail } from './fix-detail.ts'
import { askFix } from './fix-request.ts'
import { fixPage } from './fix-rows.ts'
import { proofOf, rootsPage, verifyAnswer } from './ledger-views.ts'
import { monthOf, turnMonth } from './month-closing.ts'
import { findSheet, sheetSums } from './months.ts'
import { overviewOf } from './overview.ts'
import { personalPage } from './personal.ts'
import { recomputeDirty } from './recompute.ts'
import { countRecords, evaluatePerson, findRecords, recordFigures, toRecord } from './records.ts'
import { saveVersion, settingOf, tryOut } from './settings.ts'
import { statsByDay, statsByHour, statsByWorkType, statsPeople, statsRank } from './stats.ts'
import { listOfType, totalsOfType } from './type-totals.ts'
import { monthWorkbook } from './workbooks.ts'

/** Time limit; a year of one person takes a tenth of a second. */
const rehearsalMs = 10_000

/** The projects of a query: the one it names, the one of the header, or the whole scope. */
const projectsOf = (ctx: Context, requested: string | undefined) =>
  projectsFor(ctx, requested && requested !== '*' ? requested : ctx.projectCode)
const named = (ctx: Context, requested: string | undefined) =>
  requested && requested !== '*' ? requested : ctx.projectCode === '*' ? undefined : ctx.projectCode

export function attendanceRoutes(serve: Serve) {
  serve(daysCalls.listDaily, async ({ query }, ctx) =>
    dailyPage(ctx, { ...query, projectCode: named(ctx, query.projectCode) }, projectsOf(ctx, query.projectCode)),
  )
  serve(daysCalls.dailyCounts, async ({ query }, ctx) =>
    countsOf(ctx, named(ctx, query.projectCode), query.date, projectsOf(ctx, query.projectCode)),
  )
  serve(daysCalls.exportDaily, ({ query }, ctx) => workbook(ctx, dailyExport, { ...query, projectCode: named(ctx, query.projectCode) }))
  serve(daysCalls.personalDays, async ({ query }, ctx) => personalPage(ctx, query, projectsOf(ctx, query.projectCode)))
  serve(recordsCalls.listRecords, listRecords)
  serve(recordsCalls.recordCounts, async ({ query }, ctx) => recordFigures(ctx, query, projectsOf(ctx, query.projectCode)))
  serve(daysCalls.dayAccount, async ({ query }, ctx) => accountOf(ctx, oneProject(ctx, query.projectCode), query.workerId, query.date))
  serve(monthsCalls.listMonthly, listMonthly)
  serve(monthsCalls.exportMonthly, ({ query: { annex, ...query } }, ctx) =>
    monthWorkbook(
      ctx,
      { ...query, projectCode: named(ctx, query.projectCode) },
      annex ? { projects: projectsOf(ctx, query.projectCode) } : undefined,
    ),
  )
  serve(settingCalls.getSetting, async ({ query }, ctx) => settingOf(ctx, oneProject(ctx, query.projectCode), query.version))
  serve(settingCalls.saveSetting, saveSetting)
  serve(settingCalls.trySetting, async ({ body }, ctx) => tryOut(ctx, oneProject(ctx, body.projectCode), body))
  serve(settingCalls.rehearseDays, rehearseDays)
  serve(presenceCalls.realtimeOverview, async ({ query }, ctx) =>
    overviewOf(ctx, named(ctx, query.projectCode), projectsOf(ctx, query.projectCode)),
  )
  for (const scope of statsCalls.statsScopes) {
    const calls = statsCalls.statsByScope[scope]
    serve(calls.byHour, async ({ query }, ctx) => statsByHour(ctx, scope, query, projectsOf(ctx, query.projectCode)))
    serve(calls.byWorkType, async ({ query }, ctx) => statsByWorkType(ctx, scope, query, projectsOf(ctx, query.projectCode)))
    serve(calls.byDay, async ({ query }, ctx) => statsByDay(ctx, scope, query, projectsOf(ctx, query.projectCode)))
    serve(calls.rank, async ({ query }, ctx) => statsRank(ctx, scope, query, projectsOf(ctx, query.projectCode)))
    serve(calls.queryperson, async ({ query }, ctx) => statsPeople(ctx, scope, query, projectsOf(ctx, query.projectCode)))
  }
  serve(statsCalls.statsTotals, async ({ params, query }, ctx) =>
    totalsOfType(ctx, params.type, query, projectsOf(ctx, query.projectCode), Object.keys(keyPosts)),
  )
  serve(statsCalls.statsList, statsList)
  serve(fixes.listFixes, async ({ query }, ctx) => fixPage(ctx, query))
  serve(fixes.getFix, (input, ctx) => fixDetail(ctx, input))
  serve(fixes.createFix, (input, ctx) => askFix(ctx, input))
  serve(fixes.actOnFix, (input, ctx) => decideFix(ctx, input))
  serve(fixes.getMonth, async ({ query }, ctx) => monthOf(ctx, oneProject(ctx, query.projectCode), query.month))
  serve(fixes.actOnMonth, (input, ctx) => turnMonth(ctx, input))
  serve(ledgerCalls.verifyLedger, async ({ query }, ctx) => verifyAnswer(ctx, oneProject(ctx, query.projectCode), query.from, query.to))
  serve(ledgerCalls.ledgerRoots, async ({ query }, ctx) => rootsPage(ctx, oneProject(ctx, query.projectCode), query))
  serve(ledgerCalls.ledgerProof, ledgerProof)
}

const listRecords: HandlerOf<typeof recordsCalls.listRecords> = async ({ query }, ctx) => {
  const projects = projectsOf(ctx, query.projectCode)
  const rows = await findRecords(ctx, query, projects)
  const traces = await tracesOf(ctx, query, projects)
  return { list: rows.map((r) => toRecord(ctx, r, traces.get(r.id))), total: await countRecords(ctx, query, projects) }
}

const listMonthly: HandlerOf<typeof monthsCalls.listMonthly> = async ({ query }, ctx) => {
  const request = { ...query, projectCode: named(ctx, query.projectCode) }
  const projects = projectsOf(ctx, query.projectCode)
  const { rows, total } = await findSheet(ctx, request, projects)
  return { list: rows, total, ...(await sheetSums(ctx, request, projects)) }
}

const saveSetting: HandlerOf<typeof settingCalls.saveSetting> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const saved = await saveVersion(ctx, projectCode, body)
  ctx.afterCommit(async () => {
    await recomputeDirty(ctx.system, ctx.clock)
  })
  return saved
}

const rehearseDays: HandlerOf<typeof settingCalls.rehearseDays> = ({ body }, ctx) =>
  offThread.run<RehearseOutput>(new URL('./rehearse-thread.ts', import.meta.url), body, {
    group: ctx.group.id,
    signal: ctx.gone,
    timeLimitMs: rehearsalMs,
    tooLong: '试算时间过长，请缩短日期范围或减少记录',
  })

const statsList: HandlerOf<typeof statsCalls.statsList> = async ({ params, query }, ctx) => {
  const one = named(ctx, query.projectCode)
  const rate = one ? versionOn(await findVersions(ctx.db, one), await runningDay(ctx, one)).setting.keyPostRate : 80
  return listOfType(
    ctx,
    params.type,
    query,
    projectsOf(ctx, query.projectCode),
    Object.keys(keyPosts),
    (post) => thresholdOf(post, rate) ?? rate,
  )
}

const ledgerProof: HandlerOf<typeof ledgerCalls.ledgerProof> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const proof = await proofOf(ctx, projectCode, query.workerId, query.from, query.to)
  const days = await personalPage(ctx, { workerId: query.workerId, startDate: query.from, endDate: query.to, page: 1, size: 1000 }, [
    projectCode,
  ])
  return declared(ledgerCalls.ledgerProof, { ...proof, days: days.list })
}

/** For a query of one person's day, the status of each record. */
async function tracesOf(
  ctx: Context,
  query: { workerId?: string | undefined; date?: { from?: string | undefined; to?: string | undefined } | undefined },
  projects: readonly string[] | undefined,
) {
  const { workerId, date } = query
  const day = date?.from?.slice(0, 10)
  if (!workerId || !day || projects?.length !== 1 || (date?.to && date.to.slice(0, 10) !== day)) return new Map()
  const found = await evaluatePerson(ctx, projects[0] ?? '', workerId, day)
  return new Map((found?.evaluation.traced ?? []).map((t) => [t.event.id, t]))
}
