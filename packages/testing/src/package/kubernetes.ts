import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'

const root = resolve(import.meta.dirname, '../../../..')

export interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  data?: Record<string, string>
  spec?: unknown
}

/** Reads the resources that a folder's kustomization lists, without changes by kustomize. */
export function readResources(folder: string): Resource[] {
  const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] }
  return resources.flatMap((file) => parseDocuments(readFileSync(join(folder, file), 'utf8')))
}

/**
 * Returns the resources that kubectl would apply. Returns null without kubectl, or if its kustomize is older than 4 (Debian 12 has
 * 2).
 */
export function buildResources(folder: string): Resource[] | null {
  const { stdout } = spawnSync('kubectl', ['version', '--client', '--output', 'json'], { encoding: 'utf8' })
  if (!/"kustomizeVersion": "v(?:[4-9]|\d\d)\./.test(stdout ?? '')) return null
  const built = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(built.stderr)
  return parseDocuments(built.stdout)
}

function parseDocuments(text: string): Resource[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!
    return document.toJS() as Resource
  })
}

/** Validates a resource against the API's own description: wrong types and missing fields. */
export async function findViolations(resource: Resource): Promise<string[]> {
  const module = (await import(modelPath(resource))) as Record<string, new (data: object) => { validate(): void }>
  try {
    new module[resource.kind]!(structuredClone(resource)).validate()
    return []
  } catch (error) {
    return [`${resource.kind}/${resource.metadata.name}: ${(error as Error).message}`]
  }
}

/** Finds fields that the API doesn't know, which a cluster would drop silently. Returns the errors of the TypeScript compiler. */
export async function findUnknownFields(resources: readonly Resource[]): Promise<string[]> {
  const folder = await mkdtemp(join(root, 'test', 'dist.kubernetes-'))
  try {
    const source = resources.map((one, at) =>
      [
        `import type { I${one.kind} as Type${at} } from '${modelPath(one)}'`,
        `export const resource${at}: Type${at} = ${JSON.stringify(one, null, 1)}`,
      ].join('\n'),
    )
    await writeFile(join(folder, 'resources.mts'), source.join('\n'))
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', skipLibCheck: true, types: [] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['resources.mts'] }))
    const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false']
    const { stdout } = await promisify(execFile)(process.execPath, words).catch((error: { stdout: string }) => error)
    return stdout.split('\n').filter((line) => line.includes('error TS'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function modelPath({ apiVersion, kind }: Resource): string {
  return `kubernetes-models/${apiVersion}/${kind}`
}
