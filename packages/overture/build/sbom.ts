import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { external } from './bundle.ts'
import { packageKey, type UsedPackage } from './packages-used.ts'

interface Component {
  'bom-ref': string
  group?: string
  name: string
  version: string
}

interface Bom {
  metadata: { component: Component & Record<string, unknown> }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

const root = join(import.meta.dirname, '../../..')
const outputBytesMax = 64 * 1024 * 1024

/** The list of components for programs that check advisories: the installed packages from which the code was built. */
export async function writeSbom(used: readonly UsedPackage[], version: string): Promise<string> {
  const script = join(root, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js')
  const options = [
    '--package-lock-only',
    '--ignore-npm-errors',
    '--flatten-components',
    '--output-reproducible',
    '--output-format',
    'JSON',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...options], {
    cwd: root,
    maxBuffer: outputBytesMax,
  })
  const bom = JSON.parse(stdout) as Bom
  const keys = new Set(used.map(packageKey))
  const componentName = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`)
  const isExternal = (name: string) => external.some((one) => name === one || name.startsWith(one.replace('*', '')))
  const components = bom.components.filter((component) => {
    const name = componentName(component)
    return isExternal(name) || keys.delete(`${name}@${component.version}`)
  })
  if (keys.size > 0) throw new Error(`Not in the lockfile: ${[...keys].join(', ')}`)
  const own = bom.metadata.component['bom-ref']
  const refs = new Set(components.map((one) => one['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn?.filter((one) => refs.has(one)) }))
  Object.assign(bom.metadata.component, {
    type: 'application',
    name: 'overture',
    version,
    purl: `pkg:npm/overture@${version}`,
  })
  const all = { ...bom, components, dependencies: [{ ref: own, dependsOn: [...refs] }, ...dependencies] }
  return `${JSON.stringify(all, null, 1)}\n`
}
