import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * A statement becomes a prepared statement when a connection runs it for the second time. This saves the planning of row-level security: 3
 * ms of 4 for a page of a list with joins. The server chooses between a generic and a custom plan by the cost of the first five executions.
 * A statement that runs once, with its own filter, is not prepared.
 */
const oftenEnough = 2
/**
 * Maximum number of statements that a connection prepares and counts. The prepared ones use some twenty megabytes of server memory,
 * released when the connection reaches its lifetime (`connectionSeconds`). On a new connection the most frequent statements are prepared
 * first again.
 */
const most = { named: 100, counted: 1_000 }
export const connectionSeconds = 1_800

/** Prefix of the statement that sets a transaction's scope; its first parameter is the database role. */
export const scopeMark = '/* scope */'

/** Incremented when a table has changed, so that older statement names are not used any more. */
let generation = 0

const shortOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40)

/**
 * Whether a prepared statement failed because its result columns have changed: a newer version has migrated the database. A repeated query
 * is prepared again under a new name.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message === 'cached plan must not change result type'

type Answered = (error: Error | undefined, result?: unknown) => void

/** Makes a connection use prepared statements for repeated queries; queries without parameters are passed on unchanged. */
export function nameOften(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const times = new Map<string, number>()
  const named = new Map<string, string>()
  // Each database role has its own policies, and therefore its own plans.
  let role = ''
  let isInTransaction = false

  const nameOf = (text: string): string | undefined => {
    const key = `${role} ${text}`
    const known = named.get(key)
    if (known) return known
    const met = (times.get(key) ?? 0) + 1
    if (met < oftenEnough) {
      if (times.size === most.counted) times.clear()
      times.set(key, met)
      return undefined
    }
    if (named.size === most.named) return undefined
    times.delete(key)
    const name = shortOf(key)
    named.set(key, name)
    return name
  }
  const ask = (name: string, text: string, values: unknown[], answered?: Answered) => {
    const request = { name: `${name}_${generation}`, text, values }
    return answered ? query(request, answered) : query(request)
  }
  /** Whether the statement alone may be repeated. Inside a transaction the whole transaction has to be repeated. */
  const mayGoOn = (error: unknown): boolean => {
    if (!isOutdated(error)) return false
    generation++
    return !isInTransaction
  }

  client.query = ((...given: unknown[]) => {
    const [text, values, answered] = given as [unknown, unknown, Answered | undefined]
    if (typeof text !== 'string') return query(...given)
    if (!Array.isArray(values) || values.length === 0) {
      if (/^(begin|start transaction)/i.test(text)) isInTransaction = true
      else if (/^(commit|rollback)$/i.test(text)) {
        isInTransaction = false
        role = ''
      }
      return query(...given)
    }
    if (text.startsWith(scopeMark)) role = String(values[0])
    const name = nameOf(text)
    if (!name) return query(...given)
    if (answered)
      return ask(name, text, values, (error, result) => (mayGoOn(error) ? ask(name, text, values, answered) : answered(error, result)))
    return (ask(name, text, values) as Promise<unknown>).catch((error: unknown) => {
      if (mayGoOn(error)) return ask(name, text, values)
      throw error
    })
  }) as typeof client.query
}
