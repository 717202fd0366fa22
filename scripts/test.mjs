// npm test: runs every check of the project and prints the totals at the end. On a new machine it first installs what it needs.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { join, relative } from 'node:path'
import { ensurePackages, ensureWebBuilt, main, root } from './bootstrap.mjs'

const bin = (name) => join(root, 'node_modules/.bin', name)
const node = bin('node')
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, CI: process.env.CI ?? '' }
const only = process.argv.slice(2)
const slowestShown = 10
/** A failing test is retried once, and reported if it passes then. `TEST_RETRY=0` disables the retry, to look for unstable tests. */
const retry = process.env.TEST_RETRY ?? '1'

let passed = 0
/** Printed again at the end of the output. */
const failures = []
/** Tests that passed only on the retry. */
const unsteady = []
/** Every test file that ran, with its duration. */
const files = []
/** The full name of every test. */
const names = []

function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const stdio = options.quiet ? 'pipe' : 'inherit'
    const child = spawn(command, args, { cwd: root, env: { ...env, ...options.env }, stdio: ['ignore', stdio, stdio] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text))
    child.once('error', (error) => resolve({ code: 1, said: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, said }))
  })
}

/** Advice printed with a failing check. */
const helps = {
  types: '列、筛选、排序与导出都是列表契约中的名字：请先加进 listOf / sortBy / 查询模式，再在页面与服务端使用，见 docs/adding.md',
  boundaries: '跨模块只经 public.ts(x)；依赖方向 app → domains → kit → contract，见 docs/architecture.md 的 Folders',
  'sql-rows': '行类型与语句的列须一致：在语句中查出该列或改正类型；单独核对：先运行相关测试，再 node scripts/sql-rows.mjs',
}
const helpFor = (name) => {
  const help = helps[name.split(':')[0]]
  return help ? `\n→ ${help}` : ''
}

const seconds = (begun) => ((performance.now() - begun) / 1000).toFixed(1)

/** Prints the output of a check when it ends, because the output of parallel checks would be mixed. */
async function check([name, command, args]) {
  const begun = performance.now()
  const { code, said } = await run(command, args, { quiet: true })
  if (code === 0) passed++
  else failures.push({ where: name, error: `${said.trim()}\nexit code ${code}${helpFor(name)}` })
  console.log(`${said.trim() ? `\n${said.trim()}\n` : ''}${code === 0 ? '✓' : '✗'} ${name}（${seconds(begun)} 秒）`)
}

/** Runs as many checks at a time as there are cores, longest first: each check uses little more than one core. */
async function sideBySide(checks) {
  const waiting = checks.filter(([name]) => !only.length || only.includes(name))
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await check(next)
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, lane))
}

async function vitest(name, config) {
  if (only.length && !only.includes(name)) return
  console.log(`\n— ${name}`)
  const report = join(root, '.cache', `vitest-${name}.json`)
  rmSync(report, { force: true })
  const { code } = await run(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      config,
      '--reporter=default',
      `--reporter=${join(root, 'scripts/test-report.mjs')}`,
    ],
    { env: { TEST_REPORT: report, TEST_RETRY: retry } },
  )
  const result = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { passed: 0, failures: [], files: [], names: [], unsteady: [] }
  passed += result.passed
  failures.push(...result.failures)
  unsteady.push(...result.unsteady)
  files.push(...result.files)
  names.push(...result.names)
  if (code !== 0 && result.failures.length === 0) failures.push({ where: name, error: `exit code ${code}` })
}

/**
 * Installs Debian's Chromium with Chinese fonts, and `chromium-headless-shell`, which opens pages with less work. On other systems,
 * CHROMIUM must name the browser.
 */
function ensureChromium() {
  if (process.env.CHROMIUM) return
  const [whole, shell] = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']
  const hasFonts = existsSync('/usr/share/fonts/opentype/noto')
  if (existsSync(whole) && existsSync(shell) && hasFonts) return
  const isReady = () => existsSync(whole) && existsSync('/usr/share/fonts/opentype/noto')
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('正在安装 Chromium 与中文字体')
    const apt = (args) =>
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    const install = (...packages) => apt(['install', '-y', '-qq', '--no-install-recommends', ...packages]).status === 0
    apt(['update', '-qq'])
    // Older Debian releases have only the complete Chromium, which also works.
    if (!install('chromium', 'chromium-headless-shell', 'fonts-noto-cjk') && !isReady()) install('chromium', 'fonts-noto-cjk')
    if (!isReady()) throw new Error('安装 Chromium 失败')
  }
  if (!isReady()) throw new Error('浏览器测试需要 Chromium：请安装后用环境变量 CHROMIUM 指明路径')
}

