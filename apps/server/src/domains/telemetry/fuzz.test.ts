import { expect, test } from 'vitest'
import { codecs, fuzz } from './fuzz-for-test.ts'

/** FUZZ_FRAMES=1000000 for the full size. */
const frames = Number(process.env.FUZZ_FRAMES ?? 20_000)

test(`${frames} spoilt frames over all codecs: nothing thrown, nothing accepted whose check fails, memory flat`, () => {
  const report = fuzz(frames, 20_261_121)
  expect(report.frames).toBeGreaterThanOrEqual(frames)
  expect(report.wrong).toEqual([])
  // Some frames pass (damage outside of any frame), most do not, and decoders continue to work.
  for (const codec of codecs) expect(report.accepted[codec.name]).toBeGreaterThan(0)
  expect(report.grownMb).toBeLessThan(Number(process.env.FUZZ_FRAMES ?? 0) > 0 ? 64 : 128)
})
