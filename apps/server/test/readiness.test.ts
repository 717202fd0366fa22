import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#kit/db'
import { RequestTurns, turnLimits } from '#kit/request-turns'
import { Readying } from '../src/readiness.ts'
import { type CityWorld, openCity, settleCity } from './city.ts'
import { migrationsFolder, type World } from './world.ts'

let world: World
let city: CityWorld
let ingest: { isOk: boolean; text: string } | undefined
beforeAll(async () => {
  ingest = { isOk: true, text: '{}' }
  world = await openCity(inject('postgresUrl'), { askIngest: async () => ingest })
  city = await settleCity(world)
})
afterAll(() => world.close())

const ready = async () => {
  const answer = await world.api.app.inject({ method: 'GET', url: '/readyz' })
  return { http: answer.statusCode, ...answer.json() }
}
/** Waits until cached results have expired. */
const later = () => new Promise((resolve) => setTimeout(resolve, 1_100))

test('ready when all is there; what is not is named', async () => {
  expect(await ready()).toMatchObject({ http: 200, status: 'ready', why: [] })
  ingest = { isOk: false, text: '{"why":"读数没有在入库"}' }
  await later()
  expect(await ready()).toMatchObject({ http: 503, database: true, ingest: false, why: ['接入进程没有就绪：读数没有在入库'] })
  ingest = undefined
  await later()
  expect(await ready()).toMatchObject({ http: 503, ingest: false, why: ['接入进程没有应答'] })
  ingest = { isOk: true, text: '{}' }
})

test('not ready while no request is answered: all turns taken, or all connections', async () => {
  const small = openDatabase(world.config.databaseUrl ?? '', { max: 1 })
  const turns = new RequestTurns({ ...turnLimits, inAll: 1 })
  const system = openDatabase(world.config.databaseUrl ?? '', { max: 2 })
  const options = { requests: small, system, turns, dataDir: world.config.dataDir, migrationsFolder }
  const look = () => new Readying(options).look()
  expect(await look()).toMatchObject({ status: 'ready' })
  const leave = await turns.enter('somebody')
  expect(await look()).toMatchObject({
    status: 'not ready',
    database: true,
    requests: false,
    why: [expect.stringContaining('请求处理不过来')],
  })
  leave()
  const client = await small.pool.connect()
  expect(await look()).toMatchObject({ status: 'not ready', database: true, requests: false })
  client.release()
  expect(await look()).toMatchObject({ status: 'ready' })
  await small.close()
  await system.close()
})

test('where files cannot be written everybody is told: who uploads, who keeps watch, who measures', async () => {
  const folder = join(world.config.dataDir, 'incoming')
  await rm(folder, { recursive: true, force: true })
  // A folder nobody can write to, not even root.
  await symlink('/sys/kernel', folder)
  const admin = await city.as('admin')
  const answer = await world.api.app.inject({
    method: 'POST',
    url: '/api/v1/tool/upload',
    headers: { token: admin.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' },
    payload: '--xx\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n--xx--\r\n',
  })
  expect(answer.statusCode).toBe(507)
  expect(answer.json()).toMatchObject({ status: 4, message: expect.stringContaining('文件存储空间已满或不可写入') })
  await later()
  expect(await ready()).toMatchObject({ http: 503, disk: false, why: [expect.stringContaining('DATA_DIR 不可写入')] })
  expect(await world.api.metrics.metrics()).toContain('zhugong_ready{part="disk"} 0')
  await rm(folder)
  await later()
  expect(await ready()).toMatchObject({ http: 200 })
  expect(await world.api.metrics.metrics()).toMatch(/zhugong_data_dir_free_bytes \d{6,}/)
})
