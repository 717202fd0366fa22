import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    root: new URL('.', import.meta.url).pathname,
    include: ['*.test.ts'],
    // Needs no product: runs with the unit tests.
    exclude: ['page-samples.test.ts'],
    globalSetup: ['./global-setup.ts'],
    // One product, one browser at a time: two cores carry both.
    maxWorkers: 1,
    isolate: false,
    // Pages opened side by side: more tabs would only wait for the same two cores.
    maxConcurrency: 4,
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
})
