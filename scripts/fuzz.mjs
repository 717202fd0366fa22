// npm run test:fuzz -- [INPUTS] [SEED] [ASKED]: every call with inputs that are almost right, so many times; the same seed asks the same
// again. With ASKED all inputs go through the door, and so many of those it takes are asked for whole.
import { ensurePackages, main, runNode } from './bootstrap.mjs'

await main(async () => {
  await ensurePackages()
  const [requests = '100000', seed = '1', asked] = process.argv.slice(2)
  process.env.FUZZ_REQUESTS = requests
  process.env.FUZZ_SEED = seed
  if (asked) process.env.FUZZ_ASKED = asked
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'test/fuzz/fuzz.test.ts'])
})
