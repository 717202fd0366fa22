import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { type Account, canReach, isRoot, serverAccount } from './account.ts'
import { openFolder } from './binaries.ts'
import { PostgresLaunchError } from './launch-error.ts'
import { readPostmaster } from './postmaster-file.ts'
import { isPostgresOn, signal } from './processes.ts'

export interface Place {
  cluster: string
  account: Account | undefined
  /** Major version of an existing cluster; undefined when there is none. */
  major?: number
}

/** Contents of DATA_DIR/postgres.json, which exists when the cluster could not be placed in DATA_DIR itself. */
interface Elsewhere {
  cluster: string
}

/**
 * Decides where the cluster is stored: in DATA_DIR/postgres if the server's account can reach it there. It cannot when root starts the
 * product in a folder closed to others (/root, a private temporary folder), or when the file system has no owners and modes. Then the
 * cluster is stored in another folder, which DATA_DIR/postgres.json records.
 * @throws PostgresLaunchError when no folder is usable, or a recorded cluster is missing
 */
export function settlePlace(dataDir: string, warn: (text: string) => void): Place {
  const inside = join(dataDir, 'postgres')
  const note = join(dataDir, 'postgres.json')
  if (isCluster(inside)) return existing(inside)

  const remembered = readJson<Elsewhere>(note)?.cluster
  if (remembered !== undefined) {
    if (!isCluster(remembered) && existsSync(join(dirname(remembered), 'made'))) throw vanished(remembered, note)
    if (existsSync(dirname(remembered))) {
      claim(dirname(remembered), dataDir)
      return isCluster(remembered) ? existing(remembered) : { cluster: remembered, account: serverAccount() }
    }
    throw vanished(remembered, note)
  }

  const account = serverAccount()
  if (holdsCluster(inside, account)) return { cluster: inside, account }
  for (const base of basesElsewhere(dataDir)) {
    try {
      const cluster = join(newFolder(base, dataDir, warn), 'postgres')
      if (!holdsCluster(cluster, account)) {
        rmSync(dirname(cluster), { recursive: true, force: true })
        continue
      }
      // Record the location before the cluster is created: an unrecorded cluster would be lost.
      writeFileSync(`${note}.new`, `${JSON.stringify({ cluster } satisfies Elsewhere, null, 2)}\n`)
      renameSync(`${note}.new`, note)
      warn(`the account of the database cannot reach ${dataDir}; the database is kept in ${cluster}`)
      return { cluster, account }
    } catch {
      // Not writable: try the next folder.
    }
  }
  throw new PostgresLaunchError(
    `数据目录 ${dataDir} 无法存放数据库：运行 PostgreSQL 的普通账户进不去。请换一个 DATA_DIR，或设置 DATABASE_URL。` +
      ` The unprivileged account that runs PostgreSQL cannot reach ${dataDir}; choose another DATA_DIR or set DATABASE_URL.`,
  )
}

/** Marks that the cluster contains data, so that a missing cluster is an error and not replaced by an empty one. */
export function markMade(dataDir: string, cluster: string): void {
  if (dirname(cluster) !== dataDir) writeFileSync(join(dirname(cluster), 'made'), '')
}

export function removePlace(dataDir: string, cluster: string): void {
  const place: Place = { cluster, account: serverAccount() }
  rmSync(socketFolder(place), { recursive: true, force: true })
  rmSync(cluster, { recursive: true, force: true })
  if (dirname(cluster) === dataDir) return
  rmSync(dirname(cluster), { recursive: true, force: true })
  rmSync(join(dataDir, 'postgres.json'), { force: true })
}

function existing(cluster: string): Place {
  const stat = statSync(cluster)
  const account = serverAccount({ uid: stat.uid, gid: stat.gid })
  if (!isRoot() && stat.uid !== process.getuid?.()) {
    throw new PostgresLaunchError(
      `数据库目录 ${cluster} 属于另一个用户（uid ${stat.uid}），请用当初启动的用户运行，或换一个 DATA_DIR。` +
        ` The cluster belongs to uid ${stat.uid}; run as the user who made it or choose another DATA_DIR.`,
    )
  }
  if (!canReach(cluster, account)) {
    throw new PostgresLaunchError(
      `数据库目录 ${cluster} 对数据库账户（uid ${account?.uid ?? process.getuid?.()}）不再可达，请恢复上级目录的通行权限（chmod o+x）。` +
        ' The account that runs PostgreSQL can no longer pass through the parent folders; restore them with chmod o+x.',
    )
  }
  return { cluster, account, major: Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10) }
}

function isCluster(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'))
}

