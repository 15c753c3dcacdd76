/** Files and folders that only `npm run test:all` runs, with the reason. All other files are in `npm test`, too. */
export const onlyInAll: readonly { files: readonly string[]; why: string }[] = [
  {
    files: ['test/console', 'test/docs-browser.test.ts', 'test/e2e'],
    why: 'They need a browser.',
  },
  {
    files: [
      'test/image.test.ts',
      'test/package.test.ts',
      'test/package-restored.test.ts',
      'test/production-tree.test.ts',
      'test/release.test.ts',
      'test/sdk-package.test.ts',
    ],
    why: 'They build, pack and install the package, and run what other tests run from the sources.',
  },
  {
    files: [
      'test/n8n-itself.test.ts',
      'test/n8n.test.ts',
      'test/other-languages.test.ts',
      'test/reference-examples.test.ts',
      'test/sdk-runtimes.test.ts',
    ],
    why: 'They need other runtimes, compilers or n8n.',
  },
  {
    files: [
      'packages/cli/src/operator/backup.test.ts',
      'test/advance-killed.test.ts',
      'test/contact-policy-two-workers.test.ts',
      'test/examples.test.ts',
      'test/export-killed.test.ts',
      'test/kills.test.ts',
      'test/nodes.test.ts',
      'test/reply-draft-killed.test.ts',
      'test/suppression-import-killed.test.ts',
      'test/whole-house.test.ts',
    ],
    why: 'They repeat with whole processes what test/faults and the tests of the packages show.',
  },
  {
    files: ['test/docs-fences.test.ts', 'test/docs-site.test.ts', 'test/site-builds.test.ts'],
    why: 'They build the documentation and run its commands, which call what other tests call.',
  },
  {
    files: ['packages/server/src/inbox/corpora.test.ts', 'packages/server/src/inbox/real-servers.test.ts'],
    why: 'They need mail servers or mail that a new machine lacks.',
  },
]
