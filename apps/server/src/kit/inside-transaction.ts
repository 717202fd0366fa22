import { AsyncLocalStorage } from 'node:async_hooks'

/** `isOpen` becomes false at the end of the transaction, for asynchronous work that continues after it. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs `work` marked as one database transaction, for `refuseInTransaction`. */
export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mark = { isOpen: true }
  try {
    return await current.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}

/**
 * Called by all code that waits for another server or a device. A transaction occupies one of few connections, so a handful of slow servers
 * would block all users. Such a call belongs in an `AfterCommit`, `afterCommit` or `before`.
 * @throws Error in production too, because the rule must have no exceptions
 */
export function refuseInTransaction(what: string): void {
  if (current.getStore()?.isOpen) throw new Error(`${what} must not be waited for inside a transaction of the database`)
}
