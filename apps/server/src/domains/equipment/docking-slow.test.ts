import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createOutgoing } from '#kit/outgoing'
import { createSecrets } from '#kit/secret'
import { type Manner, startSlowServer } from '../../../test/slow-server.ts'
import { openWorld } from '../../../test/world.ts'
import { startDockings } from './docking-jobs.ts'

test.each<Manner>(['dripping', 'silent'])('a third platform that is %s holds up no other pull, and not the end', async (manner) => {
  const world = await openWorld(inject('postgresUrl'), {}, { environment: { OUTGOING_INSIDE: '127.0.0.0/8' } })
  const slow = await startSlowServer(manner)
  const good = createServer((_request, response) => response.end('{"rows":[]}'))
  await new Promise<void>((resolve) => good.listen(0, '127.0.0.1', resolve))
  const { pool } = world.database
  const pulls = async (url: string) => {
    const id = newId()
    await pool.query(
      `insert into gateway3rd (id, code, name, vendor, conn_type, endpoint, http_method, auth_kind, schedule_minutes, mapping, enable)
       values ($1, $1, $1, 'x', '3', $2, 'GET', 'none', 60, '{"list":"rows","values":[]}', '1')`,
      [id, url],
    )
    return id
  }
  for (let i = 0; i < 5; i++) await pulls(slow.url)
  const fine = await pulls(`http://127.0.0.1:${(good.address() as AddressInfo).port}`)
  const dockings = startDockings({
    pool,
    outgoing: createOutgoing(world.config, 'docking'),
    secrets: createSecrets(world.config.secretKey),
    log: createLog('test', 'silent'),
    ingestSocket: world.config.ingestSocket,
    now: () => Date.now(),
  })
  const results = async () =>
    (await pool.query<{ result: string }>('select result from gateway3rd_run where gateway_id = $1', [fine])).rows.map((row) => row.result)
  await expect.poll(results, { timeout: 20_000 }).toEqual(['ok'])
  expect(slow.hanging).toBeGreaterThan(0)
  const begun = performance.now()
  await dockings.stop()
  expect(performance.now() - begun).toBeLessThan(15_000)
  await slow.stop()
  good.close()
  await world.close()
})
