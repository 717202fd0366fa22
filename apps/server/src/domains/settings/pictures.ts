import type { Db } from '#kit/db'

/** Cache time: another process may have saved a change. */
const readAgainMs = 60_000

/** The host of an image URL as a content security policy source; a host with a placeholder becomes a wildcard. */
export function pictureSource(address: unknown): string | undefined {
  const [, scheme, host = ''] = /^(https?):\/\/([^/?#]+)/i.exec(typeof address === 'string' ? address : '') ?? []
  if (!scheme) return undefined
  const plain = host.includes('{') ? `*${host.slice(host.indexOf('.', host.lastIndexOf('}')))}` : host
  // Refuses characters that could end the directive. A star may replace only one label of a real domain.
  return /^(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/.test(plain) && !/^\*\.[^.]+$/.test(plain) ? `${scheme.toLowerCase()}://${plain}` : undefined
}

/** Additional image sources: map tiles, and branding on other hosts. */
export function pictureSources(profile: Readonly<Record<string, unknown>>): string[] {
  const { map, logoImage, backgroundImage, appQrcodePrj, appQrcodeGov } = profile
  const tiles = (map as { tiles?: unknown } | null | undefined)?.tiles
  return [...new Set([tiles, logoImage, backgroundImage, appQrcodePrj, appQrcodeGov].map(pictureSource))].filter((one) => one !== undefined)
}

/** The source of live data if the profile names another host (`mqttHost`), as a policy source. */
export function liveSource(mqttHost: unknown): string | undefined {
  if (typeof mqttHost !== 'string' || !/^[\w]/.test(mqttHost)) return undefined
  const [, scheme, host = ''] = /^(?:(wss?):\/\/)?([^/?#]+)/i.exec(mqttHost) ?? []
  if (!/^[\w-]+(\.[\w-]+)*(:\d+)?$/.test(host)) return undefined
  return scheme ? `${scheme.toLowerCase()}://${host}` : `ws://${host} wss://${host}`
}

interface Sources {
  pictures(): string
  live(): string
  read(): Promise<void>
}
/** The saved sources from a cache, refreshed in the background when older than a minute. */
export function savedSources(db: Db, now: () => number): Sources {
  let sources: string[] = []
  let live = ''
  let at = 0
  const read = async () => {
    at = now()
    const row = await db.selectFrom('setting').select('value').where('key', '=', 'profile').executeTakeFirst()
    sources = pictureSources(row?.value ?? {})
    live = liveSource(row?.value?.mqttHost) ?? ''
  }
  // If the database is unavailable, the cached values stay in use.
  const known = <T>(value: () => T): T => {
    if (now() - at > readAgainMs) void read().catch(() => undefined)
    return value()
  }
  return {
    read,
    pictures: () => known(() => sources.join(' ')),
    live: () => known(() => live),
  }
}
