import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { cloneDatabase, testSecretKey } from '../../test/world.ts'
import { asProduct } from './background.ts'
import { systemClock } from './clock.ts'
import { openDatabase } from './db.ts'
import { createLog } from './log.ts'
import { createSecrets } from './secret.ts'

test('what is left for after the commit runs after it, and not after a rollback', async () => {
  const clone = await cloneDatabase(inject('postgresUrl'))
  const database = openDatabase(clone.url, { owner: true })
  const deps = { db: database.kysely, clock: systemClock, secrets: createSecrets(testSecretKey), log: createLog('test', 'fatal') }
  const who = { userId: '', name: '系统', groupId: '' }
  await sql`create table seen (n int)`.execute(database.kysely)
  const count = async () => (await sql<{ n: number }>`select count(*)::int as n from seen`.execute(database.kysely)).rows[0]?.n
  const ran: unknown[] = []
  const insert = (fails: boolean) =>
    asProduct(deps, who, async (ctx) => {
      ctx.afterCommit(() => {
        throw new Error('logged, and keeps nobody behind it')
      })
      ctx.afterCommit(async () => void ran.push(await count()))
      await sql`insert into seen values (1)`.execute(ctx.db)
      if (fails) throw new Error('rolled back')
    })
  await insert(false)
  await expect(insert(true)).rejects.toThrow('rolled back')
  expect(ran).toEqual([1])
  await database.close()
  await clone.drop()
})
