import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Acts } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Move } from '@zhugong/contract/kit/process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { findScope } from '#domains/access/public'
import { type Kind, offersFor, type Stated, take } from '#domains/process/public'
import { actingScope } from '#kit/acts'
import { withRightsOf } from '#kit/background'
import { systemClock } from '#kit/clock'
import { type Context, type Group, groupTypes } from '#kit/context'
import { enterScope, type Scope } from '#kit/db'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import type { World } from '../world.ts'
import { cloneRow, oneRow } from './clone-row.ts'
import { elsewhere, kinds } from './kinds.ts'
import { type SiteOfParts, siteOfParts } from './site.ts'
import { type Concern, mayChange, type Part, parts } from './table.ts'

/**
 * What row-level security alone lets each part of a site write when it takes an action on a record: the record, its history and its to-do.
 * Plain SQL under the role and settings of the request; no handler takes part. Below, the executor is asked the same by call.
 */
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
const groups = {} as Record<Part, Group>

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
    groups[part] = group
    scopes[part] = await findScope(world.database.kysely, group, userId)
  }
  // A site has one schedule; here each company gets one of its own, to see who may change whose.
  await world.database.pool.query('drop index schedule_project')
  // A person is registered once for a type of machine; here every company has one.
  await world.database.pool.query('drop index machine_driver_once')
  // A project has one running application of a type, and a machine stands on one site: here actions are taken beside those that are there.
  await world.database.pool.query('drop index stopapply_running; drop index machine_stay_open')
  const own = new Map(inProject.map(({ kind, table }) => [kind, table]))
  for (const [kind, table] of own) await ownRows(kind, table)
}, 180_000)
afterAll(() => world.close())

test('every action of every kind is tried', () => {
  expect(tried.length).toBeGreaterThan(40)
  const strange = inProject.filter(({ acts }) => !concerns[acts])
  expect(strange, 'say in `concerns` what the practice of the trade is').toEqual([])
})

test('every kind of the record engine is tried, or it is said why not', () => {
  const domains = join(import.meta.dirname, '../../src/domains')
  const sources = readdirSync(domains, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('process/'))
    .map((file) => readFileSync(join(domains, file), 'utf8'))
  // Kinds that a function makes (checks, logs, briefings) are not found by their text.
  const declared = sources
    .filter((text) => /\bKind</.test(text))
    .flatMap((text) => [...text.matchAll(/^ {2}kind: '(\w+)',$/gm)].map(([, kind = '']) => kind))
  expect(declared.length).toBeGreaterThan(15)
  const known = new Set([...kinds.map((one) => one.kind), ...Object.keys(elsewhere)])
  expect(
    declared.filter((kind) => !known.has(kind)),
    'add it to `kinds`, or say in `elsewhere` why not',
  ).toEqual([])
})

