import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Checks on the source text: no SQL built from external values, no secrets in the repository. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  .split('\0')
  .filter((path) => path && existsSync(`${root}${path}`) && statSync(`${root}${path}`).isFile())
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const product = tracked.filter((path) => /^apps\/server\/src\/.*(?<!\.test|-for-test)\.ts$/.test(path))

/** Files that build SQL from text, the expressions used, and why they are safe: constants of the product or names from the database. */
const built: Readonly<Record<string, { words: readonly string[]; because: string }>> = {
  'apps/server/src/demo/seed-attendance.ts': { words: ["columns.join(', ')", 'table'], because: 'written in the same file' },
  'apps/server/src/demo/seed-pictures.ts': { words: ['table'], because: 'written in the same file' },
  'apps/server/src/domains/attendance/day-list.ts': { words: ['sql.raw'], because: 'numbers of the contract’s table of faults' },
  'apps/server/src/domains/attendance/facts-store.ts': { words: ['sql.raw'], because: 'columns written in the same file' },
  'apps/server/src/domains/daylogs/daylogs.fixtures.ts': {
    words: ['columns[table]?.[0]', 'columns[table]?.[1]', 'table'],
    because: 'written in the same file',
  },
  'apps/server/src/domains/documents/documents.fixtures.ts': { words: ['columns'], because: 'written in the same file' },
  'apps/server/src/domains/equipment/fleet.ts': { words: ['channel', 'where'], because: 'written in the same file' },
  'apps/server/src/domains/monitoring/cycles/watch.ts': {
    words: ['devicesAtOnce', 'readingsAtOnce'],
    because: 'numbers written in the same file',
  },
  'apps/server/src/domains/notify/dues.ts': { words: ['perBatch'], because: 'a number written in the same file' },
  'apps/server/src/domains/notify/happenings.ts': { words: ['perBatch'], because: 'a number written in the same file' },
  'apps/server/src/domains/notify/telling.ts': { words: ['alarmSql', 'perBatch'], because: 'written in the same file' },
  'apps/server/src/domains/notify/warnings.ts': { words: ['perBatch'], because: 'a number written in the same file' },
  'apps/server/src/domains/rules/stored.ts': { words: ["ids ? 'where id = any ($1)' : ''"], because: 'one of two texts' },
  'apps/server/src/domains/telemetry/hj212/stations.ts': { words: ["id ? 'where id = $1' : ''"], because: 'one of two texts' },
  'apps/server/src/domains/telemetry/store.ts': {
    words: ['columns', 'isNewer', 'isSameSubject', 'keptOn', 'table', 'target'],
    because: 'written in the same file; partitions by day',
  },
  'apps/server/src/kit/backup/backup.ts': {
    words: ['list', 'pg.escapeIdentifier(name)'],
    because: 'names of the database’s catalogue, quoted',
  },
  'apps/server/src/kit/backup/restore.ts': {
    words: [
      'bound',
      'link.definition',
      'link.table',
      'name(link.name)',
      'name(one.name)',
      'name(parent)',
      'name(part)',
      'name(table.name)',
      'one.table',
      "table.columns.map(name).join(', ')",
      'tables',
    ],
    because: 'names of the database’s catalogue and of a signed manifest, quoted; run by an operator into an empty database',
  },
  'apps/server/src/kit/db.ts': { words: ['sql.raw'], because: 'a mark with the name of one of three database roles' },
  'apps/server/src/kit/database-logins.ts': { words: ['pg.escapeIdentifier(login.name)'], because: 'the operator’s own login, quoted' },
  'apps/server/src/kit/listen.ts': { words: ['pg.escapeIdentifier(channel)'], because: 'channels of the product, quoted' },
  'apps/server/src/kit/postgres/launcher.ts': { words: ['APP', 'RUN'], because: 'two names written in the same file' },
}

