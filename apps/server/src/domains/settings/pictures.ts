import type { Db } from '#kit/db'

/** Another process may have saved a change. */
const readAgainMs = 60_000

/** The host of a picture's address as a content security policy writes it; a host with a pattern in it stands for its siblings. */
export function pictureSource(address: unknown): string | undefined {
  const [, scheme, host = ''] = /^(https?):\/\/([^/?#]+)/i.exec(typeof address === 'string' ? address : '') ?? []
  if (!scheme) return undefined
  const plain = host.includes('{') ? `*${host.slice(host.indexOf('.', host.lastIndexOf('}')))}` : host
  // Nothing may end the directive and begin another; a star stands for one label of a real domain only.
  return /^(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/.test(plain) && !/^\*\.[^.]+$/.test(plain) ? `${scheme.toLowerCase()}://${plain}` : undefined
}

/** Where pictures may come from beside ourselves: the map's tiles, and a brand kept on another host. */
export function pictureSources(profile: Readonly<Record<string, unknown>>): string[] {
  const { map, logoImage, backgroundImage, appQrcodePrj, appQrcodeGov } = profile
  const tiles = (map as { tiles?: unknown } | null | undefined)?.tiles
  return [...new Set([tiles, logoImage, backgroundImage, appQrcodePrj, appQrcodeGov].map(pictureSource))].filter((one) => one !== undefined)
}

/** Where live data comes from when the profile names another host than the page's (`mqttHost`), as a policy writes it. */
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
/** The sources as saved, answered at once; read again in the background when a minute old. */
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
  // A database that is away leaves what was known.
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
