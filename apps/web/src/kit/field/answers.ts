import { fieldBase } from './store.ts'

/** Answers older than this are not shown without network: what was true last week misleads on a site. */
const keptMs = 3 * 86_400_000

/** Keeps the answer of a call, to be read without network by the same account. Failing to keep it hurts nobody. */
export async function keepAnswer(account: string, key: string, data: unknown): Promise<void> {
  try {
    const base = await fieldBase()
    await base.put('answers', { account, data, at: Date.now() }, `${account} ${key}`)
  } catch {
    // The device is full, or the browser allows no storage.
  }
}

export async function keptAnswer(account: string, key: string): Promise<{ data: unknown; at: number } | undefined> {
  try {
    const base = await fieldBase()
    const kept = await base.get('answers', `${account} ${key}`)
    return kept && kept.at > Date.now() - keptMs ? kept : undefined
  } catch {
    return undefined
  }
}

/** Removes kept answers: of one account when it logs out, so that the next user of the device finds nothing. */
export async function forgetAnswers(account: string): Promise<void> {
  try {
    const base = await fieldBase()
    const keys = await base.getAllKeysFromIndex('answers', 'account', account)
    for (const key of keys) await base.delete('answers', key)
  } catch {
    // Nothing is kept.
  }
}
