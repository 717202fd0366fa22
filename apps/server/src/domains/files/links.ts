import type { Secrets } from '#kit/secret'

/** Links within one window are equal, so that browser caches work. */
const windowMs = 10 * 60_000

/**
 * A signed link to a stored file, for users who see its row; valid for ten to twenty minutes. An `<img>` sends no session, so the link
 * works for anyone and its lifetime is short; a page open longer requests a new one.
 */
export function fileLink(secrets: Secrets, id: string, now: number): string {
  const expires = String((Math.floor(now / windowMs) + 2) * windowMs)
  return `/api/v1/tool/image?id=${id}&expires=${expires}&sign=${secrets.sign('file', `${id}|${expires}`)}`
}

export const linkHolds = (secrets: Secrets, id: string, expires: string, sign: string, now: number): boolean =>
  Number(expires) > now && secrets.verify('file', `${id}|${expires}`, sign)

/** The file id of a link that we signed, even if it has expired. */
export function wasGiven(secrets: Secrets, link: string): string | undefined {
  const [, id = '', expires = '', sign = ''] = /^\/api\/v1\/tool\/image\?id=([\w-]{1,64})&expires=(\d+)&sign=(\w+)$/.exec(link) ?? []
  return id && secrets.verify('file', `${id}|${expires}`, sign) ? id : undefined
}
