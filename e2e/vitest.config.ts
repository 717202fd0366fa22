import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Half of all there is to do stands in the first: whoever begins with it is done when the other is with the rest. Begun last, one would go on alone. */
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
    // `npm test` gives a failing test one more try and tells of it.
    retry: Number(process.env.TEST_RETRY ?? 0),
    root: new URL('.', import.meta.url).pathname,
    include: ['*.test.ts', 'journeys/*.test.ts'],
    // Needs no product: runs with the unit tests.
    exclude: ['page-samples.test.ts'],
    globalSetup: ['./global-setup.ts'],
    setupFiles: ['./keep-failed.ts'],
    // One product and three browsers: in one pages are looked at side by side, in the others one thing is done after another, which waits more than it works.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Pages opened side by side: more tabs would only wait for the same two cores.
    maxConcurrency: 4,
    // A page that waits in vain is looked at and told of before its test is given up.
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 100 } },
    hookTimeout: 300_000,
  },
})
