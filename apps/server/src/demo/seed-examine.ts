import { rounds } from '@zhugong/contract/examine/rhythm'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { examinePatrol } from '#domains/examine/public'
import { sheetOf, standardItems } from '#domains/scoring/standard'
import { formatDay, startOfDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import { examinePlans, halfExamine } from './examine-plan.ts'
import { projectOf } from './seed-checks.ts'
import { type Actor, actorsOf, countersOf, type Rows, type ScoredTrade, submittedRows } from './seed-scoring.ts'
import { inserterOf } from './seed-trade.ts'

const trade: ScoredTrade = { kind: examinePatrol.kind, series: examinePatrol.series, key: 'examine', inBuildings: false }
const hour = 3_600_000

/** The checks that sites hold of themselves, and one that is being held. */
export async function seedExamine(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const actor = (account: string): Actor => {
    const known = actors.get(account)
    if (!known) throw new Error(`nobody is called ${account}`)
    return known
  }
  const drawn = await countersOf(tx)
  const rows = examinePlans
    .toSorted((a, b) => b.age - a.age)
    .map((plan): Rows => {
      const submitted = submittedRows({ city, actor, plan, now, draw: drawn.draw, trade })
      const check = submitted.siteCheck?.[0]
      if (!check) throw new Error('no check was told')
      const { id: checkId, projectCode, shownAt, groups } = check
      const archivedAt = plan.archived ? new Date(now - 24 * hour) : null
      const head = { checkId, projectCode, corpCode: null, shownAt, groups, round: plan.round, corpCodes: [], archivedBy: null, archivedAt }
      return { ...submitted, siteExamine: [{ ...head, archivedBy: archivedAt && actor(plan.by).name }] } as Rows
    })
  const all = [...rows, runningRows(city, actor(halfExamine.by), now)]
  const put = inserterOf(tx, all)
  for (const table of tables) await put(table)
  await drawn.store()
}
const tables = [
  'siteCheck',
  'siteExamine',
  'checkScore',
  'checkCategory',
  'checkSheet',
  'checkResult',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'siteCheckProblem',
  'processLog',
  'processTodo',
] as const

/** A weekly check of today: its first sheets are done without a fault. */
function runningRows(city: City, by: Actor, now: number): Rows {
  const { projectCode } = projectOf(city, halfExamine.site)
  const id = idOf(city.seed, 'examine', 'running')
  const begun = new Date(Math.max(now - 2 * hour, startOfDay(formatDay(now))))
  const disclosed = { projectCode, corpCode: null, shownAt: null, groups: [by.groupId] }
  const isDone = (seq: number) => seq < halfExamine.done
  const none = { score: null, grade: null, reason: null, weakest: null }
  return {
    siteCheck: [
      {
        id,
        kind: trade.kind,
        code: null,
        ...disclosed,
        checkerGroup: by.groupId,
        checkerGroupName: by.groupName,
        checkerId: by.id,
        inspectType: '12',
        checkTime: begun,
        checkers: [by.name],
        part: '全场',
        placeId: null,
        remark: null,
        dangerLevel: null,
        version: 1,
        createBy: by.id,
        createTime: begun,
        updateBy: by.id,
        updateTime: begun,
      },
    ],
    siteExamine: [{ checkId: id, ...disclosed, round: rounds.weekly, archivedAt: null, archivedBy: null }],
    checkScore: [{ checkId: id, ...disclosed, ...none }],
    checkSheet: halfExamine.sheets.map((sheetCode, seq) => ({
      id: idOf(id, 'sheet', sheetCode),
      checkId: id,
      taskId: null,
      ...disclosed,
      seq,
      sheetCode,
      category: sheetOf(sheetCode)?.category ?? sheetCode,
      assignee: null,
      notApplicable: null,
      savedBy: by.name,
      savedAt: begun,
      version: 1,
    })),
    checkResult: halfExamine.sheets.flatMap((sheetCode, at) =>
      standardItems
        .filter((item) => item.sheet === sheetCode)
        .map(({ code, name, maxScore, guarantee }, seq) => ({
          sheetId: idOf(id, 'sheet', sheetCode),
          itemCode: code,
          checkId: id,
          ...disclosed,
          seq,
          itemId: null,
          name,
          maxScore,
          guarantee,
          clause: null,
          rule: null,
          result: isDone(at) ? itemResults.right : itemResults.unchecked,
          note: null,
          reason: null,
        })),
    ),
    processLog: [
      {
        id: idOf(id, 'step', 'create'),
        kind: trade.kind,
        objectId: id,
        ...disclosed,
        action: 'create',
        fromState: null,
        toState: '0',
        byId: by.id,
        byName: by.name,
        groupName: by.groupName,
        opinion: null,
        at: begun,
      },
    ],
  }
}
