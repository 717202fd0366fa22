import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../test/world.ts'
import { againAfterDeadlock, type Database, inScope, openDatabase, seesNothing, type Tx } from './db.ts'

const nobody = seesNothing({ id: '', type: 3 }, 'somebody')
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let owner: Database
/** A pool of one connection, so that a test knows which connection it inspects. */
let product: Database

beforeAll(async () => {
  clone = await cloneDatabase(inject('postgresUrl'))
  owner = openDatabase(clone.url, { max: 1, owner: true })
})
beforeEach(async () => {
  await product?.close()
  product = openDatabase(clone.url, { max: 1 })
  await owner.pool.query('drop table if exists shelf')
  await owner.pool.query('create table shelf (id int, word text)')
  await owner.pool.query(`insert into shelf values (1, '一'), (2, '二')`)
  await owner.pool.query('grant select on shelf to zg_runtime, zg_some, zg_wide, zg_all')
})
afterAll(async () => {
  await product?.close()
  await owner.close()
  await clone.drop()
})

const requested = async () =>
  (await product.pool.query<{ statement: string }>('select statement from pg_prepared_statements')).rows.map((r) => r.statement)
const onShelf = async () => (await requested()).filter((text) => text.includes('shelf'))
const take = (id: number) => product.pool.query('select * from shelf where id = $1', [id]).then(({ rows }) => rows)
const takeIn = (tx: Tx, id: number) => sql`select * from shelf where id = ${id}`.execute(tx).then(({ rows }) => rows)

test('what a connection has met before goes by name; what it meets once leaves nothing behind', async () => {
  expect(await take(1)).toEqual([{ id: 1, word: '一' }])
  expect(await onShelf()).toEqual([])
  expect(await take(2)).toEqual([{ id: 2, word: '二' }])
  expect(await take(3)).toEqual([])
  expect(await onShelf()).toEqual(['select * from shelf where id = $1'])
  await product.pool.query('select word from shelf where id = $1', [1])
  await product.pool.query('select count(*) from shelf')
  await product.pool.query('select count(*) from shelf')
  expect(await onShelf()).toHaveLength(1)
})

test('each database role has its own: policies differ', async () => {
  for (const all of [false, true, false, true]) {
    const rows = await inScope(product.kysely, { ...nobody, all }, async (tx) => {
      const { rows: people } = await sql<{ role: string }>`select current_user as role from shelf where id = ${1}`.execute(tx)
      return people
    })
    expect(rows).toEqual([{ role: all ? 'zg_all' : 'zg_some' }])
  }
  expect(await onShelf()).toHaveLength(2)
})

test('a column that comes while a statement is known by name is there at the next question, alone and in a transaction', async () => {
  for (let i = 0; i < 8; i++) {
    await take(1)
    await inScope(product.kysely, nobody, (tx) => takeIn(tx, 1))
  }
  expect(await onShelf()).toHaveLength(2)
  await owner.pool.query(`alter table shelf add column place text default '上'`)
  expect(await take(1)).toEqual([{ id: 1, word: '一', place: '上' }])

  await inScope(product.kysely, nobody, (tx) => takeIn(tx, 1))
  await owner.pool.query(`alter table shelf add column height int default 3`)
  let tries = 0
  const rows = await againAfterDeadlock(
    () =>
      inScope(product.kysely, nobody, (tx) => {
        tries++
        return takeIn(tx, 1)
      }),
    () => true,
  )
  expect(rows).toEqual([{ id: 1, word: '一', place: '上', height: 3 }])
  expect(tries).toBe(2)
})

test('an error of a statement known by name is the error of an unnamed one, and the connection goes on', async () => {
  const divide = (by: number) => product.pool.query('select 1 / $1::int as n', [by]).then(({ rows }) => rows)
  expect(await divide(1)).toEqual([{ n: 1 }])
  for (let i = 0; i < 3; i++) await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect(await divide(1)).toEqual([{ n: 1 }])
  const broken = () => product.pool.query('select nothing from shelf where id = $1', [1])
  for (let i = 0; i < 3; i++) await expect(broken()).rejects.toMatchObject({ code: '42703' })
})

test('so many are known by name, and no more', async () => {
  for (let i = 0; i < 160; i++) for (let n = 0; n < 2; n++) await product.pool.query(`select ${i} as n where $1::int > 0`, [1])
  expect(await requested()).toHaveLength(100)
})
