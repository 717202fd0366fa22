import { expect, test } from 'vitest'
import { licenceRemark } from './figure-words.ts'

test.each([
  ['while loading and after an error', undefined, undefined],
  ['where data say so', { certEnded: 0, certMissing: 0 }, '没有已过期和缺证的'],
  ['one ran out', { certEnded: 1, certMissing: 0 }, '另有 1 人已过期'],
  ['both', { certEnded: 1, certMissing: 4 }, '另有 1 人已过期，4 人缺证'],
])('licences: %s', (_, figures, words) => expect(licenceRemark(figures)).toBe(words))
