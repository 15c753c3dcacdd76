import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBuilt } from '@overture/console/digest.ts'
import { version } from '@overture/server/platform/version.ts'
import { bundle } from './build/bundle.ts'
import { writeManifest } from './build/manifest.ts'
import { writeNotices } from './build/notices.ts'
import { writePacks } from './build/packs.ts'
import { listPackages } from './build/packages-used.ts'
import { writeSbom } from './build/sbom.ts'

/** Builds the published package, into packages/overture/dist or the given folder. */
const root = join(import.meta.dirname, '../..')
const dist = process.argv[2] ?? join(import.meta.dirname, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
for (const script of ['packages/console/build.ts', 'docs/site/build.ts'])
  execFileSync(process.execPath, ['--import', 'tsx', script], { cwd: root, stdio: 'inherit' })
const [inputs, built] = [await bundle(dist), await readBuilt()]
// The files of the reference are copied unchanged, so no bundler lists their package.
const reference = 'node_modules/@fastify/swagger-ui/static'
const used = listPackages([...Object.keys(inputs), ...(built?.modules ?? []), reference])
// Another build in this clone may be replacing the same pages at this moment.
await writePacks(dist).catch(() => writePacks(dist))
await writeManifest(dist)
writeTypes()
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES'), writeNotices(used))
writeFileSync(join(dist, 'sbom.cdx.json'), await writeSbom(used, version))
for (const name of ['README.md', 'LICENSE', 'NOTICE', 'SECURITY.md']) copyFileSync(join(root, name), join(dist, name))
process.stdout.write(`${readdirSync(dist).length} files written to ${dist}\n`)

/** The types of the test server are in the file that exports it, and refer to no other file. */
function writeTypes(): void {
  const folder = mkdtempSync(join(tmpdir(), 'overture-types-'))
  const typescript = join(root, 'node_modules/typescript/bin/tsc')
  const source = join(root, 'packages/server/src/composition/test-server.shell.ts')
  const options = ['--declaration', '--emitDeclarationOnly', '--noCheck', '--noResolve', '--ignoreConfig']
  const form = ['--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions']
  try {
    execFileSync(process.execPath, [typescript, ...options, ...form, '--outDir', folder, source], { cwd: root })
    const text = readFileSync(join(folder, 'test-server.shell.d.ts'), 'utf8')
    if (/\bimport\b/.test(text)) throw new Error('The types of overture/testing lead to other files.')
    writeFileSync(join(dist, 'testing.d.ts'), text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
