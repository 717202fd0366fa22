import { ensurePackages, main, runNode } from './bootstrap.mjs'

// Modes of the program that end by themselves: admin, backup, restore.
await main(async () => {
  await ensurePackages()
  return runNode(['apps/server/src/main.ts', ...process.argv.slice(2)])
})