describe.each(parts)('%s by SQL', (part) => {
  test.each(inProject)('$kind $action', async ({ table, kind, acts }) => {
    for (const whose of [part, otherThan(part)]) {
      const expected = mayChangeBy(acts, part, whose) ? 1 : 0
      const changed = await world.database.kysely
        .transaction()
        .execute(async (tx) => {
          await enterScope(tx, actingScope(scopes[part], acts))
          const id = rowIdOf(kind, whose)
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

/**
 * The executor over every kind x state x action x part x code: what it offers is what the table, the code, the turn and the hindrance of the
 * kind allow, and nothing else. What is offered is then taken: the state that the move declares, one more version, a line of history and the
 * to-dos of the kind. What is not offered is refused and writes nothing.
 */
describe.each(parts)('%s by call', (part) => {
  test.each(kinds)('$kind', async (kind) => {
    for (const whose of [part, otherThan(part)]) for (const able of [true, false]) await tryEvery(kind as AnyKind, part, whose, able)
  })
})

type AnyKind = Kind<Stated, Readonly<Record<string, Move>>>

function mayChangeBy(acts: Acts, part: Part, whose: Part): boolean {
  const line = mayChange[concerns[acts] as Concern][part]
  return line === 'yes' || (line === 'own' && whose === part)
}

async function tryEvery(kind: AnyKind, part: Part, whose: Part, able: boolean): Promise<void> {
  const moves = Object.entries(kind.moves)
  const states = [...new Set(moves.flatMap(([, { from, to }]) => [...from, ...(to === null ? [] : [to].flat())]))]
  const id = rowIdOf(kind.kind, whose)
  for (const [action, move] of moves)
    for (const state of states) {
      const about = `${kind.kind} ${action} in ${state}, ${whose === part ? 'its own' : 'another’s'}, ${able ? 'with' : 'without'} the code`
      const found = await inRequest(part, able ? [move.needs].flat() : [], move.acts, async (ctx) => {
        const row = await kind.lock(ctx, id).catch(() => undefined)
        if (!row) return { seen: false, offered: false, expected: false, wrote: undefined }
        // The row as it would be in that state; only the first reading of an action sees it.
        const here = { ...row, state }
        let first = true
        const staged: AnyKind = {
          ...kind,
          lock: async (...given) => {
            const now = await kind.lock(...given)
            const as = first ? here : now
            first = false
            return as
          },
        }
        const byPart = move.acts === 'aside' || mayChangeBy(move.acts, part, whose)
        const byTurn = kind.turns[move.turn]?.(ctx, here) === true && kind.hinder(ctx, here, action) === undefined
        const expected = able && move.from.includes(state) && byPart && byTurn
        const offered = offersFor(ctx, kind, here).some((one) => one.action === action)
        const wrote = await taken(ctx, staged, here, action)
        return { seen: true, offered, expected, wrote }
      })
      expect(found.offered, about).toBe(found.expected)
      // Whoever may change the record by the practice of the trade has it.
      if (move.acts !== 'aside') expect(found.seen, about).toBe(mayChangeBy(move.acts, part, whose))
      if (!found.wrote) continue
      const to = move.to === null ? state : [move.to].flat()[0]
      expect(found.wrote, about).toEqual(
        found.expected
          ? { refused: undefined, state: to, versions: 1, history: move.unlogged ? 0 : 1 }
          : { refused: found.wrote.refused, state: undefined, versions: 0, history: 0 },
      )
      if (!found.expected) expect(found.wrote.refused, about).toMatch(/^(refused|forbidden): ./)
    }
}

interface Wrote {
  refused: string | undefined
  state: string | undefined
  versions: number
  history: number
}
/** Takes the action and tells what it wrote. */
async function taken(ctx: Context, kind: AnyKind, row: Stated, action: string): Promise<Wrote> {
  const written = async () => {
    const { rows } = await sql<{ version: number; history: number }>`select version,
        (select count(*)::int from process_log where kind = ${kind.kind} and object_id = ${row.id}) as history
      from ${sql.table(snake(kind.table))} where id = ${row.id}`.execute(ctx.db)
    return rows[0] ?? { version: row.version, history: 0 }
  }
  const before = await written()
  try {
    const after = await take(ctx, kind, { id: row.id, action, version: row.version }, async () => ({}))
    const now = await written()
    return { refused: undefined, state: after.state, versions: now.version - before.version, history: now.history - before.history }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const now = await written()
    return {
      refused: `${error.kind}: ${error.message}`,
      state: undefined,
      versions: now.version - before.version,
      history: now.history - before.history,
    }
  }
}

/** Runs `work` as a request of the part with exactly these codes, and rolls it back. */
async function inRequest<T>(part: Part, codes: readonly string[], acts: Acts, work: (ctx: Context) => Promise<T>): Promise<T> {
  const scope = scopes[part]
  const group = groups[part]
  const user = { id: scope.userId, account: part, name: part, mustChangePassword: false }
  const principal = { sessionHash: '', user, group, codes: new Set(codes), bounds: new Map(), scope, projectCode: '*' }
  const deps = {
    db: world.database.kysely,
    clock: systemClock,
    secrets: createSecrets(world.config.secretKey),
    log: createLog('moves', 'warn'),
  }
  let found: { value: T } | undefined
  await withRightsOf(
    deps,
    principal,
    async (ctx) => {
      found = { value: await work(ctx) }
      throw new RolledBack()
    },
    actingScope(scope, acts),
  ).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error
  })
  if (!found) throw new Error('the request has not run')
  return found.value
}
class RolledBack extends Error {}

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

const rowIdOf = (kind: string, part: Part) => `${kind} of ${part}`
const otherThan = (part: Part): Part => (part === 'subcontractor' ? 'leader' : 'subcontractor')
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
}

/** 未通过 or 已复查: the database knows of no limit on the number of finished records. */
const finished = '5'

/** What a copied row needs beyond that, by its table. */
const constrained: Readonly<Record<string, (id: string, n: number) => Record<string, unknown>>> = {
  bigproject: (id) => ({ code: id }),
  // Dropped: a notice has one proposal that is not.
  rectify_penalty: () => ({ state: '2', drop_reason: '样例' }),
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

/** Tables in which a kind keeps what its record says beside that of every check. */
const besides: Readonly<Record<string, readonly string[]>> = { dust: ['dust_check'] }

/** A disclosed record of each company on the site, with a to-do. */
async function ownRows(kind: string, table: string): Promise<void> {
  const { pool } = world.database
  const { projectCode } = made.site
  // Several kinds of checks and of logs share a table.
  const like = await oneRow<{ id: string }>(
    pool,
    `select t.id from ${table} t order by coalesce(to_jsonb(t)->>'kind', $2) = $2 desc, project_code = $1 desc nulls last, id`,
    [projectCode, kind],
  )
  for (const [n, part] of parts.entries()) {
    const id = rowIdOf(kind, part)
    const { corpCode } = made.company[part]
    const ofKind = table === 'briefing' ? { type: kind } : {}
    const disclosed = {
      project_code: projectCode,
      corp_code: corpCode,
      shown_at: new Date(),
      groups: [],
      code: null,
      state: finished,
      ...ofKind,
    }
    // A daily check is kept beside what every check has.
    if (table === 'day_check') await cloneRow(pool, 'site_check', like.id, { id, ...disclosed })
    await cloneRow(pool, table, like.id, { id, ...disclosed, ...constrained[table]?.(id, n) })
    for (const beside of besides[kind] ?? []) await cloneRow(pool, beside, like.id, { check_id: id, ...disclosed }, 'check_id')
    await pool.query(
      `insert into process_todo (id, kind, object_id, project_code, corp_code, shown_at, groups, turn, codes, title, link, since)
       values (md5($1 || ' todo'), 'x', $1, $2, $3, now(), '{}', 'responsible', '{}', '样例', '/', now())`,
      [id, projectCode, corpCode],
    )
  }
}
