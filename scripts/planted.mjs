/**
 * Inserts one fault after another into a copy of the project, and checks that the matching check fails and names the fault. Not part of
 * `npm test`, because it tests the checks themselves.
 *
 *   node scripts/planted.mjs [name...]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ensurePackages, main, root } from './bootstrap.mjs'

const node = join(root, 'node_modules/.bin/node')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const linesShown = 8

const types = (part) => [[join(root, 'node_modules/typescript-7/bin/tsc'), '-p', part]]
const serverTest = (file) => [vitest, 'run', '--project', 'server', file]

const teamPage = 'apps/web/src/domains/labour/team-list-page.tsx'
const teamStore = 'apps/server/src/domains/labour/team-rows.ts'
const teamExport = 'apps/server/src/domains/labour/team-export.ts'
const teamCalls = 'packages/contract/src/labour/teams.ts'

/** `find` is replaced by `put`; the output of the failing check must match `says`. */
const plants = {
  filter: {
    what: 'a column filtered by a name the list does not take',
    file: teamPage,
    find: "key: 'projectName',\n",
    put: "key: 'projectName',\n      filter: 'text',\n",
    runs: types('apps/web'),
    says: /team-list-page.*filter|filter.*team-list-page/s,
  },
  'sort-on-page': {
    what: 'a column sorted by a name the list does not know',
    file: teamPage,
    find: "key: 'projectName',\n",
    put: "key: 'projectName',\n      sort: true,\n",
    runs: types('apps/web'),
    says: /team-list-page/,
  },
  'sort-on-server': {
    what: 'an order the contract promises and the store has not',
    file: teamStore,
    find: "      projectCount: 't.projectCount',\n",
    put: '',
    runs: types('apps/server'),
    says: /team-rows\.ts.*projectCount/s,
  },
  'filter-on-server': {
    what: 'a filter the contract promises and the store has not',
    file: teamStore,
    find: "      workType: [anyOf, 't.workType'],\n",
    put: '',
    runs: types('apps/server'),
    says: /team-rows\.ts.*workType/s,
  },
  'row-key': {
    what: 'a key of a row that neither the database nor the store gives a value',
    file: teamStore,
    find: "    workTypeName: dictName('workerType', t.workType),\n",
    put: '',
    runs: types('apps/server'),
    says: /team-rows\.ts.*workTypeName/s,
  },
  'export-cell': {
    what: 'a cell in the export for a column the list does not have',
    file: teamExport,
    find: '      corpCode: (t) => t.corpName,\n',
    put: '      corpCode: (t) => t.corpName,\n      badCounts: (t) => t.badCount,\n',
    runs: types('apps/server'),
    says: /team-export\.ts.*no such column in the contract/,
  },
  'export-cell-missing': {
    what: 'a column of an export that neither the row nor a cell gives a value',
    file: teamCalls,
    find: "    badCount: '",
    put: "    planted: '埋设',\n    badCount: '",
    runs: types('apps/server'),
    says: /team-export\.ts.*planted.*give the column a cell|give the column a cell.*planted/s,
  },
  'foreign-write': {
    what: 'a domain that writes the table of another',
    file: teamStore,
    find: "export const order = (sort: Filters['sort'])",
    put: "export const planted = sql`update attendance_setting set remark = ''`\nexport const order = (sort: Filters['sort'])",
    runs: [serverTest('table-owners')],
    says: /labour > attendance_setting/,
  },
  'unmarked-id': {
    what: 'an id in a query that nobody says the owner of',
    file: teamCalls,
    find: "    corpCode: pointsTo('corporation', text(50)).optional(),\n    headcount",
    put: '    corpCode: text(50).optional(),\n    headcount',
    runs: [serverTest('test/references')],
    says: /GET \/api\/v1\/oa\/team query corpCode/,
  },
  'unopened-page': {
    what: 'a page of one record that no test can open',
    file: 'apps/web/src/domains/labour/pages.ts',
    find: "path: '/unitListStock',",
    put: "path: '/unitListStock/:id',",
    runs: [[vitest, 'run', '--project', 'pages']],
    says: /\/unitListStock\/:id/,
  },
  'form-field': {
    what: 'a field of a form that the body of its calls does not have',
    file: 'apps/web/src/domains/equipment/brand-form-page.tsx',
    find: '<Field name="alias"',
    put: '<Field name="alais"',
    runs: types('apps/web'),
    says: /brand-form-page\.tsx.*alais.*Did you mean '"alias"'/s,
  },
  'answer-key': {
    what: 'an answer with a key its contract does not declare',
    file: 'apps/server/src/domains/prevention/settings.ts',
    find: 'gates.map(({ mean: _, bias, ...gate })',
    put: 'gates.map(({ bias, ...gate })',
    runs: [serverTest('domains/prevention/prevention.test')],
    says: /temperature\/alarm\/setting.*gates\[\]\.mean.*declare them/s,
  },
  'sql-row': {
    what: 'a row type with a field its statement does not answer',
    file: teamStore,
    find: "type RawStay = Row<'projectTeam'> & {\n",
    put: "type RawStay = Row<'projectTeam'> & {\n  planted: string\n",
    runs: [serverTest('labour/labour.test.ts'), ['scripts/sql-rows.mjs']],
    says: /team[\w-]*\.ts:\d+ .*planted/,
  },
  'sql-kind': {
    what: 'a row type that calls a number text',
    file: teamStore,
    find: '  headcount: number\n  everCount',
    put: '  headcount: string\n  everCount',
    runs: [serverTest('labour/labour.test.ts'), ['scripts/sql-rows.mjs']],
    says: /team[\w-]*\.ts:\d+ .*headcount.*number/,
  },
}

