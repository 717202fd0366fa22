// Prepares everything the server needs to start. This file runs on the Node of the machine, which may be old, and before any package is
// installed: it may import only Node's own modules.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const modules = join(root, 'node_modules')
const OLDEST_NODE = [22, 18]

/** Installs the packages and builds the web application, which `npm start` and `npm run serve` need. */
export async function prepare() {
  await ensurePackages()
  await ensureWebBuilt()
}

export async function ensurePackages() {
  if (packagesAreCurrent()) return
  await withLock('packages', async () => {
    if (packagesAreCurrent()) return
    // Optional packages contain Node and PostgreSQL, development packages the web build tool: install both, even if NODE_ENV is
    // `production`.
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--include=optional']
    await runQuietly(
      '正在安装依赖（首次需要一到几分钟）',
      ...npm(args),
      '安装依赖失败，原因见上；若是下载不到，请检查网络与 npm 镜像设置后重试',
    )
    writeFileSync(packageStamp.file, packageStamp.value())
  })
}

const packageStamp = {
  file: join(modules, '.zhugong-stamp'),
  value: () => hashOf([join(root, 'package-lock.json')], `${process.platform}-${process.arch}`),
}

function packagesAreCurrent() {
  if (readOr(packageStamp.file, '') === packageStamp.value()) return true
  if (!installedAsLocked()) return false
  writeFileSync(packageStamp.file, packageStamp.value())
  return true
}

/**
 * Detects packages that were installed with `npm ci` or `npm install` directly: npm's own record of the installed packages then matches the
 * lockfile.
 */
function installedAsLocked() {
  try {
    const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
    const installed = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages
    // npm may rightly have skipped an optional package. Require it only if it is explicitly made for this operating system and processor.
    const optional = (entry) =>
      entry.optional && !(entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch) && !entry.libc)
    return Object.entries(locked).every(([path, entry]) => {
      if (!/(^|\/)node_modules\//.test(path) || entry.link) return true // the project itself and its workspaces
      const found = installed[path]
      return found ? found.version === entry.version && existsSync(join(root, path)) : optional(entry)
    })
  } catch {
    return false
  }
}

export async function ensureWebBuilt() {
  const stamp = join(root, 'apps/web/dist/.zhugong-stamp')
  const value = webSourcesHash()
  if (readOr(stamp, '') === value) return
  await withLock('web', async () => {
    if (readOr(stamp, '') === value) return
    await runQuietly('正在构建网页', ...npm(['run', 'build', '-w', 'apps/web']), '构建网页失败')
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, value)
  })
}

function webSourcesHash() {
  const web = join(root, 'apps/web')
  const files = [
    ...filesUnder(join(web, 'src')),
    ...filesUnder(join(web, 'public')),
    ...filesUnder(join(root, 'packages/contract/src')),
    ...readdirSync(web)
      .filter((name) => /\.(json|ts|html)$/.test(name))
      .map((name) => join(web, name)),
    join(root, 'package-lock.json'),
  ].filter((file) => !/\.test\.tsx?$/.test(file))
  return hashOf(files.sort())
}

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

function hashOf(files, seed = '') {
  const hash = createHash('sha256').update(seed)
  for (const file of files) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** Returns the Node that was installed with the packages, or else the running Node if it is new enough. */
export function ownNode() {
  const own = join(modules, '.bin', 'node')
  if (existsSync(own) && spawnSync(own, ['--version'], { stdio: 'ignore' }).status === 0) return own
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath
  throw new Failure(`需要 Node ${OLDEST_NODE.join('.')} 或更高版本，当前是 ${process.versions.node}，请升级后重试。`)
}

/**
 * Runs Node with `args` until it ends, and resolves to its exit code. A signal from the terminal reaches the child twice: through the
 * process group and forwarded from here. Forwarding is needed for a signal that is sent to this process alone.
 */
export function runNode(args, started = () => {}) {
  return new Promise((done, fail) => {
    // The fourth channel (IPC) closes when this process ends in any way; the child then exits (`exitWithParent`).
    const child = spawn(ownNode(), args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    child.once('error', fail)
    started(child)
    const forwarded = new Set()
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(name, () => {
        if (forwarded.has(name)) return
        forwarded.add(name)
        child.kill(name)
      })
    }
    // npm sends SIGTERM only to the shell between npm and this process. The shell dies without passing the signal on, so watch for a
    // changed parent.
    const shell = process.ppid
    if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== shell && process.emit('SIGTERM'), 500).unref()
    child.once('exit', (code, signal) => done(code ?? 128 + (signalNumbers[signal] ?? 1)))
  })
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }

