import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase } from './world.ts'

/** An operator's first hour with the manual: every command works, or says what to do first. */
const root = join(import.meta.dirname, '../../..')
const manual = readFileSync(join(root, 'docs/operating.md'), 'utf8')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** The Node from the packages, and an older one if the machine has one. */
const nodes = [process.execPath, '/usr/bin/node'].filter((one) => existsSync(one))

let empty: Awaited<ReturnType<typeof cloneDatabase>>
let folder = ''
beforeAll(async () => {
  empty = await cloneDatabase(inject('postgresUrl'), 'template1')
  folder = mkdtempSync(join(tmpdir(), 'zg-first-'))
})
afterAll(async () => {
  await empty.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `node scripts/program.mjs …` like `npm run admin` does. */
function program(node: string, args: readonly string[], env: Record<string, string>): Promise<{ code: number; told: string }> {
  return new Promise((resolve) => {
    const given = { ...process.env, DATABASE_URL: '', DATABASE_OWNER_URL: '', DATA_DIR: folder, SECRET_KEY: '', LOG_LEVEL: 'warn', ...env }
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
    execFile(node, ['scripts/program.mjs', ...args], { cwd: root, env: set }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, told: `${out}${err}` }),
    )
  })
}

const key = 'a test key of at least thirty-two characters'

test.each(nodes)('%s: an empty database asks for its tables, gets them, and then its administrator', async (node) => {
  const database = node === process.execPath ? empty : await cloneDatabase(inject('postgresUrl'), 'template1')
  const env = { DATABASE_URL: database.url, SECRET_KEY: key }
  const early = await program(node, ['admin', 'first-admin'], env)
  expect(early).toMatchObject({ code: 2, told: expect.stringContaining('node scripts/program.mjs migrate') })
  expect(early.told).not.toContain('    at ')
  expect(await program(node, ['migrate'], env)).toMatchObject({ code: 0, told: expect.stringContaining('已应用') })
  expect(await program(node, ['migrate'], env)).toMatchObject({ code: 0, told: expect.stringContaining('数据库已是最新') })
  expect(await program(node, ['admin', 'first-admin'], env)).toMatchObject({ code: 0, told: expect.stringContaining('初始密码') })
  if (database !== empty) await database.drop()
})

test('without DATABASE_URL the embedded database is meant, and says who fills it', async () => {
  const { code, told } = await program(process.execPath, ['admin', 'first-admin'], {})
  expect({ code, told }).toMatchObject({ code: 2, told: expect.stringContaining('npm start') })
})

test.each([
  ['a variable that is missing', { DATABASE_URL: 'postgres://nobody@127.0.0.1/x' }, 'SECRET_KEY'],
  ['an address that is none', { DATABASE_URL: 'mysql://x', SECRET_KEY: key }, 'DATABASE_URL'],
])('%s is named', async (_what, env, name) => {
  const { code, told } = await program(process.execPath, ['migrate'], env)
  expect({ code, told }).toMatchObject({ code: 2, told: expect.stringContaining(name) })
  expect(told).not.toContain('    at ')
})

test('every command the manual and README name is there, and runs on the Node they name', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const commands = [...`${manual}${readme}`.matchAll(/npm run ([\w:]+)(?![\w:]| -w)/g)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(8)
  // If this fails: add the script to package.json, or correct the manual.
  expect([...new Set(commands)].filter((name) => !(name in scripts))).toEqual([])
  for (const [, file = ''] of `${manual}${readme}`.matchAll(/\bnode ((?:scripts|apps)\/\S+\.(?:mjs|ts))/g)) {
    expect(existsSync(join(root, file)), file).toBe(true)
    // An older Node cannot run TypeScript, so the manual only uses scripts/.
    expect(file).toMatch(/^scripts\//)
  }
})

test('the service file runs what is there and does not restart what only a person can mend', () => {
  const unit = readFileSync(join(root, 'docs/zhugong.service'), 'utf8')
  const [, program = '', mode] = /ExecStart=\/opt\/zhugong\/\S*node (\S+) (\w+)/.exec(unit) ?? []
  expect(existsSync(join(root, program))).toBe(true)
  expect([mode, unit.includes('RestartPreventExitStatus=2')]).toEqual(['serve', true])
})
