import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { version } from '@overture/server/platform/version.ts'
import { canMakeRoots, makeImage, type Image } from '@overture/testing/package/image.ts'
import { startPackage } from '@overture/testing/package/installed-package.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const available = canMakeRoots()

describe("the Dockerfile's steps, run in a separate root without a container", () => {
  let image: Image
  let environment: Record<string, string>
  beforeAll(async () => {
    if (!available) return
    image = await makeImage('Dockerfile')
    // The environment of `docker run --env`, with a free port on this machine only.
    environment = { ...image.environment, HOST: '127.0.0.1', PORT: String(await freePort()) }
  })
  afterAll(() => image?.remove())

  test('with only a volume it starts its own database, becomes ready and is healthy', async ({ skip }) => {
    if (!available)
      return skip('No bubblewrap here, or it may make no namespace: the steps of the image are not taken.')
    const checkHealth = () =>
      spawnSync(image.command, image.health, { env: { PATH: process.env['PATH'], ...environment } })
    expect(checkHealth().status).toBe(1)
    const server = await startPackage({ command: image.command, args: image.args(), environment })
    try {
      expect(server.printed.filter((line) => line.startsWith('live key: ovt_live_'))).toHaveLength(1)
      expect(checkHealth().status).toBe(0)
      expect((await fetch(`${server.url}/app/`)).status).toBe(200)
      expect(readdirSync(image.volume)).toEqual(expect.arrayContaining(['encryption.key', 'postgres']))
      expect(statSync(join(image.volume, 'encryption.key')).mode & 0o777).toBe(0o600)
    } finally {
      await server.stop()
    }
  })

  test('arguments are run as a command', async ({ skip }) => {
    if (!available)
      return skip('No bubblewrap here, or it may make no namespace: the steps of the image are not taken.')
    const child = spawn(image.command, image.args(['--version']), {
      env: { PATH: process.env['PATH'], ...environment },
    })
    let output = ''
    for await (const chunk of child.stdout) output += String(chunk)
    expect(output.trim()).toBe(version)
    expect(existsSync(image.volume)).toBe(true)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
