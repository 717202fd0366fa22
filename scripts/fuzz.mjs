// npm run test:fuzz -- [INPUTS] [SEED] [ASKED]: calls every endpoint with INPUTS almost valid inputs. The same SEED produces the same
// inputs. With ASKED, all inputs are only validated, and ASKED of the valid ones are sent as complete requests.
import { ensurePackages, main, runNode } from './bootstrap.mjs'

await main(async () => {
  await ensurePackages()
  const [requests = '100000', seed = '1', asked] = process.argv.slice(2)
  process.env.FUZZ_REQUESTS = requests
  process.env.FUZZ_SEED = seed
  if (asked) process.env.FUZZ_ASKED = asked
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'test/fuzz/fuzz.test.ts'])
})
