import { playwright } from '@vitest/browser-playwright'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumFlags, chromiumPath, hasChromium } from './packages/testing/src/chromium.ts'
import { RunReport } from './test/house/report/run-report.ts'
import { onlyInAll } from './test/house/report/test-sets.ts'
import { mockingTests, unitTests } from './test/house/report/unit-tests.ts'
import { readModules } from './test/house/source.ts'

if (!hasChromium) process.stderr.write('No Chromium here: tests of components in a browser skip.\n')

const part = process.env['TEST_PART']
const modules = readModules()
const unit = unitTests(modules)
const mocking = mockingTests(modules)
const more = onlyInAll.flatMap(({ files }) =>
  files.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)),
)

/** Components of the console, in the browser that people use them in. */
const components: TestProjectInlineConfiguration = {
  root: 'packages/console',
  // A dependency that Vite first meets during a test would make it reload the page.
  optimizeDeps: {
    include: [
      'react',
      'react/jsx-dev-runtime',
      'react-dom/client',
      'vitest-browser-react',
      '@base-ui/react/dialog',
      '@base-ui/react/alert-dialog',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-virtual',
    ],
  },
  test: {
    name: 'components',
    // The browser runs its files with its own number of workers.
    sequence: { groupOrder: 1 },
    include: ['src/**/*.test.tsx'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: chromiumPath, args: chromiumFlags } }),
      instances: [{ browser: 'chromium' }],
    },
  },
}

/** Files that start a database or another program. */
function starting(
  name: string,
  { include, exclude, isolate = false }: { include: string[]; exclude: string[]; isolate?: boolean },
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include,
      exclude: [...configDefaults.exclude, ...exclude],
      isolate,
      globalSetup: ['packages/testing/src/global-setup.ts'],
      setupFiles: [
        'test/house/report/time-spent.setup.ts',
        'test/house/properties.setup.ts',
        'test/house/statements/sent.setup.ts',
      ],
    },
  }
}

export default defineConfig({
  test: {
    // Files wait for other programs about a third of their time, so three keep two cores busy.
    maxWorkers: 3,
    // TEST_PART=1/4 runs the first quarter of the files, so that four machines share a run.
    ...(part !== undefined && { shard: part }),
    reporters: ['default', new RunReport(import.meta.dirname)],
    // These limits only end what hangs. A file whose tests may take longer on a busy machine sets its own limit and says why.
    testTimeout: 60_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          // Nothing that these files share changes, so one process reads the modules once for all of them.
          isolate: false,
          setupFiles: ['test/house/report/time-spent.setup.ts', 'test/house/properties.setup.ts'],
        },
      },
      // The files of a project share a process, which reads the modules of the server once for all of them.
      starting('node', { include: ['packages/*/src/**/*.test.ts'], exclude: [...unit, ...mocking, ...more] }),
      starting('whole', { include: ['test/**/*.test.ts'], exclude: [...unit, ...mocking, ...more] }),
      // Files that replace modules have a process each.
      starting('mocking', { include: mocking, exclude: [], isolate: true }),
      // Only `npm run test:all` runs these and the components (test/house/report/test-sets.ts says why).
      starting('more', { include: more, exclude: [] }),
      ...(hasChromium ? [components] : []),
    ],
  },
})
