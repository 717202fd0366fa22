import { ensurePackages, main, runNode } from './bootstrap.mjs'

await main(async () => {
  await ensurePackages()
  return runNode(['apps/server/faults/run.ts', ...process.argv.slice(2)])
})
