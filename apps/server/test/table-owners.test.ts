import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { allFixtures } from './fixtures/all.ts'
import { databaseUrl } from './world.ts'

/**
 * A table is written only by the domain that declares it in its tables.ts, so that all changes are found in one place. Exceptions are in the fixtures
 * of the writing domain, with the reason.
 */
const domains = join(import.meta.dirname, '../src/domains')

/** Permitted exceptions, as `domain > table`. */
const across = allFixtures.flatMap(({ domain, writes = {} }) => Object.keys(writes).map((table) => `${domain} > ${table}`))

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

function declared(): Map<string, string> {
  const owner = new Map([['migration', 'kit']])
  for (const file of globSync('**/tables.ts', { cwd: domains })) {
    const body = /interface Tables \{([^}]*)\}/.exec(readFileSync(join(domains, file), 'utf8'))?.[1] ?? ''
    for (const [, name = ''] of body.matchAll(/^\s*'?(\w+)'?:/gm)) owner.set(snake(name), file.split('/')[0] ?? '')
  }
  return owner
}

const writers = [
  /\binsert\s+into\s+(\w+)/gi,
  /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\bdelete\s+from\s+(?:only\s+)?(\w+)/gi,
  /\bmerge\s+into\s+(\w+)/gi,
  /\btruncate\s+(?:table\s+)?(\w+)/gi,
  /\bcopy\s+(\w+)\s*(?:\(|from)/gi,
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
  /\bchangeRow\(\s*(?:\w+|\{[^}]*\}),\s*'(\w+)/g,
]

/** Tables that a source names in writing statements. */
export function written(source: string, tables: ReadonlySet<string>): string[] {
  const names = writers.flatMap((one) => [...source.matchAll(one)].map(([, name = '']) => snake(name)))
  return [...new Set(names)].filter((name) => tables.has(name))
}

let tables: ReadonlySet<string>
const owner = declared()
beforeAll(async () => {
  const client = new pg.Client({ connectionString: databaseUrl(inject('postgresUrl'), 'zg_template') })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  tables = new Set(rows.map((row) => row.name))
  await client.end()
})

test('a source is searched for every way of writing', () => {
  const known = new Set(['team', 'project_worker', 'alarm', 'org_node'])
  const source = `sql\`update team t set a = 1\`; db.insertInto('projectWorker').values(x); changeRow({ ...ctx, db }, 'orgNode', x); sql\`delete from alarm where 1 = 0\`; sql\`select * from team for update\``
  expect(written(source, known).sort()).toEqual(['alarm', 'org_node', 'project_worker', 'team'])
  expect(written('select 1 from team on conflict do update set x = 1', known)).toEqual([])
})

test('every table belongs to a domain', () => {
  const ownerless = [...tables].filter((name) => !owner.has(name))
  expect(ownerless, 'declare it in the tables.ts of its domain').toEqual([])
  const gone = [...owner.keys()].filter((name) => !tables.has(name))
  expect(gone, 'no such table: remove it from tables.ts or from `tables` in the fixtures').toEqual([])
})

test('a domain writes its own tables', () => {
  const found = new Map<string, string[]>()
  for (const file of globSync('*/**/*.ts', { cwd: domains })) {
    if (/(\.test|\.fixtures|-for-test)\.ts$/.test(file)) continue
    const domain = file.split('/')[0] ?? ''
    for (const table of written(readFileSync(join(domains, file), 'utf8'), tables)) {
      if (owner.get(table) === domain) continue
      const key = `${domain} > ${table}`
      found.set(key, [...(found.get(key) ?? []), file])
    }
  }
  const strange = [...found]
    .filter(([key]) => !across.includes(key))
    .map(([key, files]) => `${key} (${owner.get(key.split(' > ')[1] ?? '')}): ${files.join(' ')}`)
  expect(strange, 'call its public.ts, or give the reason in `writes` of a *.fixtures.ts of the writing domain').toEqual([])
  const unused = across.filter((key) => !found.has(key))
  expect(unused, 'not written any more: remove it from `writes`').toEqual([])
})
