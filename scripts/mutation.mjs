/**
 * Mutation tests of the code where errors cost most: codecs, rules, scope. Each group is mutated in a copy, one place at a time, and its
 * unit tests must fail. The tool (Stryker) is large and rarely needed: it is installed at a fixed version in a folder of its own on first
 * use.
 *
 *   node scripts/mutation.mjs [group...]    SINCE=file.ts restricts a group to files whose name ends so; JOBS is the number of parallel runs
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePackages, main } from './bootstrap.mjs'

const version = '10.1.1'
const root = join(import.meta.dirname, '..')
const tools = join(root, 'node_modules/.cache/mutation')
const wanted = 85

const telemetry = 'src/domains/telemetry'
const rules = 'src/domains/rules'
/** The mutated files by subject, with the unit tests that must detect the mutations. All these tests run without a database. */
const groups = {
  hj212: {
    mutate: ['crc', 'frame', 'values', 'sm4', 'downlink'].map((f) => `${telemetry}/hj212/${f}.ts`),
    tests: ['frame', 'exchanges', 'values', 'downlink'].map((f) => `${telemetry}/hj212/${f}.test.ts`),
  },
  jt808: {
    mutate: ['frame', 'bodies', 'assembler', 'gbk', 'values', 'downlink'].map((f) => `${telemetry}/jt808/${f}.ts`),
    tests: ['frame', 'bodies', 'requests', 'values', 'downlink'].map((f) => `${telemetry}/jt808/${f}.test.ts`),
  },
  meters: {
    mutate: ['modbus', 'dlt645', 'cjt188', 'meter-stream'].map((f) => `${telemetry}/meters/${f}.ts`),
    tests: [`${telemetry}/meters/codecs.test.ts`],
  },
  evaluator: {
    mutate: ['evaluate', 'spell', 'schedule', 'strictness'].map((f) => `${rules}/${f}.ts`),
    tests: ['spell', 'strictness', 'schedule', 'held', 'evaluate', 'model'].map((f) => `${rules}/${f}.test.ts`),
  },
  conditions: {
    mutate: ['conditions', 'condition-values', 'condition-places', 'limits', 'expressions'].map((f) => `${rules}/${f}.ts`),
    tests: ['conditions', 'expressions'].map((f) => `${rules}/${f}.test.ts`),
  },
  scope: {
    mutate: ['src/domains/access/scope-rules.ts'],
    tests: ['src/domains/access/scope-rules.test.ts'],
  },
}

function ensureTool() {
  if (existsSync(join(tools, 'node_modules/@stryker-mutator/vitest-runner/package.json'))) return
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'package.json'), '{"private":true}\n')
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`)
  execFileSync('npm', ['install', '--prefix', tools, '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    stdio: 'inherit',
  })
}

/** Copies the server and links node_modules, so that a run never changes the checkout. */
function copyFor(group, { mutate, tests }) {
  const copy = mkdtempSync(join(tmpdir(), `zhugong-mutation-${group}-`))
  const server = join(copy, 'apps/server')
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(root, 'apps/server', part), join(server, part), { recursive: true })
  for (const part of ['tsconfig.base.json', 'package.json']) cpSync(join(root, part), join(copy, part))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(
    join(server, 'vitest.config.mjs'),
    `export default { test: { include: ${JSON.stringify(tests.filter((t) => existsSync(join(server, t))))}, testTimeout: 60000 } }\n`,
  )
  const only = process.env.SINCE
  writeFileSync(
    join(server, 'stryker.config.json'),
    JSON.stringify({
      plugins: [join(tools, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
      testRunner: 'vitest',
      vitest: { configFile: 'vitest.config.mjs', related: false },
      mutate: only ? mutate.filter((m) => m.endsWith(only)) : mutate,
      inPlace: true,
      coverageAnalysis: 'perTest',
      concurrency: Number(process.env.JOBS ?? 1),
      timeoutMS: 6_000,
      reporters: ['json'],
      jsonReporter: { fileName: 'mutation.json' },
      thresholds: { high: 95, low: wanted, break: null },
      allowEmpty: true,
    }),
  )
  return { copy, server }
}

const run = (cwd, args) =>
  new Promise((resolve, reject) => {
    // 1,000 random events are enough to detect the mutations that the long random tests can detect.
    const env = { ...process.env, RULES_MODEL_EVENTS: '1000' }
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`mutation run ended with ${code}`))))
  })

const caught = new Set(['Killed', 'Timeout'])
const open = new Set(['Survived', 'NoCoverage'])

/** Prints the surviving mutants by place and returns the score in per cent. */
function report(group, server) {
  const { files } = JSON.parse(readFileSync(join(server, 'mutation.json'), 'utf8'))
  let [good, bad] = [0, 0]
  for (const [name, { mutants, source }] of Object.entries(files)) {
    const lines = source.split('\n')
    const killed = mutants.filter((m) => caught.has(m.status)).length
    const left = mutants.filter((m) => open.has(m.status))
    good += killed
    bad += left.length
    if (killed + left.length)
      console.log(`  ${name}  ${((100 * killed) / (killed + left.length)).toFixed(1)} %  (${killed} of ${killed + left.length})`)
    for (const m of left) {
      const { line, column } = m.location.start
      const place = lines[line - 1]
        ?.slice(column - 1)
        .split('\n')[0]
        ?.slice(0, 70)
      console.log(
        `    ${line}:${column} ${m.status === 'NoCoverage' ? 'never run' : m.mutatorName}: ${place} -> ${m.replacement?.replaceAll(/\s+/g, ' ').slice(0, 60)}`,
      )
    }
  }
  const score = (100 * good) / (good + bad)
  console.log(`${group}  ${score.toFixed(1)} %  caught ${good}, survived ${bad}, wanted ${wanted} %`)
  return score
}

await main(async () => {
  await ensurePackages()
  ensureTool()
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !groups[name])
  if (unknown.length) throw new Error(`no group ${unknown.join(', ')}: ${Object.keys(groups).join(', ')}`)
  let low = 0
  for (const name of asked.length ? asked : Object.keys(groups)) {
    const { copy, server } = copyFor(name, groups[name])
    try {
      await run(server, [join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', 'stryker.config.json'])
      if (report(name, server) < wanted) low++
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
  return low === 0 ? 0 : 1
})
