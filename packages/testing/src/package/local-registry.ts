import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../../../..')
const tarBytesMax = 512 * 1024 * 1024

export interface LocalRegistry {
  url: string
  /** Requested package names that are not installed in this clone. */
  missing: Set<string>
  stop(): Promise<void>
}

/** Serves npm the packages that are installed in this clone, so that nothing is downloaded. */
export async function startLocalRegistry(): Promise<LocalRegistry> {
  const missing = new Set<string>()
  const server = createServer((request, response) => {
    const [, name = '', file] =
      /^\/((?:@[^/]+\/)?[^/]+)(\/-\/package\.tar)?$/.exec(decodeURIComponent(request.url!)) ?? []
    const folder = join(root, 'node_modules', name)
    if (!existsSync(join(folder, 'package.json'))) {
      missing.add(name)
      response.writeHead(404).end('{}')
      return
    }
    if (file === undefined) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(describe(folder, `http://${request.headers.host}/${name}/-/package.tar`)))
      return
    }
    packFolder(folder).then(
      (tar) => response.end(tar),
      (error: Error) => response.destroy(error),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    missing,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function describe(folder: string, tarball: string): object {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string }
  const { name, version } = manifest
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist: { tarball } } } }
}

async function packFolder(folder: string): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: tarBytesMax } as const
  const { stdout } = await promisify(execFile)(
    'tar',
    ['-C', folder, '--transform', 's,^\\.,package,S', '-cf', '-', '.'],
    options,
  )
  return stdout
}