const leftOut = new Set(['node_modules', 'dist', '.cache', '.git'])

/** Copies the sources and links the third-party packages. The packages of the project itself resolve into the copy. */
function copyOfTheHouse() {
  const copy = mkdtempSync(join(tmpdir(), 'zhugong-planted-'))
  for (const part of readdirSync(root)) {
    if (leftOut.has(part)) continue
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: (from) => !leftOut.has(basename(from)) })
  }
  const packages = join(copy, 'node_modules')
  mkdirSync(join(packages, '@zhugong'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@zhugong' && !name.startsWith('.vite')) symlinkSync(join(root, 'node_modules', name), join(packages, name))
  for (const [name, path] of Object.entries({
    contract: 'packages/contract',
    simulator: 'packages/simulator',
    server: 'apps/server',
    web: 'apps/web',
    e2e: 'e2e',
  }))
    symlinkSync(join(copy, path), join(packages, '@zhugong', name))
  return copy
}

function runIn(copy, args) {
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: copy, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  return { failed: status !== 0, said: `${stdout}${stderr}` }
}

/** Returns the lines of the output that name the fault, with the lines around them. */
function shown(said, says) {
  const lines = said.split('\n').filter((line) => line.trim())
  const places = [says, /error TS|AssertionError/].map((words) => lines.findIndex((line) => words.test(line)))
  const from = places.find((at) => at >= 0) ?? 0
  return lines
    .slice(from, from + linesShown)
    .map((line) => `    ${line.slice(0, 220)}`)
    .join('\n')
}

function tryOne(copy, [name, { what, file, find, put, runs, says }]) {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  if (!before.includes(find)) {
    console.log(`✗ ${name}: ${what}: the place to plant it in ${file} is gone`)
    return false
  }
  writeFileSync(path, before.replace(find, put))
  let last
  for (const args of runs) last = runIn(copy, args)
  writeFileSync(path, before)
  const noticed = last.failed && says.test(last.said)
  console.log(`${noticed ? '✓' : '✗'} ${name}: ${what}${noticed ? '' : last.failed ? ' — fails, but does not name it' : ' — NOT noticed'}`)
  console.log(shown(last.said, says))
  return noticed
}

await main(async () => {
  await ensurePackages()
  const wanted = Object.entries(plants).filter(([name]) => process.argv.length < 3 || process.argv.slice(2).includes(name))
  const copy = copyOfTheHouse()
  try {
    const missed = wanted.filter((plant) => !tryOne(copy, plant))
    console.log(`\n${wanted.length} planted, ${wanted.length - missed.length} noticed`)
    return missed.length ? 1 : 0
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
