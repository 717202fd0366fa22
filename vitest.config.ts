import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Minutes each: begun last, one worker would go on with them alone when the other has nothing left to do. */
const longest = ['isolation/people', 'isolation/site', 'parts/parts', 'isolation/machines', 'test/decided', 'monitoring/city-alive']
const rank = ({ moduleId }: TestSpecification) => {
  const at = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return at < 0 ? longest.length : at
}
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    // One more than cores: a worker waits for the database, for sockets and clocks about a third of its time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Not isolated: a worker keeps its modules from file to file. What they remember are answers, never a test's state.
    projects: [
      { test: { name: 'contract', isolate: false, root: 'packages/contract', include: ['src/**/*.test.ts'] } },
      { test: { name: 'simulator', isolate: false, root: 'packages/simulator', include: ['src/**/*.test.ts'] } },
      { test: { name: 'web', isolate: false, root: 'apps/web', include: ['src/**/*.test.{ts,tsx}'] } },
      // What the browser tests stand on, as far as it needs no browser.
      { test: { name: 'pages', isolate: false, root: 'e2e', include: ['page-samples.test.ts'] } },
      {
        test: {
          name: 'server',
          // With a real database, broker and clock: `npm test` gives a failing test one more try and tells of it.
          retry: Number(process.env.TEST_RETRY ?? 0),
          isolate: false,
          // As the product runs: by Node itself. Else one process would rewrite every module for all workers, which wait for it.
          experimental: { viteModuleRunner: false },
          // By itself: a worker is kept for files of one project alone.
          sequence: { groupOrder: 1 },
          root: 'apps/server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: [new URL('apps/server/test/global-setup.ts', import.meta.url).pathname],
          setupFiles: [new URL('apps/server/test/seen-rows.ts', import.meta.url).pathname],
          // For a machine that has much else to do: what hangs is told of all the same, and nothing is red for being slow.
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
