import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * A statement that a connection has met before goes to the server by name from then on, which keeps what row-level security costs to plan:
 * 3 ms of 4 for the page of a list with its joins. Whether one plan for all values does as well as one for those at hand the server judges
 * by what the first five have cost. What is asked once, with a filter of its own, leaves nothing behind.
 */
const oftenEnough = 2
/**
 * So many statements a connection names and counts. All of them take some twenty megabytes of the server's memory, which come
 * back when the connection has had its time (`connectionSeconds`): what is asked most is then met first again.
 */
const most = { named: 100, counted: 1_000 }
export const connectionSeconds = 1_800

/** Stands at the beginning of the statement that narrows a transaction; its first value is the database role. */
export const scopeMark = '/* scope */'

/** Names given before a table changed are not used any more. */
let generation = 0

const shortOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40)

/** The columns of a `*` are others than when the statement was named: a newer version migrates beside this one. Asked anew, it is named anew. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message === 'cached plan must not change result type'

type Answered = (error: Error | undefined, result?: unknown) => void

/** Lets a connection name what it is asked often; what is not a statement with values goes as it came. */
export function nameOften(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const times = new Map<string, number>()
  const named = new Map<string, string>()
  // Each database role has policies of its own, and so plans of its own.
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
    const asked = { name: `${name}_${generation}`, text, values }
    return answered ? query(asked, answered) : query(asked)
  }
  /** True where the statement may be asked anew by itself: within a transaction that goes on with the transaction. */
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
