import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Writes the version of packages/overture to all other places that contain it, after the packages were raised. */
const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../../..'))
const { version } = JSON.parse(readFileSync(join(root, 'packages/overture/package.json'), 'utf8')) as {
  version: string
}

const places: readonly [file: string, written: RegExp][] = [
  ['package.json', /(?<="version": ")[^"]+/],
  ['packages/server/src/platform/version.ts', /(?<=version = ')[^']+/],
  ['packages/sdk/src/version.ts', /(?<=version = ')[^']+/],
  ['deploy/kustomize/kustomization.yaml', /(?<=newTag: )\S+/],
  ['docs/kubernetes.md', /(?<=newTag: )[\d.]+/g],
  ['docs/install.md', /(?<=overture:)\d[\d.]+/g],
]

for (const [file, written] of places) {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  if (text.search(written) < 0) throw new Error(`${file} names no version.`)
  writeFileSync(path, text.replace(written, version))
}
