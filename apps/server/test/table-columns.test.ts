import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import ts from 'typescript'
import { beforeAll, expect, inject, test } from 'vitest'
import { databaseUrl } from './world.ts'

/** Every table is declared in a `tables.ts` with its columns and their nullability. */
const source = join(import.meta.dirname, '../src')
/** Maintained by the migrations themselves. */
const ofMigrations = 'migration'

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

interface Declared {
  file: string
  /** Nullability by column. */
  columns: Map<string, boolean>
}

const statements = (file: string) => [...ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest).statements]
const shared = statements(join(source, 'kit/columns.ts'))

/** Null directly, through an alias of its file or of `kit/columns.ts`, or in the first argument of a wrapper such as `Generated<...>`. */
function mayBeNull(type: ts.TypeNode | undefined, all: readonly ts.Statement[]): boolean {
  if (!type) return false
  if (ts.isUnionTypeNode(type)) return type.types.some((one) => mayBeNull(one, all))
  if (ts.isLiteralTypeNode(type)) return type.literal.kind === ts.SyntaxKind.NullKeyword
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return false
  const name = type.typeName.text
  const alias = all.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === name)
  if (alias && ts.isTypeAliasDeclaration(alias)) return mayBeNull(alias.type, all) || mayBeNull(type.typeArguments?.[0], all)
  return ['ColumnType', 'Generated'].includes(name) && mayBeNull(type.typeArguments?.[0], all)
}

function columnsOf(name: string, all: readonly ts.Statement[]): Map<string, boolean> {
  const found = all.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name)
  if (!found || !ts.isInterfaceDeclaration(found)) return new Map()
  const above = (found.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression }) => (ts.isIdentifier(expression) ? [expression.text] : [])),
  )
  const own = found.members.flatMap((member) =>
    ts.isPropertySignature(member) && ts.isIdentifier(member.name) ? [[snake(member.name.text), mayBeNull(member.type, all)] as const] : [],
  )
  return new Map([...above.flatMap((one) => [...columnsOf(one, all)]), ...own])
}

function tablesOf(all: readonly ts.Statement[]): [string, string][] {
  return all.flatMap((one) => {
    if (!ts.isModuleDeclaration(one) || !one.body || !ts.isModuleBlock(one.body)) return []
    return one.body.statements.flatMap((inner) =>
      ts.isInterfaceDeclaration(inner)
        ? inner.members.flatMap((member): [string, string][] =>
            ts.isPropertySignature(member) &&
            member.type &&
            ts.isTypeReferenceNode(member.type) &&
            ts.isIdentifier(member.type.typeName) &&
            ts.isIdentifier(member.name)
              ? [[snake(member.name.text), member.type.typeName.text]]
              : [],
          )
        : [],
    )
  })
}

function declaredTables(): Map<string, Declared> {
  const found = new Map<string, Declared>()
  for (const file of globSync('domains/**/tables.ts', { cwd: source })) {
    const all = statements(join(source, file))
    for (const [table, type] of tablesOf(all)) {
      if (found.has(table)) throw new Error(`${table} is declared twice: ${file}, ${found.get(table)?.file}`)
      found.set(table, { file, columns: columnsOf(type, [...all, ...shared]) })
    }
  }
  return found
}

const real = new Map<string, Map<string, boolean>>()
beforeAll(async () => {
  const client = new pg.Client({ connectionString: databaseUrl(inject('postgresUrl'), 'zg_template') })
  await client.connect()
  const { rows } = await client.query<{ table: string; column: string; isNullable: boolean }>(
    `select c.relname as "table", a.attname as "column", not a.attnotnull and a.attgenerated = '' as "isNullable" from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped`,
  )
  for (const row of rows) real.set(row.table, (real.get(row.table) ?? new Map()).set(row.column, row.isNullable))
  real.delete(ofMigrations)
  await client.end()
})

const declared = declaredTables()

test('every table is declared, and what is declared exists', () => {
  expect([...real.keys()].filter((table) => !declared.has(table))).toEqual([])
  expect([...declared.keys()].filter((table) => !real.has(table))).toEqual([])
})

test('a declaration has the columns of its table', () => {
  const wrong = [...declared].flatMap(([table, { file, columns }]) => {
    const own = real.get(table) ?? new Map<string, boolean>()
    const missing = [...own.keys()].filter((column) => !columns.has(column)).map((column) => `${column} is missing`)
    const strange = [...columns.keys()].filter((column) => !own.has(column)).map((column) => `${column} does not exist`)
    const unlike = [...columns]
      .filter(([column, isNullable]) => own.has(column) && own.get(column) !== isNullable)
      .map(([column, isNullable]) => `${column} may${isNullable ? ' not' : ''} be null`)
    return [...missing, ...strange, ...unlike].map((what) => `${file} ${table}: ${what}`)
  })
  expect(wrong).toEqual([])
})
