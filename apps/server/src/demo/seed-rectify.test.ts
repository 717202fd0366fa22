import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRectify, listRectify } from '@zhugong/contract/rectify/calls'
import { rectifyMoves } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { stepAt } from '#domains/process/todo'
import { rectifyKind } from '#domains/rectify/kind'
import type { Notice } from '#domains/rectify/notice'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedRectify } from './seed-rectify.ts'
import { seedRectifyPhotos } from './seed-rectify-photos.ts'
import { seedSignatures } from './seed-signatures.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let folder = ''
let hospital = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  hospital = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  await world.database.kysely.transaction().execute((tx) => seedRectify(tx, settled.city, now))
  folder = mkdtempSync(join(tmpdir(), 'zg-rectify-'))
  await seedRectifyPhotos(world.database, settled.city, folder)
  await seedSignatures(world.database, settled.city)
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const rowsOf = async <T>(query: string) => (await sql.raw<T>(query).execute(world.database.kysely)).rows
const states = ['0', '1', '2', '3', '4', '5', '6', '7', '8']

describe('what the demonstration has of rectification', () => {
  test('closed notices carry drawn signatures that hold, running ones wait for some; two proposals of a penalty', async () => {
    const admin = await settled.as('admin')
    const closed = (await admin.call(listRectify, { query: { origin: 'gov', state: '7', size: 100 } })).list
    for (const { id } of closed.slice(0, 10)) {
      const { signatures } = await admin.call(getRectify, { params: { id } })
      const states = new Set(signatures.map((one) => one.state))
      expect(states.has('void') || states.has('waiting'), JSON.stringify(signatures.map((one) => [one.seat, one.state]))).toBe(false)
      expect(signatures.filter((one) => one.state === 'signed').every((one) => one.image)).toBe(true)
    }
    expect(await rowsOf('select state, shown_at is null as hidden from rectify_penalty order by state')).toEqual([
      { state: '0', hidden: true },
      { state: '1', hidden: false },
    ])
    expect(await rowsOf(`select from process_todo where kind = 'rectifyPenalty'`)).toHaveLength(1)
  })

  test('60 notices of authorities, 22 of them open and 6 late; 48 orders of sites, 5 late; the hospital has every state', async () => {
    const admin = await settled.as('admin')
    const read = async (origin: 'gov' | 'site') => (await admin.call(listRectify, { query: { origin, size: 100 } })).list
    const counts = async (origin: 'gov' | 'site') => (await admin.call(listRectify, { query: { origin } })).counts
    expect(await read('gov')).toHaveLength(60)
    expect(await read('site')).toHaveLength(48)
    expect(await counts('gov')).toMatchObject({ running: 22, overdue: 6, late: 2, stops: 2 })
    expect(await counts('site')).toMatchObject({ overdue: 5 })
    expect(
      (await read('gov'))
        .map((one) => one.overdueDays)
        .filter(Boolean)
        .sort(),
    ).toEqual([1, 1, 4, 4, 9, 9])
    for (const origin of ['gov', 'site'])
      expect(
        (
          await rowsOf<{ state: string }>(
            `select distinct state from rectify where origin = '${origin}' and project_code = '${hospital}' order by 1`,
          )
        ).map((one) => one.state),
      ).toEqual(states)
  })

  test('every kind of person finds something to do', async () => {
    const mine = async (account: string) =>
      (await (await settled.as(account)).call(listRectify, { query: { projectCode: '*', tab: 'mine' } })).total
    for (const account of ['hospital-pm', 'hospital-jl', 'hospital-officer', 'yunze-lu', 'bj-zhao', 'yd-wang'])
      expect(await mine(account), account).toBeGreaterThan(0)
  })

  test('numbers run without gaps in the order of issuing, and the counters stand at the last', async () => {
    const codes = await rowsOf<{ head: string; no: number; origin: string }>(
      `select origin, substring(code from '^.*\\D0*(?=\\d+号?$)') as head, (regexp_match(code, '(\\d+)号?$'))[1]::int as no
       from rectify where code is not null order by issue_time, code`,
    )
    for (const [, some] of Map.groupBy(codes, (one) => one.head.replace(/0+$/, '')))
      expect(some.map((one) => one.no)).toEqual(some.map((_, i) => i + 1))
    const counters = await rowsOf<{ last: number }>(`select last from document_number where doc_type = '201'`)
    expect(counters.reduce((sum, one) => sum + one.last, 0)).toBe(codes.filter((one) => one.head.includes('安整')).length)
  })

  test('histories follow the declared moves, lie in the past and end in the state of the notice', async () => {
    interface Logged {
      id: string
      state: string
      version: number
      closeTime: Date | null
      steps: { action: string; from: string | null; to: string; at: string }[]
    }
    const all = await rowsOf<Logged>(
      `select r.id, r.state, r.version, r.close_time, (select json_agg(json_build_object('action', action, 'from', from_state, 'to', to_state, 'at', at) order by at, id)
         from process_log where object_id = r.id) as steps from rectify r`,
    )
    for (const { id, state, version, steps, closeTime } of all) {
      const moves = steps.filter((one) => one.action !== 'create')
      for (const [i, step] of steps.entries()) {
        if (step.action === 'create') continue
        // A receipt that is deemed leads where signing would have led.
        const move = rectifyMoves[(step.action === 'deem' ? 'sign' : step.action) as keyof typeof rectifyMoves]
        expect(move.from, `${id} ${step.action}`).toContain(step.from)
        expect(move.to === null ? [step.from] : [move.to].flat()).toContain(step.to)
        if (i > 0) expect(steps[i - 1]?.to).toBe(step.from)
      }
      expect(steps.at(-1)?.to).toBe(state)
      // Saved drafts count a version and leave no step.
      expect(version).toBeGreaterThanOrEqual(moves.length)
      expect(Date.parse(steps.at(-1)?.at ?? '')).toBeLessThan(now)
      if (closeTime) expect(closeTime.getTime()).toBe(Date.parse(steps.at(-1)?.at ?? ''))
    }
    expect(await rowsOf(`select from rectify where (state in ('7', '8')) <> (close_time is not null)`)).toEqual([])
    expect(
      await rowsOf(
        `select from rectify r where state = '7' and exists (select from rectify_line where rectify_id = r.id and state <> 'passed')`,
      ),
    ).toEqual([])
    expect(await rowsOf(`select from rectify_answer a join rectify r on r.id = a.rectify_id where a.at > r.close_time`)).toEqual([])
    expect(await rowsOf(`select from rectify where deadline < check_date or receive_time > issue_time + interval '24 hours'`)).toEqual([])
  })

  test('to-dos are those the engine would have written', async () => {
    const { rows } = await sql<Notice & { extendAsked: boolean }>`select r.*,
      exists (select from rectify_extension x where x.rectify_id = r.id and x.agreed is null) as extend_asked from rectify r`.execute(
      world.database.kysely,
    )
    const todos = await rowsOf<{
      objectId: string
      turn: string
      title: string
      link: string
      due: string
      step: number
      nextAt: Date | null
      forGroup: string | null
    }>('select * from process_todo')
    for (const row of rows) {
      const wanted = rectifyKind.todos(row)
      const found = todos.filter((one) => one.objectId === row.id)
      expect(found, row.id).toHaveLength(wanted.length)
      for (const due of wanted) {
        const todo = found.find((one) => one.title === due.title)
        expect(todo).toMatchObject({ turn: due.turn, link: due.link, due: due.due, forGroup: due.forGroup ?? null })
        expect(todo?.nextAt?.getTime()).toBe(due.due === null ? undefined : stepAt(due.due, todo?.step ?? 0)?.getTime())
        if (todo?.nextAt) expect(todo.nextAt.getTime()).toBeGreaterThan(now)
      }
    }
  })

  test('a notice of eight problems came back with three; photographs show before and after', async () => {
    const officer = await settled.as('bj-zhao')
    const { list } = await officer.call(listRectify, { query: { projectCode: hospital, origin: 'gov', state: '6' } })
    const file = await officer.call(getRectify, { params: { id: list[0]?.id ?? '' } })
    expect(file.lines.map((line) => line.state).sort()).toEqual(['open', 'open', 'open', 'passed', 'passed', 'passed', 'passed', 'passed'])
    expect(file).toMatchObject({ extendCount: 1, returns: 1, extensions: [{ agreed: true, decidedBy: '吴静' }] })
    expect(file.lines.every((line) => line.photos.length === 1 && line.answers.every((one) => one.photos.length === 1))).toBe(true)
    expect(await rowsOf(`select from rectify_line where photos = '{}'`)).toEqual([])
    const again = await rowsOf<{ n: number }>(`select count(*)::int as n from stored_file where name = '整改前.png'`)
    expect(again).toEqual([{ n: 12 * settled.city.projects.length }])
  })
})
