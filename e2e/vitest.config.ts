import { defineConfig } from 'vitest/config'

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
    // One product, one browser at a time: two cores carry both.
    maxWorkers: 1,
    isolate: false,
    // Pages opened side by side: more tabs would only wait for the same two cores.
    maxConcurrency: 4,
    // A page that waits in vain is looked at and told of before its test is given up.
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
})
