// npm test: every check of the project, one after another, and a count at the end. Sets up what it needs on a fresh machine.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages, ensureWebBuilt, main, root } from './bootstrap.mjs'

const bin = (name) => join(root, 'node_modules/.bin', name)
const node = bin('node')
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, CI: process.env.CI ?? '' }
const only = process.argv.slice(2)

let passed = 0
/** Told again at the end, where they are looked for. */
const failures = []

function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...env, ...options.env }, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

async function check(name, command, args) {
  if (only.length && !only.includes(name)) return
  const begun = performance.now()
  console.log(`\n— ${name}`)
  const code = await run(command, args)
  if (code === 0) passed++
  else failures.push({ where: name, error: `exit code ${code}` })
  console.log(`${code === 0 ? '✓' : '✗'} ${name}（${((performance.now() - begun) / 1000).toFixed(1)} 秒）`)
}

async function vitest(name, config) {
  if (only.length && !only.includes(name)) return
  console.log(`\n— ${name}`)
  const report = join(root, '.cache', `vitest-${name}.json`)
  rmSync(report, { force: true })
  const code = await run(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      config,
      '--reporter=default',
      `--reporter=${join(root, 'scripts/test-report.mjs')}`,
    ],
    { env: { TEST_REPORT: report } },
  )
  const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { passed: 0, failures: [] }
  passed += result.passed
  failures.push(...result.failures)
  if (code !== 0 && result.failures.length === 0) failures.push({ where: name, error: `exit code ${code}` })
}

/** Debian's Chromium with Chinese fonts; other systems need CHROMIUM to name theirs. */
function ensureChromium() {
  const path = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const fonts = existsSync('/usr/share/fonts/opentype/noto')
  if (existsSync(path) && (fonts || process.env.CHROMIUM)) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error('浏览器测试需要 Chromium：请安装后用环境变量 CHROMIUM 指明路径')
  }
  console.log('正在安装 Chromium 与中文字体')
  const apt = (args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  apt(['update', '-qq'])
  if (apt(['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk']).status !== 0)
    throw new Error('安装 Chromium 失败')
}

await main(async () => {
  await ensurePackages()
  if (!only.length || only.includes('e2e')) {
    ensureChromium()
    await ensureWebBuilt()
  }
  await check('format-and-lint', node, [bin('biome'), 'ci', '--diagnostic-level=error', '.'])
  for (const part of ['packages/contract', 'packages/simulator', 'apps/server', 'apps/web', 'e2e']) {
    await check(`types:${part}`, node, [join(root, 'node_modules/typescript/bin/tsc'), '-p', part])
  }
  await check('boundaries', node, [
    bin('depcruise'),
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'apps',
    'packages',
    'e2e',
  ])
  await check('dead-code', node, [bin('knip')])
  await vitest('unit-and-integration', 'vitest.config.ts')
  await vitest('e2e', 'e2e/vitest.config.ts')
  for (const { where, error } of failures) console.log(`\n✗ ${where}\n${error}`)
  console.log(`\n${passed} passed, ${failures.length} failed`)
  return failures.length ? 1 : 0
})
