import type { Acts } from '@zhugong/contract/kit/endpoint'
import type { Move } from '@zhugong/contract/kit/process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { findScope } from '#domains/access/public'
import { adviceKind } from '#domains/advice/kind'
import { gangKind, managerKind } from '#domains/briefings/kind'
import { securityKind } from '#domains/checks/patrol-kind'
import { civilKind } from '#domains/civil/patrol'
import { dayCheckKind } from '#domains/daychecks/kind'
import { constructionKind, safetyLogKind } from '#domains/daylogs/kind'
import { driverKind } from '#domains/drivers/kind'
import { examineKind } from '#domains/examine/kind'
import { fireKind } from '#domains/fire/kind'
import { hazardKind } from '#domains/hazards/hazard-kind'
import { permitKind } from '#domains/hazards/permit-kind'
import { houseKind } from '#domains/houses/kind'
import { machineKind } from '#domains/machines/kind'
import { materialKind } from '#domains/materials/kind'
import { measureKind } from '#domains/measures/kind'
import { taskKind } from '#domains/measuring/kind'
import { badKind } from '#domains/misconduct/kind'
import { planKind } from '#domains/plans/kind'
import { improvementKind } from '#domains/quality/improvement-kind'
import { qualityKind } from '#domains/quality/patrol'
import { rectifyKind } from '#domains/rectify/kind'
import { scheduleKind } from '#domains/schedule/kind'
import { inspectionKind } from '#domains/scoring/kind'
import { sheetKind } from '#domains/sheets/kind'
import { spotKind } from '#domains/spotchecks/kind'
import { stepKind } from '#domains/steps/kind'
import { stopKind } from '#domains/stops/kind'
import { campaignKind as themeCampaignKind, themeKind } from '#domains/themes/kind'
import { workKind } from '#domains/works/kind'
import { actingScope } from '#kit/acts'
import { groupTypes } from '#kit/context'
import { enterScope, type Scope } from '#kit/db'
import { openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import type { World } from '../world.ts'
import { cloneRow, oneRow } from './clone-row.ts'
import { type SiteOfParts, siteOfParts } from './site.ts'
import { type Concern, mayChange, type Part, parts } from './table.ts'

/**
 * What row-level security alone lets each part of a site write when it takes an action on a record: the record, its history and its to-do.
 * Plain SQL under the role and settings of the request; no handler takes part. Whether the caller's code, the state and the turn allow the
 * action is tested by call in the test of each kind.
 */
const kinds = [
  rectifyKind,
  stopKind,
  securityKind,
  qualityKind,
  civilKind,
  improvementKind,
  measureKind,
  taskKind,
  houseKind,
  inspectionKind,
  adviceKind,
  sheetKind,
  workKind,
  machineKind,
  dayCheckKind,
  planKind,
  badKind,
  materialKind,
  stepKind,
  spotKind,
  safetyLogKind,
  constructionKind,
  examineKind,
  themeKind,
  themeCampaignKind,
  scheduleKind,
  gangKind,
  managerKind,
  hazardKind,
  permitKind,
  driverKind,
  fireKind,
]

/** The practice of the trade for each word of `acts` in the moves; `aside` names no part in the project. */
const concerns: Partial<Record<Acts, Concern>> = { site: 'site', review: 'review', supervisor: 'supervision', own: 'people' }

interface Tried {
  kind: string
  table: string
  action: string
  acts: Acts
}
const tried: readonly Tried[] = kinds.flatMap((kind) =>
  Object.entries(kind.moves as Record<string, Move>).map(([action, { acts }]) => ({
    kind: kind.kind,
    table: snake(kind.table),
    action,
    acts,
  })),
)
/** The actions that a part in the project allows. */
const inProject = tried.filter(({ acts }) => acts !== 'aside')

let world: World
let made: SiteOfParts
const scopes = {} as Record<Part, Scope>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { scopeChecks: false }, { keepsChanges: false })
  const settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
  made = await siteOfParts(world, settled)
  for (const part of parts) {
    const { userId, groupId } = await oneRow<{ userId: string; groupId: string }>(
      world.database.pool,
      'select m.user_id as "userId", m.group_id as "groupId" from member m join app_user u on u.id = m.user_id where u.account = $1',
      [`part.${part}.0`],
    )
    const { corpCode } = made.company[part]
    const group = { id: groupId, type: groupTypes.corporation, code: corpCode, name: part, areaCode: null }
    scopes[part] = await findScope(world.database.kysely, group, userId)
  }
  // A site has one schedule; here each company gets one of its own, to see who may change whose.
  await world.database.pool.query('drop index schedule_project')
  // A person is registered once for a type of machine; here every company has one.
  await world.database.pool.query('drop index machine_driver_once')
  for (const table of new Set(inProject.map((one) => one.table))) await ownRows(table)
}, 180_000)
afterAll(() => world.close())

