import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import { anyOf, type Condition, condition, contains, filtersOf } from './list.ts'

interface Query {
  page: number
  size: number
  sort?: string
  name?: string
  kinds?: string[]
  late?: boolean
  projectCode?: string
}
const offline = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const compiled = (where: Condition): Pick<CompiledQuery, 'sql' | 'parameters'> => where.compile(offline)
const where = (query: Partial<Query>) =>
  compiled(
    filtersOf(query, {
      name: [contains, 't.name'],
      kinds: [anyOf, 't.kind'],
      late: (value) => condition(sql`t.late = ${value}`),
      projectCode: 'elsewhere',
    }),
  )

test('what is set is filtered by, in the order of the map', () => {
  expect(where({ page: 1, size: 20, sort: 'name', kinds: ['1'], name: '钢筋', projectCode: 'P1' })).toMatchObject({
    sql: '"t"."name" like $1 and "t"."kind" = any ($2)',
    parameters: ['%钢筋%', ['1']],
  })
})

test('false is a value, an empty text is none', () => {
  expect(where({ late: false, name: '' })).toMatchObject({ sql: 't.late = $1', parameters: [false] })
  expect(where({}).sql).toBe('true')
})

test('a name of the query without SQL does not compile', () => {
  // @ts-expect-error: no map contains `kinds`
  const lacking = filtersOf({ page: 1, size: 20, kinds: ['1'] } as Query, {
    name: [contains, 't.name'],
    late: () => condition(sql`true`),
    projectCode: 'elsewhere',
  })
  expect(compiled(lacking).sql).toBe('true')
})
