import pg from 'pg'
import { asRuntime } from './db.ts'

const againMs = 2_000
const connectMs = 5_000

/**
 * Listens for database notifications on a separate connection and reconnects when it is lost. `onNews` is also called after each connect,
 * because earlier notifications were missed.
 */
export function listenTo(databaseUrl: string, name: string, channels: readonly string[], onNews: () => void): { stop(): Promise<void> } {
  let stopped = false
  let client: pg.Client | undefined
  let reconnect: NodeJS.Timeout | undefined
  const open = async () => {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: name, connectionTimeoutMillis: connectMs, ...asRuntime })
    const lost = () => {
      if (client !== next || stopped) return
      client = undefined
      reconnect = setTimeout(open, againMs)
    }
    client = next
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', onNews)
    try {
      await next.connect()
      for (const channel of channels) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      onNews()
    } catch {
      lost()
      await next.end().catch(() => undefined)
    }
  }
  void open()
  return {
    async stop() {
      stopped = true
      clearTimeout(reconnect)
      await client?.end().catch(() => undefined)
    },
  }
}
