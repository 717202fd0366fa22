import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { idCardCheckCharacter, passesLuhn } from '@zhugong/contract/kit/checks'
import { workerDossier } from '@zhugong/contract/personnel/dossier'
import { listStays, listWorkers } from '@zhugong/contract/personnel/people'
import { trainCard } from '@zhugong/contract/personnel/training'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { runExport } from '../../src/domains/exports/run-export.ts'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { newcomer, type Site, siteOf } from '../givens.ts'
import type { Caller, World } from '../world.ts'
import { inParallel, sizeOf } from './size.ts'

/** Identity and card numbers of people are never stored or logged in clear text. `PLANTED_PEOPLE=1000` for the full size. */
const people = sizeOf('PLANTED_PEOPLE', 60)

interface Person {
  name: string
  idCardNumber: string
  cellPhone: string
  urgentLinkManPhone: string
  card: string
}

const lines: string[] = []
let world: World
let settled: CityWorld
let clerk: Caller
let site: Site
let planted: Map<string, string>
let everybody: Person[]

const padded = (n: number, length: number) => String(n).padStart(length, '0')
function invent(i: number): Person {
  const birthday = `19${70 + (i % 30)}${padded((Math.floor(i / 30) % 12) + 1, 2)}${padded((Math.floor(i / 360) % 28) + 1, 2)}`
  const front = `420115${birthday}731`
  const card = `6217007311${padded(i, 8)}`
  const digit = [...'0123456789'].find((one) => passesLuhn(`${card}${one}`)) ?? ''
  const letters = [...'甲乙丙丁戊己庚辛壬癸']
  const name = `钱${[...padded(i, 4)].map((n) => letters[Number(n)]).join('')}`
  return {
    name,
    idCardNumber: front + idCardCheckCharacter(front),
    cellPhone: `1377310${padded(i, 4)}`,
    urgentLinkManPhone: `1387310${padded(i, 4)}`,
    card: `${card}${digit}`,
  }
}

beforeAll(async () => {
  const log = createLog('planted', 'trace', { write: (line) => void lines.push(line) })
  world = await openCity(inject('postgresUrl'), { log })
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
  everybody = Array.from({ length: people }, (_, i) => invent(i))
  planted = new Map(
    everybody.flatMap((p) => [
      [p.idCardNumber, '证件号'],
      [p.cellPhone, '手机号'],
      [p.urgentLinkManPhone, '紧急联系人电话'],
      [p.card, '银行卡号'],
    ]),
  )
  const stay = newcomer(site).stay
  const bodyOf = (p: Person) => ({
    ...newcomer(site),
    name: p.name,
    idCardNumber: p.idCardNumber,
    cellPhone: p.cellPhone,
    urgentLinkMan: '家人',
    urgentLinkManPhone: p.urgentLinkManPhone,
    stay: { ...stay, payRollBankCardNumber: p.card, payRollBankCode: '102', payRollBankName: '工商银行江城支行' },
  })
  await inParallel(people, 4, async (i) => {
    const person = everybody[i] as Person
    await clerk.call(registerWorker, { body: bodyOf(person) as never })
    // Refused requests must not leak the numbers into the log either.
    if (i % 5 === 0) {
      await clerk.ask(registerWorker, { body: bodyOf(person) as never })
      await clerk.ask(registerWorker, { body: { ...bodyOf(person), name: '', gender: [person.idCardNumber], stay: person.card } as never })
      await clerk.ask(listStays, { query: { view: 'project', projectCode: site.projectCode, idCardNumber: person.idCardNumber } as never })
    }
  })
}, 600_000)
afterAll(() => world.close())

/** Planted numbers found in a text, in clear or as hexadecimal bytes of a column. */
function foundIn(text: string): string[] {
  const bytes = text.replace(/\\x((?:[0-9a-f]{2})+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))
  const hits = [text, bytes].flatMap((one) =>
    (one.match(/\d{11,}X?/g) ?? []).flatMap((run) => {
      const inRun: string[] = []
      for (let at = 0; at + 11 <= run.length; at++)
        for (const length of [11, 18, 19]) {
          const part = run.slice(at, at + length)
          if (planted.has(part)) inRun.push(`${planted.get(part)} ${part}`)
        }
      return inRun
    }),
  )
  return [...new Set(hits)]
}

