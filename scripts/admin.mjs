import { ensurePackages, main, runNode } from './bootstrap.mjs'

await main(async () => {
  await ensurePackages()
  return runNode(['apps/server/src/main.ts', 'admin', ...process.argv.slice(2)])
})
