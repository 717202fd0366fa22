import { appTypes } from '@zhugong/contract/apps/codes'
import type { Db } from '#kit/db'

/** Age at which the cached sources are read again, because another process may have changed the catalogue. */
const readAgainMs = 60_000

/** The origin of an external app's URL for the content security policy; undefined when it is not an ordinary https URL. */
export function frameSource(entry: string | null): string | undefined {
  const url = entry && URL.canParse(entry) ? new URL(entry) : undefined
  // A strict pattern, so that a host can neither end the directive nor start another.
  return url?.protocol === 'https:' && /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i.test(url.host) ? `https://${url.host}` : undefined
}

/**
 * The external apps that pages may show in a frame. Returns a cached value at once and refreshes it in the background when it is older than
 * a minute.
 */
export function frameSources(db: Db, now: () => number): { sources: () => string; read: () => Promise<void> } {
  let sources = ''
  let at = 0
  const read = async () => {
    at = now()
    const rows = await db.selectFrom('app').select('entry').where('appType', '=', appTypes.external).where('enable', '=', '1').execute()
    sources = [...new Set(rows.flatMap((row) => frameSource(row.entry) ?? []))].join(' ')
  }
  return {
    read,
    // If the database is unreachable, the previous value stays.
    sources: () => {
      if (now() - at > readAgainMs) void read().catch(() => undefined)
      return sources
    },
  }
}