test('what is looked for would be found', () => {
  const [first] = everybody
  expect(foundIn(`(1,"${first?.idCardNumber}")`)).toHaveLength(1)
  expect(foundIn(`\\x${Buffer.from(first?.cellPhone ?? '').toString('hex')}`)).toHaveLength(1)
  expect(foundIn(`9${first?.card}9`).length).toBeGreaterThan(0)
})

test('in no row of any table', async () => {
  const { pool } = world.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  let rows = 0
  const found: string[] = []
  for (const { name } of tables) {
    const { rows: texts } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`)
    rows += texts.length
    for (const { text } of texts) found.push(...foundIn(text).map((hit) => `${name}: ${hit}`))
  }
  console.log(`${planted.size} numbers of ${people} people looked for in ${rows} rows of ${tables.length} tables: ${found.length} found`)
  expect(tables.length).toBeGreaterThan(50)
  expect(found.slice(0, 10)).toEqual([])
  const { rows: kept } = await pool.query<{ n: number }>(
    `select count(*)::int as n from worker where name like '钱%' and length(id_card_number) > 20`,
  )
  expect(kept[0]?.n, 'they are there, sealed').toBeGreaterThanOrEqual(people)
})

test('in no line of the log', () => {
  expect(lines.flatMap(foundIn)).toEqual([])
})

test('in no list and no workbook, unless whoever exports may have them in clear and says what for', async () => {
  const listed: string[] = []
  for (let page = 1, seen = 0; seen < people; page++) {
    const answer = await clerk.call(listStays, {
      query: { view: 'project', projectCode: site.projectCode, name: '钱', page, size: 100 } as never,
    })
    if (answer.list.length === 0) throw new Error(`only ${seen} of ${people} are listed`)
    seen += answer.list.length
    listed.push(...foundIn(JSON.stringify(answer)))
  }
  // Certificates, expiries, entries and exits, training: other views of the same people.
  for (const view of ['file', 'roster', 'cert', 'certAlarm', 'flow', 'train']) {
    const query = { view, projectCode: site.projectCode, name: '钱', size: 1000 }
    const answer = await clerk.call(listWorkers, { query: query as never })
    listed.push(...foundIn(JSON.stringify(answer)).map((hit) => `${view}: ${hit}`))
  }
  const { list: some } = await clerk.call(listStays, { query: { view: 'project', name: '钱', size: 20 } })
  for (const { workerId } of some) {
    const sheets = [
      await clerk.call(workerDossier, { params: { id: workerId } }),
      await clerk.call(trainCard, { params: { id: workerId } }),
    ]
    listed.push(...foundIn(JSON.stringify(sheets)).map((hit) => `sheet: ${hit}`))
  }
  expect(listed).toEqual([])
  expect(await workbook(clerk, {})).toEqual([])
  const manager = await settled.as('hospital-pm')
  expect(await workbook(manager, {})).toEqual([])
  expect(await workbook(clerk, { sensitive: true, purpose: '核对工资卡' }), 'the clerk has no right to it').toBe('refused')
  const clear = await workbook(manager, { sensitive: true, purpose: '核对工资卡' })
  expect(clear.length).toBeGreaterThanOrEqual(people)
  const { rows } = await world.database.pool.query<{ n: number }>(
    `select count(*)::int as n from audit_log where summary like '%未脱敏，用途：核对工资卡%' and result = 'ok'`,
  )
  expect(rows[0]?.n).toBe(1)
})

/** Planted numbers found in a workbook of everybody on the site. */
async function workbook(who: Caller, more: { sensitive?: boolean; purpose?: string }): Promise<string[] | 'refused'> {
  const answer = await who.ask(submitExport, {
    body: { feature: 'projectWorker', query: { view: 'project', projectCode: site.projectCode }, ...more } as never,
  })
  if (answer.status !== 0) return 'refused'
  const folder = mkdtempSync(join(tmpdir(), 'zg-planted-'))
  const { config, database } = world
  const secrets = createSecrets(config.secretKey)
  await runExport(
    { database, clock: systemClock, secrets, log: createLog('planted', 'trace', { write: (line) => void lines.push(line) }), folder },
    answer.data.id,
  )
  const text = JSON.stringify(await readXlsx(readFileSync(join(folder, `${answer.data.id}.xlsx`))))
  rmSync(folder, { recursive: true })
  expect(text).toContain(everybody[0]?.name)
  return foundIn(text)
}
