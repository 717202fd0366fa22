import { AsyncLocalStorage } from 'node:async_hooks'

/** `isOpen` ends with the transaction: what was begun in it and goes on alone is inside no longer. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs what belongs to one transaction of the database, marked as such for `refuseInTransaction`. */
export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mark = { isOpen: true }
  try {
    return await current.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}

/**
 * Asked by everything that waits for another server or a device. A transaction holds one of a few connections: a handful of ends that are
 * slow to answer would otherwise stop everybody. Such a call belongs into an `Afterwards`, `afterCommit` or `before`. Throws a plain Error,
 * in production too: with exceptions the rule would hold nothing.
 */
export function refuseInTransaction(what: string): void {
  if (current.getStore()?.isOpen) throw new Error(`${what} must not be waited for inside a transaction of the database`)
}
