import { expect, test } from 'vitest'
import { frameSource } from './frames.ts'

test.each([
  ['https://help.example.com/start?x=1', 'https://help.example.com'],
  ['https://help.example.com:8443/', 'https://help.example.com:8443'],
  ['http://help.example.com/', undefined],
  ['javascript:alert(1)', undefined],
  ['https://a;script-src *', undefined],
  ["https://a' 'unsafe-inline/", undefined],
  ['', undefined],
  [null, undefined],
])('%s may be framed as %s', (entry, source) => {
  expect(frameSource(entry)).toBe(source)
})