const scratchNeeds = 8 * 1024 ** 3
/**
 * Puts the temporary folder of the tests in memory if there is enough space: their databases and browser profiles are deleted afterwards,
 * and memory takes a tenth of the time of a disk.
 */
function scratchInMemory() {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || !existsSync(memory)) return
  const begun = 'zhugong-test-'
  for (const name of readdirSync(memory)) {
    // Delete the folder of a run that was killed and could not clean up.
    if (name.startsWith(begun) && !existsSync(`/proc/${name.split('-')[2]}`)) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const { bavail, bsize } = statfsSync(memory)
  if (Math.min(bavail * bsize, freemem()) < scratchNeeds) return
  const folder = mkdtempSync(join(memory, `${begun}${process.pid}-`))
  // The permissions of a temporary folder: the operating-system account of PostgreSQL must reach its own data folder inside it.
  chmodSync(folder, 0o1777)
  env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
}

function tellSlowest() {
  if (files.length === 0) return
  console.log('\n最慢的十个测试文件')
  for (const { file, ms } of files.toSorted((a, b) => b.ms - a.ms).slice(0, slowestShown))
    console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} 秒  ${relative(root, file)}`)
}

/**
 * Prints how many statements about the product are named by a test that ran (as `[id]` in the test's name), and which statements belong to
 * features that are not built.
 */
function tellStatements() {
  if (only.length || names.length === 0) return
  const statements = JSON.parse(readFileSync(join(root, 'apps/server/test/statements.json'), 'utf8'))
  const named = new Set(names.flatMap((name) => [...name.matchAll(/\[([a-z0-9-]+)\]/g)].map(([, id]) => id)))
  const notBuilt = statements.filter((one) => one.notBuilt)
  const missing = statements.filter((one) => !one.notBuilt && !named.has(one.id))
  const tested = statements.length - notBuilt.length - missing.length
  console.log(`\n${statements.length} 条约定：有测试点名 ${tested}，尚未建成 ${notBuilt.length}，未点名 ${missing.length}`)
  for (const one of notBuilt) console.log(`  ${one.id}：${one.notBuilt}`)
  if (missing.length > 0) console.log(`未点名：\n  ${missing.map((one) => one.id).join(' ')}`)
}

await main(async () => {
  await ensurePackages()
  if (!only.length || only.includes('e2e')) {
    ensureChromium()
    await ensureWebBuilt()
  }
  scratchInMemory()
  const begun = performance.now()
  // TypeScript 7 checks twice as fast. The tools for imports and dead code need version 6.
  const types = ['apps/server', 'apps/web', 'e2e', 'packages/simulator', 'packages/contract'].map((part) => [
    `types:${part}`,
    node,
    [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', part],
  ])
  const depcruise = [bin('depcruise'), '--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'apps', 'packages', 'e2e']
  await sideBySide([
    ...types,
    ['boundaries', node, depcruise],
    ['dead-code', node, [bin('knip')]],
    ['format-and-lint', node, [bin('biome'), 'ci', '--diagnostic-level=error', '.']],
    ['notice', node, [join(root, 'scripts/notice.mjs'), '--check']],
  ])
  await vitest('unit-and-integration', 'vitest.config.ts')
  // This check needs the results that the server tests have recorded.
  if (!only.length || only.includes('unit-and-integration')) await check(['sql-rows', node, [join(root, 'scripts/sql-rows.mjs')]])
  await vitest('e2e', 'e2e/vitest.config.ts')
  tellStatements()
  tellSlowest()
  if (unsteady.length > 0) console.log(`\n第二次才通过的测试 ${unsteady.length} 个，请查明原因：`)
  for (const { where, error } of unsteady) console.log(`\n~ ${where}\n${error}`)
  for (const { where, error } of failures) console.log(`\n✗ ${where}\n${error}`)
  console.log(`\n${(seconds(begun) / 60).toFixed(1)} 分钟\n${passed} passed, ${failures.length} failed`)
  return failures.length ? 1 : 0
})
