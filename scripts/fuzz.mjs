// npm run test:fuzz -- [REQUESTS] [SEED]: every call with inputs that are almost right, so many times; the same seed asks the same again.
import { ensurePackages, main, runNode } from './bootstrap.mjs'

await main(async () => {
  await ensurePackages()
  const [requests = '100000', seed = '1'] = process.argv.slice(2)
  process.env.FUZZ_REQUESTS = requests
  process.env.FUZZ_SEED = seed
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'test/fuzz/fuzz.test.ts'])
})
