import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Longest files first: the first takes half of the total time, and started last it would run alone at the end. */
const longest = ['every-page.test.ts', 'figures.test.ts', 'accounts.test.ts', 'pages.test.ts', 'keyboard.test.ts', 'statements.test.ts']
const rank = ({ moduleId }: TestSpecification) => {
  const at = longest.findIndex((name) => moduleId.endsWith(name))
  return at < 0 ? longest.length : at
}
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    name: 'e2e',
    // `npm test` retries a failing test once and reports it.
    retry: Number(process.env.TEST_RETRY ?? 0),
    root: new URL('.', import.meta.url).pathname,
    include: ['*.test.ts', 'journeys/*.test.ts'],
    // Needs no running product, so it is a unit test.
    exclude: ['page-samples.test.ts'],
    globalSetup: ['./global-setup.ts'],
    setupFiles: ['./keep-failed.ts'],
    // One product and three browsers: one checks pages in parallel, the others run journeys, which mostly wait.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // More parallel tabs would only wait for the same two cores.
    maxConcurrency: 4,
    // Longer than the timeouts of a page, so that those report first.
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 100 } },
    hookTimeout: 300_000,
  },
})
