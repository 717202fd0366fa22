import { ensurePackages, main, runNode } from './bootstrap.mjs'

await main(async () => {
  await ensurePackages()
  return runNode(['e2e/crash/run.ts', ...process.argv.slice(2)])
})