/** SQL passed to the driver as a template with expressions (the tagged `sql` binds them), and `sql.raw`. */
const templates = /(?:\.query(?:<[^;]{0,300}?>)?|\bnew (?:Cursor|Query)|\bcopy(?:From|To))\(\s*`([^`]*)`/g

function wordsOf(path: string): string[] {
  const text = read(path)
  const put = [...text.matchAll(templates)].flatMap(([, sql = '']) => [...sql.matchAll(/\$\{([^}]*)\}?/g)].map(([, word = '']) => word))
  return [...new Set([...put, ...(/\bsql\.raw\(/.test(text) ? ['sql.raw'] : [])])].sort()
}

test('SQL is put together of these words only, none of them from outside', () => {
  expect(product.length).toBeGreaterThan(200)
  const found = product.map((path) => [path, wordsOf(path)] as const).filter(([, words]) => words.length > 0)
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.entries(built).map(([path, { words }]) => [path, words])))
})

test('nothing that was written down is run: no text becomes a program', () => {
  const runs = /\beval\(|\bnew Function\(|from 'node:vm'|\bexecSync\(|\bexec\(`|shell: true/
  expect(product.filter((path) => runs.test(read(path)))).toEqual([])
})

/** Patterns of keys and passwords committed by mistake. */
const secrets: readonly [string, RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['a cloud’s access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bLTAI[0-9A-Za-z]{12,24}\b|\bAKID[0-9A-Za-z]{32}\b/],
  ['a token of a code host or registry', /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_\w{60,}|glpat-[\w-]{20}|npm_[0-9A-Za-z]{36})\b/],
  ['a token of a messenger', /\bxox[abprs]-[\w-]{20,}/],
  ['a key of a service', /\bsk-[0-9A-Za-z_-]{32,}\b|\bAIza[\w-]{35}\b/],
  ['a signed token', /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/],
  [
    'an address with a password',
    /\b(?:postgres(?:ql)?|mqtts?|smtps?|redis|https?):\/\/[^\s:@/'"`{}$]+:(?!\*+@|口令@|密码@)[^\s:@/'"`{}$]{3,}@(?!localhost|127\.)/,
  ],
]
/** Permitted examples that are not secrets. */
const examples: readonly RegExp[] = []

test('no file that is kept holds a secret', () => {
  const found: string[] = []
  let looked = 0
  for (const path of tracked) {
    if (/\.(?:png|jpe?g|webp|woff2?|gz|zip|xlsx|ico|pdf)$/.test(path)) continue
    const text = read(path)
    looked++
    for (const [what, form] of secrets) {
      const hit = form.exec(text)?.[0]
      if (hit && !examples.some((one) => one.test(hit))) found.push(`${path}: ${what}: ${hit.slice(0, 30)}…`)
    }
  }
  expect(looked).toBeGreaterThan(500)
  expect(found).toEqual([])
})

test('the scan knows a secret when it sees one', () => {
  const planted = [
    `-----BEGIN ${'RSA'} PRIVATE KEY-----`,
    `${'AKIA'}ABCDEFGHIJKLMNOP`,
    `${'ghp_'}${'a'.repeat(36)}`,
    `${'postgres'}://zhugong:hunter22@db.example/zhugong`,
  ]
  for (const text of planted) expect([text, secrets.some(([, form]) => form.test(text))]).toEqual([text, true])
})

test('no keys, databases or settings of a machine are kept', () => {
  expect(
    tracked.filter((path) => /(?:^|\/)(?:\.env(?:\..*)?|.*\.(?:pem|key|p12|pfx|jks|sqlite3?|dump)|id_(?:rsa|ed25519)|\.npmrc)$/.test(path)),
  ).toEqual([])
})

test('every package the product runs with is pinned by its content', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { link?: boolean; resolved?: string; integrity?: string; dev?: boolean }>
  }
  const loose = Object.entries(packages).filter(([path, one]) => path.includes('node_modules/') && !one.link && !one.dev && !one.integrity)
  expect(loose.map(([path]) => path)).toEqual([])
  const elsewhere = Object.values(packages).filter((one) => one.resolved && !one.link && !/^https:\/\//.test(one.resolved))
  expect(elsewhere.map((one) => one.resolved)).toEqual([])
})
