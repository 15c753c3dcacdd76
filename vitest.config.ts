import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['packages/testing/src/global-setup.ts'],
    maxWorkers: 2,
    // What a test does is bounded by counts; these end what hangs, however busy the machine is.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
})