/** Prepares, then runs the server; the process ends with the exit code of the server. */
export async function runServer(mode) {
  await main(async () => {
    await prepare()
    return runNode(['apps/server/src/main.ts', mode])
  })
}

/** Runs `work` and ends the process with the exit code that it returns. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
    process.exitCode = error instanceof Failure ? error.code : 1
  }
  process.exit()
}

class Failure extends Error {
  constructor(message, code = 1) {
    super(message)
    this.code = code
  }
}

/**
 * Returns command, arguments and environment that run the npm that started this process, on npm's own Node: the Node in node_modules is
 * about to be replaced. For the same reason node_modules/.bin is removed from PATH; npm adds it again for the scripts it runs.
 */
function npm(args) {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => resolve(folder) !== join(modules, '.bin'))
    .join(delimiter)
  const env = { ...process.env, PATH: path }
  const cli = process.env.npm_execpath
  const node = process.env.npm_node_execpath
  if (cli?.endsWith('npm-cli.js') && node && existsSync(node) && !node.startsWith(modules)) return [node, [cli, ...args], env]
  return ['npm', args, env]
}

/** Shows one progress line instead of the command's output. The output is printed only if the command fails. */
async function runQuietly(title, command, args, env, failure) {
  const begun = Date.now()
  const seconds = () => Math.round((Date.now() - begun) / 1000)
  const live = process.stdout.isTTY === true
  if (!live) console.log(`${title}…`)
  const tick = live ? setInterval(() => process.stdout.write(`\r${title}… ${seconds()} 秒`), 500) : undefined
  let said = ''
  let stoppedBy
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = (name) => {
    stoppedBy ??= name
    child.kill(name)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-20_000)
    })
  }
  const code = await new Promise((done) => {
    child.once('error', (error) => {
      said += error.message
      done(127)
    })
    child.once('close', (value) => done(value ?? 1))
  })
  clearInterval(tick)
  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
  if (stoppedBy) throw new Failure('已取消。', 128 + signalNumbers[stoppedBy])
  if (code !== 0) throw new Failure(`${live ? '\n' : ''}${said.trimEnd()}\n${failure}（退出码 ${code}）。`)
  console.log(`${live ? '\r' : ''}${title}：完成，用时 ${seconds()} 秒`)
}

/**
 * A lock older than this is ignored: no installation takes so long, and process ids are reused, so that a running process of that id proves
 * nothing.
 */
const LOCK_VOID_AFTER_MS = 30 * 60_000

/**
 * Runs `work` under a lock file, so that two starts do not replace node_modules at the same time. A lock whose process has ended is
 * ignored.
 */
async function withLock(name, work) {
  const folder = join(root, '.cache')
  const file = join(folder, `${name}.lock`)
  mkdirSync(folder, { recursive: true })
  for (let told = false; ; ) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = Number(readOr(file, ''))
    if ((holder > 0 && !isAlive(holder)) || ageMs(file) > LOCK_VOID_AFTER_MS) rmSync(file, { force: true })
    else if (!told) {
      console.log('另一个进程正在准备，等待其完成…')
      told = true
    }
    await new Promise((done) => setTimeout(done, 300))
  }
  try {
    await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function ageMs(file) {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
