import type { Secrets } from '#kit/secret'

/** Links of one window are alike, so that a browser's cache holds. */
const windowMs = 10 * 60_000

/**
 * A link to a stored file for whoever was shown the row it belongs to; it lives ten to twenty minutes. It is nobody's in particular: an
 * `<img>` sends no session along to hold it to, so its life is short instead, and a page that outlives it asks anew.
 */
export function fileLink(secrets: Secrets, id: string, now: number): string {
  const expires = String((Math.floor(now / windowMs) + 2) * windowMs)
  return `/api/v1/tool/image?id=${id}&expires=${expires}&sign=${secrets.sign('file', `${id}|${expires}`)}`
}

export const linkHolds = (secrets: Secrets, id: string, expires: string, sign: string, now: number): boolean =>
  Number(expires) > now && secrets.verify('file', `${id}|${expires}`, sign)

/** The file of a link that we gave out once, however long ago. */
export function wasGiven(secrets: Secrets, link: string): string | undefined {
  const [, id = '', expires = '', sign = ''] = /^\/api\/v1\/tool\/image\?id=([\w-]{1,64})&expires=(\d+)&sign=(\w+)$/.exec(link) ?? []
  return id && secrets.verify('file', `${id}|${expires}`, sign) ? id : undefined
}
