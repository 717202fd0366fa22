import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { CamelCasePlugin, type QueryExecutorProvider, type RawNode, sql } from 'kysely'
import pg from 'pg'

/**
 * Records the result columns of each hand-written SQL statement while tests run, with their JavaScript types. `scripts/sql-rows.mjs` checks
 * the row types in the sources against them. Writes one JSON line per statement and kind of result.
 */
const folder = join(import.meta.dirname, '../../../.cache/sql-rows')
/** Matches the source file that issued a statement, not the code that passes it on. */
const sources = /\/(apps\/server\/src\/(?!kit\/prepared\.ts)[^:()\s]+\.ts):(\d+)/

/** Recorded texts per statement: filters and orders produce endless texts, but few different column lists. */
const triesPerPlace = 100
/** Recorded results per statement; after so many, new column types are unlikely. */
const answersPerPlace = 500
/** Limit of distinct texts that are not hand-written: there are endless ones, and each needs a stack trace. */
const mostTexts = 3_000

interface Place {
  /** Its SQL fragments between the parameters; null when the statement is a plain string. */
  parts: readonly string[] | null
  file: string
  line: number
  tries: number
  answers: number
}

type Result = { fields?: pg.FieldDef[]; rows?: Record<string, unknown>[] }

const byParts = new WeakMap<readonly string[], Place | 'nobody'>()
const byText = new Map<string, Place | 'nobody'>()
/** The source place of each statement text that is about to run. */
const wanted = new Map<string, Place>()
const written = new Set<string>()

function place(parts: readonly string[] | null): Place | 'nobody' {
  const [, file, line] = sources.exec(new Error().stack ?? '') ?? []
  return file ? { parts, file, line: Number(line), tries: 0, answers: 0 } : 'nobody'
}

/** One value of each type (by OID) in PostgreSQL's text format; other types arrive as text. */
const samples: Record<number, string> = {
  16: 't',
  17: '\\x00',
  20: '1',
  21: '1',
  23: '1',
  26: '1',
  700: '1',
  701: '1',
  1000: '{t}',
  1005: '{1}',
  1007: '{1}',
  1009: '{a}',
  1014: '{a}',
  1015: '{a}',
  1016: '{1}',
  1021: '{1}',
  1022: '{1}',
  1082: '2026-03-01',
  1114: '2026-03-01 08:00:00',
  1115: '{"2026-03-01 08:00:00"}',
  1182: '{2026-03-01}',
  1184: '2026-03-01 08:00:00+00',
  1185: '{"2026-03-01 08:00:00+00"}',
  1231: '{1}',
  1700: '1',
}
const json = [114, 3802]

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return `${nameOf(value[0])}[]`
  if (value instanceof Date) return 'Date'
  return value instanceof Uint8Array ? 'bytes' : typeof value
}

function kindOf(oid: number): string {
  if (json.includes(oid)) return 'json'
  if (oid === 199 || oid === 3807) return 'json[]'
  return nameOf(pg.types.getTypeParser(oid, 'text')(samples[oid] ?? ''))
}

class Names extends CamelCasePlugin {
  /** The name of a column in JavaScript. */
  of = (name: string) => this.camelCase(name)
}
const names = new Names()

function keep(place: Place, { fields, rows = [] }: Result): void {
  if (!fields?.length || place.answers++ > answersPerPlace) return
  const { parts, file, line } = place
  // A null literal has the type text: only a value proves the type of the column.
  const columns = fields.map(({ name, dataTypeID }) => [
    parts ? names.of(name) : name,
    dataTypeID === pg.types.builtins.TEXT && rows.every((row) => row[name] === null) ? 'null' : kindOf(dataTypeID),
  ])
  const text = JSON.stringify({ file, line, parts, columns })
  if (written.has(text)) return
  written.add(text)
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${text}\n`)
}

const raw = Object.getPrototypeOf(sql`x`) as {
  execute(provider: QueryExecutorProvider, options?: unknown): Promise<unknown>
  compile(provider: QueryExecutorProvider): { sql: string }
  toOperationNode(): RawNode
}
function listenToStatements(): void {
  const { execute } = raw
  raw.execute = function (provider, options) {
    const parts = this.toOperationNode().sqlFragments
    const known = byParts.get(parts) ?? place(parts)
    byParts.set(parts, known)
    if (known !== 'nobody' && known.tries++ < triesPerPlace) wanted.set(this.compile(provider).sql, known)
    return execute.call(this, provider, options)
  }
}

type Query = (this: unknown, ...given: unknown[]) => unknown

function textOf(given: unknown): string | undefined {
  return typeof given === 'string' ? given : (given as { text?: string } | undefined)?.text
}

function whoseIs(text: string): Place | 'nobody' {
  const known = wanted.get(text) ?? byText.get(text)
  if (known || byText.size >= mostTexts) return known ?? 'nobody'
  const found = place(null)
  byText.set(text, found)
  return found
}

function listening(query: Query): Query {
  return function (...given) {
    const text = textOf(given[0])
    const answer = query.apply(this, given)
    if (text === undefined || !(answer instanceof Promise)) return answer
    const whose = whoseIs(text)
    if (whose === 'nobody') return answer
    answer.then(
      (result: Result) => keep(whose, result),
      () => {},
    )
    return answer
  }
}

// A worker runs this module before each test file: install the hooks once.
const listened = Symbol.for('zhugong.seen-rows')
if (!(listened in globalThis)) {
  Object.defineProperty(globalThis, listened, { value: true })
  listenToStatements()
  for (const spoken of [pg.Client.prototype, pg.Pool.prototype] as unknown as { query: Query }[]) spoken.query = listening(spoken.query)
}
