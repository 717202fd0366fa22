import { ensurePackages, main, prepare, runNode } from './bootstrap.mjs'

/** The benchmark that needs a browser. It is in `e2e/bench`, because the browser tests provide Chromium. */
const inBrowser = 'live'

await main(async () => {
  const wanted = process.argv.slice(2)
  const others = wanted.filter((one) => one !== inBrowser)
  if (others.length > 0 || wanted.length === 0) {
    await ensurePackages()
    const code = await runNode(['apps/server/bench/run.ts', ...others])
    if (code) return code
  }
  if (wanted.length > 0 && !wanted.includes(inBrowser)) return 0
  await prepare()
  return runNode(['e2e/bench/live.ts'])
})
