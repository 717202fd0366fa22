// npm run check [-- --watch]: types (incremental), lint and layer rules, without tests. With --watch, a saved file repeats the checks of
// the workspaces it can affect.
import { spawn } from 'node:child_process'
import { mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages, main, ownNode, root } from './bootstrap.mjs'

const parts = ['packages/contract', 'packages/simulator', 'apps/server', 'apps/web', 'e2e']
/** For each workspace, the workspaces that import its sources. */
const dependents = {
  'packages/contract': ['apps/server', 'apps/web', 'e2e'],
  'packages/simulator': ['apps/server'],
  'apps/server': ['e2e'],
}
const atOnce = 2
const settleMs = 150

const bin = (name) => join(root, 'node_modules/.bin', name)

function run([name, ...args]) {
  const begun = performance.now()
  return new Promise((resolve) => {
    const child = spawn(ownNode(), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('close', (code) => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.log(`${code === 0 ? '' : `${output.trim()}\n`}${code === 0 ? '✓' : '✗'} ${name}（${seconds} 秒）`)
      resolve(code === 0)
    })
  })
}

const types = (part) => [
  `types:${part}`,
  join(root, 'node_modules/typescript-7/bin/tsc'),
  ...['-p', part, '--noEmit', '--incremental', '--tsBuildInfoFile', `.cache/types-${part.replaceAll('/', '-')}.tsbuildinfo`],
]
const lint = (files) => ['format-and-lint', bin('biome'), 'check', '--diagnostic-level=error', '--no-errors-on-unmatched', ...files]
const boundaries = [
  'boundaries',
  bin('depcruise'),
  ...['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'apps', 'packages', 'e2e'],
]

async function all(checks) {
  const waiting = [...checks]
  let failed = 0
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await run(next))) failed++
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return failed
}

/** Runs the checks that the changed files can affect, one round at a time. Files saved during a round are checked in the next round. */
function watchSources() {
  const changed = new Set()
  let timer
  let busy = false
  const round = async () => {
    if (busy || changed.size === 0) return
    busy = true
    const files = [...changed]
    changed.clear()
    const direct = parts.filter((part) => files.some((file) => file.startsWith(`${part}/`)))
    const affected = parts.filter((part) => direct.some((one) => one === part || dependents[one]?.includes(part)))
    const failed = await all([...affected.map(types), lint(files), boundaries])
    console.log(failed ? `${failed} 项未通过` : '全部通过')
    busy = false
    await round()
  }
  for (const part of parts) {
    watch(join(root, part), { recursive: true }, (_event, file) => {
      if (!file || !/\.(ts|tsx|mjs|css|json)$/.test(file) || /(^|\/)(node_modules|dist|\.cache)\//.test(file)) return
      changed.add(`${part}/${file}`)
      clearTimeout(timer)
      timer = setTimeout(round, settleMs)
    })
  }
}

await main(async () => {
  await ensurePackages()
  mkdirSync(join(root, '.cache'), { recursive: true })
  const failed = await all([
    types('apps/server'),
    types('apps/web'),
    ...['e2e', 'packages/contract', 'packages/simulator'].map(types),
    lint(['.']),
    boundaries,
  ])
  console.log(failed ? `\n${failed} 项未通过` : '\n全部通过')
  if (!process.argv.includes('--watch')) return failed ? 1 : 0
  watchSources()
  console.log('等待改动…')
  return new Promise(() => {})
})