/** Whether a cluster folder can be owned by the account with mode 0700 and be reached by it. Removes its trial folder. */
function holdsCluster(cluster: string, account: Account | undefined): boolean {
  const trial = `${cluster}.trial-${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(trial, { mode: 0o700 })
    handOver(trial, account)
    chmodSync(trial, 0o700)
    const stat = statSync(trial)
    const owned = stat.uid === (account?.uid ?? process.getuid?.())
    return owned && (stat.mode & 0o777) === 0o700 && canReach(trial, account)
  } catch {
    return false
  } finally {
    if (existsSync(trial)) rmdirSync(trial)
  }
}

/** Makes the server's account the owner of a folder and its contents. */
export function handOver(path: string, account: Account | undefined): void {
  if (!account) return
  const stat = lstatSync(path)
  if (stat.isDirectory()) for (const name of readdirSync(path)) handOver(join(path, name), account)
  lchownSync(path, account.uid, account.gid)
}

function basesElsewhere(dataDir: string): string[] {
  // If DATA_DIR is in a temporary folder, the cluster may be temporary too; otherwise it must survive a restart of the machine.
  const temporary = [tmpdir(), '/tmp'].find((folder) => existsSync(folder) && isWithin(dataDir, realpathSync(folder)))
  if (temporary !== undefined) return [temporary]
  if (isRoot()) return ['/var/lib/zhugong']
  const home = process.env.XDG_DATA_HOME ?? (process.env.HOME ? join(process.env.HOME, '.local', 'share') : undefined)
  return home?.startsWith('/') ? [join(home, 'zhugong')] : []
}

/**
 * Creates a folder with a new name each time: after DATA_DIR was deleted, a new installation must not find the old database with other
 * keys.
 */
function newFolder(base: string, dataDir: string, warn: (text: string) => void): string {
  openFolder(base)
  const temporary = (statSync(base).mode & 0o002) !== 0
  for (const old of foldersElsewhere(base)) {
    const origin = readJson<{ dataDir: string }>(join(old, 'origin.json'))?.dataDir
    if (origin === undefined) continue
    if (temporary && !existsSync(origin)) discard(old)
    else if (!temporary && origin === dataDir) warn(`此数据目录以前的数据库仍在 ${old}，不再需要时可删除`)
  }
  const folder = join(base, `zhugong-${randomBytes(6).toString('hex')}`)
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  writeFileSync(join(folder, 'origin.json'), JSON.stringify({ dataDir }))
  return folder
}

function foldersElsewhere(base: string): string[] {
  return readdirSync(base)
    .filter((name) => /^zhugong-[0-9a-f]{12}$/.test(name))
    .map((name) => join(base, name))
    .filter((folder) => {
      const stat = lstatSync(folder)
      return stat.isDirectory() && stat.uid === process.getuid?.()
    })
}

function discard(folder: string): void {
  const cluster = join(folder, 'postgres')
  const postmaster = readPostmaster(cluster)
  if (postmaster && isPostgresOn(postmaster.pid, cluster)) signal(postmaster.pid, 'SIGQUIT')
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A file was created during deletion: the next start deletes the rest.
  }
}

/**
 * Assigns the folder to this DATA_DIR. A moved DATA_DIR keeps its cluster; a copied one is refused, because two programs would use one
 * cluster.
 * @throws PostgresLaunchError when DATA_DIR is a copy
 */
function claim(folder: string, dataDir: string): void {
  const file = join(folder, 'origin.json')
  const origin = readJson<{ dataDir: string }>(file)?.dataDir
  if (origin === dataDir) return
  const note = origin === undefined ? undefined : readJson<Elsewhere>(join(origin, 'postgres.json'))
  if (origin !== undefined && note !== undefined && dirname(note.cluster) === folder) {
    throw new PostgresLaunchError(
      `${dataDir} 像是 ${origin} 的副本，两者指向同一个数据库 ${folder}。请删除副本中的 postgres.json，或换一个 DATA_DIR。` +
        ` ${dataDir} looks like a copy of ${origin}; both point at the same cluster. Remove postgres.json from the copy.`,
    )
  }
  writeFileSync(file, JSON.stringify({ dataDir }))
}

function vanished(cluster: string, note: string) {
  return new PostgresLaunchError(
    `数据库目录 ${cluster} 不见了（见 ${note}）。请恢复它；若确要从空数据库重新开始，请删除该文件。` +
      ` The cluster remembered in ${note} is gone; restore it, or remove that file to begin with an empty database.`,
  )
}

/** Maximum length of a Unix socket address with its terminating zero: 108 bytes on Linux, 104 on the BSDs and macOS. */
const SOCKET_ADDRESS_BYTES = process.platform === 'linux' ? 108 : 104

/**
 * Creates the socket folder, which only the server's account and root can enter. This protects the database, which requires no password.
 * @throws PostgresLaunchError when no folder can be created
 */
export function socketFolder(place: Place): string {
  const beside = join(dirname(place.cluster), 'run')
  const fits = Buffer.byteLength(join(beside, '.s.PGSQL.5432')) < SOCKET_ADDRESS_BYTES
  const name = createHash('sha256').update(place.cluster).digest('hex').slice(0, 16)
  // In /tmp another user may have created this name: then try the next one.
  const names = fits ? [beside] : ['', '-1', '-2', '-3'].map((suffix) => `/tmp/zhugong-run-${name}${suffix}`)
  for (const folder of names) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch {
      // It exists already: its owner is checked below.
    }
    const stat = lstatSync(folder, { throwIfNoEntry: false })
    if (!stat?.isDirectory() || ![process.getuid?.(), place.account?.uid].includes(stat.uid)) continue
    if (place.account) chownSync(folder, place.account.uid, place.account.gid)
    chmodSync(folder, 0o700)
    return folder
  }
  throw new PostgresLaunchError(`无法建立数据库的套接字目录 ${names[0]}。Cannot make the folder for the database's socket.`)
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}

/** The socket folder of the server that runs on the cluster of DATA_DIR, whatever process started it; undefined when none runs. */
export function runningSocketFolder(dataDir: string): string | undefined {
  const inside = join(dataDir, 'postgres')
  const cluster = isCluster(inside) ? inside : readJson<Elsewhere>(join(dataDir, 'postgres.json'))?.cluster
  const postmaster = cluster === undefined ? undefined : readPostmaster(cluster)
  return cluster !== undefined && postmaster && isPostgresOn(postmaster.pid, cluster) ? postmaster.socketFolder : undefined
}
