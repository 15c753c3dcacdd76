import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { version } from '@overture/server/platform/version.ts'
import { startPublishingRegistry } from '@overture/testing/package/publishing-registry.server.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const root = resolve(import.meta.dirname, '..')
const run = promisify(execFile)
const released = ['overture', '@overture/sdk']

test('a release publishes and tags what the registry lacks, and can be repeated after a failure', async () => {
  const place = await mkdtemp(join(tmpdir(), 'overture-publish-'))
  const registry = await startPublishingRegistry()
  try {
    // Tags are created in a separate repository, so that this one stays unchanged.
    const repository = join(place, '.git')
    const git = (...words: string[]) => run('git', ['--git-dir', repository, ...words], { cwd: place })
    await run('git', ['init', '--quiet', place])
    const me = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
    await run('git', [...me, 'commit', '--quiet', '--allow-empty', '--message', 'The release'], { cwd: place })
    const npmrc = join(place, 'npmrc')
    await writeFile(npmrc, `registry=${registry.url}\n${registry.url.replace('http:', '')}:_authToken=of-a-test\n`)
    const environment = { NPM_CONFIG_USERCONFIG: npmrc, NPM_CONFIG_CACHE: join(place, 'cache'), GIT_DIR: repository }
    const publish = async () => {
      const words = ['--import', 'tsx', 'packages/overture/release/publish.ts']
      const { stdout } = await run(process.execPath, words, { cwd: root, env: { ...process.env, ...environment } })
      return stdout.split('\n').filter((line) => line.startsWith('New tag: '))
    }

    expect(await publish()).toEqual(released.map((name) => `New tag: ${name}@${version}`))
    expect(registry.published.map(({ name, access }) => [name, access])).toEqual(
      released.map((name) => [name, 'public']),
    )
    for (const one of registry.published) {
      expect(one['dist-tags']).toEqual({ latest: version })
      expect(Object.keys(one.versions)).toEqual([version])
      // Fields of the workspace's package.json must not be published.
      expect(one.versions[version]).not.toHaveProperty('private')
      expect(one.versions[version]).not.toHaveProperty('devDependencies')
      expect(Object.values(one._attachments)[0]!.data.length).toBeGreaterThan(1_000)
    }
    expect((await git('tag')).stdout.trim().split('\n').toSorted()).toEqual(
      released.map((name) => `${name}@${version}`).toSorted(),
    )

    expect(await publish()).toEqual([])
    registry.forget('@overture/sdk')
    expect(await publish()).toEqual([`New tag: @overture/sdk@${version}`])
    expect(registry.published).toHaveLength(2)
  } finally {
    await registry.stop()
    await rm(place, { recursive: true, force: true })
  }
})
