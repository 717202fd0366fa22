import { expect, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { fileLink, linkHolds, wasGiven } from './links.ts'

const secrets = createSecrets('a test key of at least thirty-two characters')
const minute = 60_000
const partsOf = (link: string) => {
  const query = new URL(link, 'http://x').searchParams
  return [query.get('id') ?? '', query.get('expires') ?? '', query.get('sign') ?? ''] as const
}

test('a link lives ten to twenty minutes and is the same for ten, so that a browser keeps what it has', () => {
  const start = Date.UTC(2026, 10, 22, 8)
  for (let at = start; at < start + 10 * minute; at += 7_000) {
    const link = fileLink(secrets, 'f1', at)
    expect(link).toBe(fileLink(secrets, 'f1', start))
    expect(linkHolds(secrets, ...partsOf(link), at + 10 * minute - 1)).toBe(true)
    expect(linkHolds(secrets, ...partsOf(link), at + 20 * minute)).toBe(false)
  }
  expect(fileLink(secrets, 'f1', start + 10 * minute)).not.toBe(fileLink(secrets, 'f1', start))
})

test('a link is good for its file and its time, and is known again when it is over', () => {
  const link = fileLink(secrets, 'f1', 0)
  const [id, expires, sign] = partsOf(link)
  expect(linkHolds(secrets, 'f2', expires, sign, 1)).toBe(false)
  expect(linkHolds(secrets, id, String(Number(expires) + minute), sign, 1)).toBe(false)
  expect([wasGiven(secrets, link), wasGiven(secrets, link.replace('f1', 'f2')), wasGiven(secrets, '/elsewhere')]).toEqual([
    'f1',
    undefined,
    undefined,
  ])
})
