import { appTypes } from '@zhugong/contract/apps/codes'
import type { Db } from '#kit/db'

/** Another process may have changed the catalogue. */
const readAgainMs = 60_000

/** The origin of an external app's address as a content security policy writes it; nothing where it is no plain https address. */
export function frameSource(entry: string | null): string | undefined {
  const url = entry && URL.canParse(entry) ? new URL(entry) : undefined
  // Nothing may end the directive and begin another.
  return url?.protocol === 'https:' && /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i.test(url.host) ? `https://${url.host}` : undefined
}

/** What pages of ours may frame: the addresses of the catalogue, answered at once; read again in the background when a minute old. */
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
    // A database that is away leaves what was known.
    sources: () => {
      if (now() - at > readAgainMs) void read().catch(() => undefined)
      return sources
    },
  }
}
