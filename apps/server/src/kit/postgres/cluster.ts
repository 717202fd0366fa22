import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Account, initdbAccount } from './account.ts'
import { assertOurs, type Binaries, openFolder } from './binaries.ts'
import { PostgresLaunchError } from './launch-error.ts'
import { handOver, type Place } from './place.ts'
import { accessFile, configurationFile, type Settings } from './settings.ts'

/** To be raised when the way initdb is called changes. */
const TEMPLATE_EDITION = 1

/**
 * A new cluster appears whole or not at all. It is copied from a template kept on this machine (0.9 s of initdb become 0.2 s).
 * All copies share one system identifier, which only matters to replication, and who replicates runs a server of their own.
 */
export function createCluster(options: { place: Place; binaries: Binaries; caches: string[]; durable: boolean }): void {
  const { place, binaries } = options
  const parent = dirname(place.cluster)
  for (const name of readdirSync(parent)) {
    // Left by a start that was killed; the caller holds the lock.
    if (name.startsWith(`${basename(place.cluster)}.new-`)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const draft = `${place.cluster}.new-${randomBytes(4).toString('hex')}`
  const template = templateFor(binaries, options.caches)
  if (template) {
    cpSync(template, draft, { recursive: true, mode: constants.COPYFILE_FICLONE })
  } else {
    mkdirSync(draft)
    runInitdb(binaries, draft)
  }
  chmodSync(draft, 0o700)
  handOver(draft, place.account)
  if (options.durable) {
    const account = place.account && place.account.uid !== initdbAccount()?.uid ? undefined : place.account
    // Without a name of its own the account cannot run initdb; the system's sync does the same, for all disks.
    const [program, args] = place.account && !account ? ['sync', []] : [binaries.initdb, ['--sync-only', '-D', draft]]
    spawnSync(program, args, { ...account, cwd: '/', stdio: 'ignore' })
  }
  renameSync(draft, place.cluster)
}

function templateFor(binaries: Binaries, caches: string[]): string | undefined {
  for (const cache of caches) {
    const template = join(cache, `template-${binaries.version}-${TEMPLATE_EDITION}`)
    try {
      if (!existsSync(template)) makeTemplate(binaries, cache, template)
      assertOurs(template)
      return template
    } catch {
      // Not writable, not reachable, or not ours: do without.
    }
  }
  return undefined
}

function makeTemplate(binaries: Binaries, cache: string, goal: string): void {
  openFolder(cache)
  assertOurs(cache)
  const work = mkdtempSync(join(cache, 'initdb-'))
  try {
    chmodSync(work, 0o755)
    const cluster = join(work, 'cluster')
    mkdirSync(cluster)
    runInitdb(binaries, cluster)
    const [uid, gid] = [process.getuid?.(), process.getgid?.()]
    if (uid !== undefined && gid !== undefined) handOver(cluster, { uid, gid })
    if (!existsSync(goal)) renameSync(cluster, goal)
  } catch (error) {
    if (!existsSync(goal)) throw error // else another process made the same one first
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function runInitdb(binaries: Binaries, folder: string): void {
  const account = initdbAccount()
  handOver(folder, account)
  chmodSync(folder, 0o700)
  let said = ''
  for (const locale of localeChoices(binaries.major)) {
    const run = spawnSync(
      binaries.initdb,
      ['-D', folder, '-U', 'postgres', '-E', 'UTF8', '-A', 'trust', '--data-checksums', '--no-sync', '--no-instructions', ...locale],
      { ...account, cwd: '/', encoding: 'utf8', env: serverEnvironment() },
    )
    if (run.status === 0) return
    said = `${run.stderr}${run.error?.message ?? ''}`.trim()
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  throw new PostgresLaunchError(`初始化数据库失败：${said} (initdb failed in ${folder})`)
}

/**
 * Text sorts by code point whatever the machine's locale, so an index never depends on the C library's version.
 * The character type should know Chinese, or trigram indexes see no letters in it.
 */
function localeChoices(major: number): string[][] {
  const collation = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  return ['C.UTF-8', 'en_US.UTF-8', 'C'].map((type) => [...collation, '--locale=C', `--lc-ctype=${type}`])
}

/** Nothing of the caller's PGHOST, PGDATA and the like. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'Asia/Shanghai' }
}

export function writeConfiguration(place: Place, settings: Settings): void {
  writeFor(place.account, join(place.cluster, 'postgresql.conf'), configurationFile(settings))
  writeFor(place.account, join(place.cluster, 'pg_hba.conf'), accessFile)
  const local = join(place.cluster, 'local.conf')
  if (!existsSync(local)) writeFor(place.account, local, '# Settings of this installation; they win over postgresql.conf.\n')
}

function writeFor(account: Account | undefined, file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  const draft = `${file}.new`
  // The folder is another account's: never write through a link it may have left there.
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  handOver(draft, account)
  renameSync(draft, file)
}
