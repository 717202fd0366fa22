import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Sha256, sha256Of } from './sha256.ts'

const real = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000, 70_001])('of %i bytes, in one piece and in several', (bytes) => {
  const body = new Uint8Array(randomBytes(bytes))
  expect(new Sha256().update(body).hex()).toBe(real(body))
  const pieces = new Sha256()
  for (let at = 0; at < bytes; at += 37) pieces.update(body.subarray(at, at + 37))
  expect(pieces.hex()).toBe(real(body))
})

test('of a file that is read in pieces, with its progress', async () => {
  const body = new Uint8Array(randomBytes(2_500_000))
  const shares: number[] = []
  expect(await sha256Of(new Blob([body]), (share) => shares.push(share))).toBe(real(body))
  expect(shares.at(-1)).toBe(1)
  expect(shares).toHaveLength(3)
})

test('a cancelled file is not read on', async () => {
  const cancelled = new AbortController()
  cancelled.abort()
  await expect(sha256Of(new Blob(['x']), undefined, cancelled.signal)).rejects.toThrow()
})
