import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { freePort } from '#domains/telemetry/mosquitto-for-test'
import { startFaultOf } from '#kit/start-fault'
import { cloneDatabase } from './world.ts'

const main = join(dirname(fileURLToPath(import.meta.url)), '../src/main.ts')
/** Three processes must start on a loaded machine. */
const patience = { timeout: 120_000, interval: 100 }

let database: Awaited<ReturnType<typeof cloneDatabase>>
let folder: string
const left: { child: ChildProcess; ended: Promise<unknown> }[] = []
const taken: Server[] = []

beforeAll(async () => {
  database = await cloneDatabase(inject('postgresUrl'))
  folder = mkdtempSync(join(tmpdir(), 'zg-start-'))
})
afterEach(async () => {
  for (const { child, ended } of left.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
  for (const server of taken.splice(0)) server.close()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** `npm run serve` with the environment of a deployment. */
function serve(env: Record<string, string>) {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: '',
      PORT: '0',
      MQTT_PORT: '0',
      MQTT_WS_PORT: '0',
      HJ212_PORT: '0',
      JT808_PORT: '0',
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: 'a test key of at least thirty-two characters',
      DEMO: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  left.push({ child, ended })
  return { ended, lines: () => output.trim().split('\n'), told: () => output }
}

/** Every log line parsed; throws if one is not a JSON object. */
const logged = (lines: string[]) => lines.map((line) => JSON.parse(line) as { level: number; name: string; msg: string })
const lastWords = async (env: Record<string, string>) => {
  const product = serve(env)
  const code = await product.ended
  const log = logged(product.lines())
  expect(product.told()).not.toMatch(/starting it again| at .*\.(ts|js):\d+/)
  return { code, fatal: log.filter((line) => line.level === 60).map((line) => line.msg) }
}

/** A port in use by another server. */
async function takenPort(): Promise<string> {
  const server = createServer()
  taken.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return String((server.address() as { port: number }).port)
}

test.each(['PORT', 'MQTT_PORT', 'MQTT_WS_PORT', 'HJ212_PORT', 'JT808_PORT'])(
  '%s that is taken ends the start in one line',
  async (name) => {
    const port = await takenPort()
    expect(await lastWords({ [name]: port })).toEqual({
      code: 2,
      fatal: [`端口 ${port} 已被占用：请停掉占用它的程序，或用环境变量 ${name} 换一个端口`],
    })
  },
  120_000,
)

test('a database that is not there, or does not know the login, ends it in one line', async () => {
  const port = await freePort()
  const away = await lastWords({ DATABASE_URL: `postgres://zhugong:nobody-reads-this@127.0.0.1:${port}/zhugong` })
  expect(away.fatal).toEqual([
    `数据库无法连接 127.0.0.1:${port}：对方拒绝连接，请确认数据库已启动、地址和端口正确（DATABASE_URL、DATABASE_OWNER_URL）`,
  ])
  expect(away.code).toBe(1)
  const missing = await lastWords({ DATABASE_URL: database.url.replace(/\/t_\w+/, '/no_such_database') })
  expect(missing.fatal).toEqual(['数据库无法连接：数据库不存在（DATABASE_URL、DATABASE_OWNER_URL）'])
})

test('a file in place of the data folder, and one that cannot be written', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  expect(await lastWords({ DATA_DIR: file })).toEqual({ code: 2, fatal: [`数据目录 ${file} 不能使用：同名的文件占着这个位置`] })
  expect((await lastWords({ DATA_DIR: join(file, 'within') })).fatal).toEqual([
    `数据目录 ${join(file, 'within')} 不能使用：路径中有一段是文件，不是文件夹`,
  ])
  // Root can write almost anywhere, and no file system here is read-only, so the error is constructed.
  expect(startFaultOf(Object.assign(new Error('x'), { code: 'EROFS', syscall: 'access', path: '/d' }))?.text).toBe(
    '数据目录 /d 不能使用：所在文件系统只读',
  )
})

test('a superuser is refused before anything is migrated or written', async () => {
  const empty = await cloneDatabase(inject('postgresUrl'), 'template1')
  const name = /\/(t_\w+)/.exec(empty.url)?.[1] ?? ''
  const url = inject('postgresAdminUrl').replace(/\/postgres(?=\?|$)/, `/${name}`)
  const { code, fatal } = await lastWords({ DATABASE_URL: url, DATABASE_OWNER_URL: empty.url })
  expect({ code, fatal }).toEqual({ code: 2, fatal: [expect.stringContaining('是超级用户或可绕过行级安全')] })
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: empty.url })
  await client.connect()
  const { rows } = await client.query(`select count(*)::int as n from pg_tables where schemaname = 'public'`)
  await client.end()
  await empty.drop()
  expect(rows).toEqual([{ n: 0 }])
})

test('a running product logs one JSON object a line; its measurements hold what the ingest counts', async () => {
  const PORT = String(await freePort())
  const METRICS_TOKEN = 'a token of a keeper of watch'
  const product = serve({ PORT, METRICS_TOKEN, LOG_LEVEL: 'debug' })
  const base = `http://127.0.0.1:${PORT}`
  await vi.waitFor(async () => expect((await fetch(`${base}/readyz`)).status, product.told().slice(-2_000)).toBe(200), patience)
  const measured = await (await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text()
  expect(measured).toMatch(/^zhugong_ingest_up 1$/m)
  for (const name of [
    'zhugong_ingest_items_total',
    'zhugong_ingest_bad_frames_total',
    'zhugong_ingest_refused_total',
    'zhugong_http_seconds',
  ])
    expect(measured).toContain(`# TYPE ${name}`)
  await vi.waitFor(() => expect(product.told()).toContain('started in'), patience)
  const log = logged(product.lines())
  expect(log.length).toBeGreaterThan(5)
  expect(log.filter((line) => !['zhugong', 'ingest', 'api', 'jobs'].includes(line.name))).toEqual([])
  expect(log.filter((line) => /[\u4e00-\u9fff]/.test(line.msg))).toEqual([])
}, 180_000)
