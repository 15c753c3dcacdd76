import { expect, test } from 'vitest'
import { unitTests } from './unit-tests.ts'

const file = (path: string, text: string) => ({ path, text })

test('a test that imports a database, thread, browser or program at any depth is no unit test', () => {
  const modules = [
    file('packages/server/src/a/pure.test.ts', "import { pure } from './pure.ts'\n"),
    file('packages/server/src/a/pure.ts', "import type { Db } from '@overture/testing/database.ts'\n"),
    file('packages/server/src/a/rows.test.ts', "import { rows } from './rows.ts'\n"),
    file('packages/server/src/a/rows.ts', "import { createTestDatabase } from '@overture/testing/database.ts'\n"),
    file('packages/server/src/a/thread.test.ts', "import { run } from './run.ts'\n"),
    file('packages/server/src/a/run.ts', "import { begin } from './begin.ts'\n"),
    file('packages/server/src/a/begin.ts', "import { Worker } from 'node:worker_threads'\n"),
    file('test/program.test.ts', "import { spawn } from 'node:child_process'\n"),
    file('test/page.test.ts', "const { chromium } = await import('playwright-core')\n"),
    file('test/product.test.ts', "import { startTestServer } from 'overture/testing'\n"),
  ]
  expect(unitTests(modules)).toEqual(['packages/server/src/a/pure.test.ts'])
})
