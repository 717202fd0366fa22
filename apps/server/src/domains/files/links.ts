import type { Secrets } from '#kit/secret'

/** How long a signed link lives. Links of one day are alike, so that a browser's cache holds. */
const dayMs = 86_400_000

/** A link to a stored file for whoever was shown the row it belongs to; it expires at the end of the next day (UTC). */
export function fileLink(secrets: Secrets, id: string, now: number): string {
  const expires = String((Math.floor(now / dayMs) + 2) * dayMs)
  return `/api/v1/tool/image?id=${id}&expires=${expires}&sign=${secrets.sign('file', `${id}|${expires}`)}`
}

export const linkHolds = (secrets: Secrets, id: string, expires: string, sign: string, now: number): boolean =>
  Number(expires) > now && secrets.verify('file', `${id}|${expires}`, sign)