test('every action of every kind is tried', () => {
  expect(tried.length).toBeGreaterThan(40)
  const strange = inProject.filter(({ acts }) => !concerns[acts])
  expect(strange, 'say in `concerns` what the practice of the trade is').toEqual([])
})

describe.each(parts)('%s by SQL', (part) => {
  test.each(inProject)('$kind $action', async ({ table, kind, acts }) => {
    for (const whose of [part, otherThan(part)]) {
      const line = mayChange[concerns[acts] as Concern][part]
      const expected = line === 'yes' || (line === 'own' && whose === part) ? 1 : 0
      const changed = await world.database.kysely
        .transaction()
        .execute(async (tx) => {
          await enterScope(tx, actingScope(scopes[part], acts))
          const id = rowIdOf(table, whose)
          const { numAffectedRows: rows = 0n } = await sql`update ${sql.table(table)} set version = version + 1 where id = ${id}`.execute(
            tx,
          )
          const { numAffectedRows: todos = 0n } = await sql`delete from process_todo where object_id = ${id}`.execute(tx)
          const log = await canInsert(tx, kind, id, made.company[whose].corpCode)
          throw new Found([Number(rows), Number(todos), log])
        })
        .catch((error: unknown) => {
          if (error instanceof Found) return error.changed
          throw error
        })
      expect(changed, `${whose === part ? 'its own' : 'another’s'} record, to-do and history`).toEqual([expected, expected, expected])
    }
  })
})

/** Carries the result out of the transaction that it rolls back. */
class Found extends Error {
  readonly changed: readonly number[]
  constructor(changed: readonly number[]) {
    super('found')
    this.changed = changed
  }
}

/** 1 when a line of history may be written; the savepoint keeps the transaction usable. */
async function canInsert(tx: World['database']['kysely'], kind: string, id: string, corpCode: string): Promise<number> {
  await sql`savepoint history`.execute(tx)
  try {
    await sql`insert into process_log (id, kind, object_id, project_code, corp_code, shown_at, groups, action, to_state, by_id, by_name, group_name, at)
      values (md5(random()::text), ${kind}, ${id}, ${made.site.projectCode}, ${corpCode}, now(), '{}', 'x', '1', 'x', 'x', 'x', now())`.execute(
      tx,
    )
    return 1
  } catch (error) {
    if ((error as { code?: string }).code !== refusedByPolicy) throw error
    await sql`rollback to savepoint history`.execute(tx)
    return 0
  }
}
/** SQLSTATE insufficient_privilege: the row violates a policy. */
const refusedByPolicy = '42501'

const rowIdOf = (table: string, part: Part) => `${table} of ${part}`
const otherThan = (part: Part): Part => (part === 'subcontractor' ? 'leader' : 'subcontractor')
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
}

/** 未通过 or 已复查: the database knows of no limit on the number of finished records. */
const finished = '5'

/** What a copied row needs beyond that, by its table. */
const constrained: Readonly<Record<string, (id: string, n: number) => Record<string, unknown>>> = {
  bigproject: (id) => ({ code: id }),
  // A machine stands on one site.
  machine_stay: () => ({ state: '9' }),
  // Numbers are unique on a site.
  measure_task: (id) => ({ task_no: id }),
  house: (id) => ({ external_no: id }),
  spot_check: () => ({ sample_no: null }),
  // A step of a place is accepted once, unless it is a sample.
  site_step: () => ({ kind: '1' }),
  // A site has one safety log a day.
  day_log: (_id, n) => ({ day: `2020-01-0${n + 1}` }),
  // A project has one plan a year.
  check_plan: (_id, n) => ({ year: 2100 + n }),
}

/** A disclosed record of each company on the site, with a to-do. */
async function ownRows(table: string): Promise<void> {
  const { pool } = world.database
  const { projectCode } = made.site
  const like = await oneRow<{ id: string }>(pool, `select id from ${table} order by project_code = $1 desc nulls last, id`, [projectCode])
  for (const [n, part] of parts.entries()) {
    const id = rowIdOf(table, part)
    const { corpCode } = made.company[part]
    const disclosed = { project_code: projectCode, corp_code: corpCode, shown_at: new Date(), groups: [], code: null, state: finished }
    // A daily check is kept beside what every check has.
    if (table === 'day_check') await cloneRow(pool, 'site_check', like.id, { id, ...disclosed })
    await cloneRow(pool, table, like.id, { id, ...disclosed, ...constrained[table]?.(id, n) })
    await pool.query(
      `insert into process_todo (id, kind, object_id, project_code, corp_code, shown_at, groups, turn, codes, title, link, since)
       values (md5($1 || ' todo'), 'x', $1, $2, $3, now(), '{}', 'responsible', '{}', '样例', '/', now())`,
      [id, projectCode, corpCode],
    )
  }
}
