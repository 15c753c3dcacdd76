import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/fuzz*.test.ts', 'test/mcp/confirmation.test.ts'],
    globalSetup: ['packages/testing/src/global-setup.ts'],
    maxWorkers: 1,
    hookTimeout: 120_000,
  },
})
