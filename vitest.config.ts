import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take minutes. They start first: otherwise one worker would still run them after the others have finished. */
const longest = [
  'isolation/records',
  'isolation/people',
  'isolation/site',
  'parts/parts',
  'isolation/machines',
  'test/decided',
  'monitoring/city-alive',
]
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
    // One more than the cores, because a worker waits for the database, sockets and timers about a third of its time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Not isolated: a worker keeps the loaded modules from file to file. Modules cache query results but no state of a test.
    projects: [
      { test: { name: 'contract', isolate: false, testTimeout: 60_000, root: 'packages/contract', include: ['src/**/*.test.ts'] } },
      { test: { name: 'simulator', isolate: false, root: 'packages/simulator', include: ['src/**/*.test.ts'] } },
      { test: { name: 'web', isolate: false, root: 'apps/web', include: ['src/**/*.test.{ts,tsx}'] } },
      // Tests of helpers of the browser tests that need no browser.
      { test: { name: 'pages', isolate: false, root: 'e2e', include: ['page-samples.test.ts'] } },
      {
        test: {
          name: 'server',
          // These tests use a real database, broker and clock: `npm test` retries a failing one once and reports it.
          retry: Number(process.env.TEST_RETRY ?? 0),
          isolate: false,
          // Node loads the modules itself, as in production. Otherwise one process would transform every module while all workers wait.
          experimental: { viteModuleRunner: false },
          // A group of its own, because a worker runs files of one project only.
          sequence: { groupOrder: 1 },
          root: 'apps/server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: [new URL('apps/server/test/global-setup.ts', import.meta.url).pathname],
          setupFiles: [new URL('apps/server/test/seen-rows.ts', import.meta.url).pathname],
          // Long enough for a machine with other load: a test that hangs still fails, a slow one does not.
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
