import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../test/world.ts'
import { type Database, openDatabase } from './db.ts'
import { requireOwnKey } from './key-mark.ts'
import { createSecrets } from './secret.ts'

const [own, other] = [createSecrets('the key of this installation, long enough'), createSecrets('another key of the same length, not it')]
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
beforeAll(async () => {
  clone = await cloneDatabase(inject('postgresUrl'))
  database = openDatabase(clone.url, { max: 2, owner: true })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})
const marks = async () => (await database.pool.query(`select 1 from setting where key = 'keyMark'`)).rows.length
const words = '数据库与当前密钥不符：SECRET_KEY（或 DATA_DIR/secret.key）须与建库时相同，否则身份证号、手机号等无法解密'

test('a database from before the mark is known by what is sealed in it, and another key leaves no mark', async () => {
  await database.pool.query(`insert into app_user (id, account, name, password_hash, phone) values ('u', 'u', 'u', 'x', $1)`, [
    own.seal('13800138000'),
  ])
  await expect(requireOwnKey(database.pool, other)).rejects.toThrow(words)
  await requireOwnKey(database.pool, own, false)
  expect(await marks()).toBe(0)
  await requireOwnKey(database.pool, own)
  expect(await marks()).toBe(1)
})

test('from then on the mark decides, whatever is in it, for whoever runs the product as well', async () => {
  await database.pool.query(`delete from app_user where id = 'u'`)
  const runtime = openDatabase(clone.url, { max: 1 })
  for (const pool of [database.pool, runtime.pool]) {
    await requireOwnKey(pool, own)
    await expect(requireOwnKey(pool, other)).rejects.toThrow(words)
  }
  await runtime.close()
})
