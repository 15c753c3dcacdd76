import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const server = 'packages/server/src'
const linesMax = 300
const modulesMin = 150

const roles = ['routes', 'commands', 'queries', 'sql', 'jobs', 'worker', 'client', 'server', 'shell', 'thread', 'test']
/** Rooms that are no feature: every feature may use the ground, nothing may use the composition. */
const composition = 'composition'
const ground = 'ground'
/** A feature may know those in its row and those that they know; `platform` and `contract` are open to every shell. */
const knows: Record<string, readonly string[]> = {
  credits: [],
  accounts: ['credits'],
  'api-keys': ['accounts', 'credits'],
  billing: ['accounts', 'credits'],
  suppressions: ['accounts'],
  'sending-accounts': ['accounts'],
  templates: ['accounts'],
  'lead-finder': ['accounts', 'credits'],
  ai: ['accounts', 'credits'],
  campaigns: ['accounts', 'credits', 'sending-accounts', 'suppressions', 'templates', 'ai', 'lead-finder'],
  people: ['accounts', 'campaigns', 'suppressions'],
  delivery: ['accounts', 'campaigns', 'sending-accounts', 'suppressions', 'templates', 'ai', 'analytics'],
  tracking: ['accounts', 'campaigns', 'delivery', 'suppressions'],
  inbox: ['accounts', 'campaigns', 'delivery', 'sending-accounts', 'suppressions', 'tracking', 'meetings'],
  meetings: ['accounts', 'campaigns', 'delivery', 'sending-accounts', 'inbox'],
  analytics: ['accounts', 'credits', 'campaigns'],
  webhooks: ['accounts'],
  sandbox: ['accounts', 'campaigns', 'delivery', 'inbox', 'meetings', 'tracking', 'analytics', 'sending-accounts'],
}

interface Module {
  path: string
  text: string
}

function modules(): Module[] {
  return ['packages', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
  )
}

function importsOf(module: Module): string[] {
  const found = module.text.matchAll(
    /^\s*(?:import|export)\b[^'"]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gms,
  )
  return Array.from(found, (match) => match[1] ?? match[2] ?? match[3] ?? '')
}

function target(from: Module, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(from.path), specifier))
  return specifier.replace(/^@overture\/(contract|server)\//, 'packages/$1/src/')
}

function roleOf(path: string): string | null {
  const name = path.split('/').at(-1) ?? ''
  if (name === 'index.ts') return 'index'
  return roles.find((role) => name.endsWith(`.${role}.ts`)) ?? null
}

function featureOf(path: string): string | null {
  const inside = path.startsWith(`${server}/`) ? path.slice(server.length + 1).split('/') : []
  return inside.length > 1 && inside[0] !== undefined ? inside[0] : null
}

/** Every breach of the import rules by one module, in words. */
function breaches(module: Module): string[] {
  const feature = featureOf(module.path)
  if (module.path.startsWith('packages/contract/src/')) return contractBreaches(module)
  if (feature === null || roleOf(module.path) === 'test') return []
  if (feature === composition) return []
  if (feature === ground) return groundBreaches(module)
  if (feature === 'platform') return platformBreaches(module)
  return [...featureBreaches(module, feature), ...(roleOf(module.path) === null ? pureBreaches(module) : [])]
}

/** What only Node.js has; browsers read the contract too. */
const ofNode = /\b(?:Buffer|process|require|__dirname|setImmediate)\b(?=[.(])/

function contractBreaches(module: Module): string[] {
  if (roleOf(module.path) === 'test') return []
  const imports = importsOf(module)
    .filter((specifier) => !specifier.startsWith('.') && specifier !== 'zod')
    .map((specifier) => `${module.path}: the contract imports zod alone, but here ${specifier}`)
  const outside = importsOf(module)
    .map((specifier) => target(module, specifier))
    .filter((path) => path.startsWith('packages/') && !path.startsWith('packages/contract/src/'))
    .map((path) => `${module.path}: the contract imports ${path}`)
  return [
    ...imports,
    ...outside,
    ...(ofNode.test(module.text) ? [`${module.path}: the contract uses what browsers lack`] : []),
  ]
}

function groundBreaches(module: Module): string[] {
  const outside = importsOf(module)
    .map((specifier) => target(module, specifier))
    .filter((path) => path.startsWith(`${server}/`) && featureOf(path) !== ground)
    .map((path) => `${module.path}: the ground imports ${path}`)
  return [...outside, ...pureBreaches(module)]
}

function platformBreaches(module: Module): string[] {
  return importsOf(module)
    .map((specifier) => target(module, specifier))
    .filter((path) => path.startsWith(`${server}/`) && !['platform', ground].includes(featureOf(path) ?? ''))
    .map((path) => `${module.path}: the platform imports ${path}`)
}

function featureBreaches(module: Module, feature: string): string[] {
  return importsOf(module).flatMap((specifier) => {
    const path = target(module, specifier)
    const other = featureOf(path)
    if (other === composition) return [`${module.path}: imports the composition ${path}`]
    if (other === null || other === feature || other === 'platform' || other === ground) return []
    if (!path.endsWith('/index.ts') && roleOf(path) !== null)
      return [`${module.path}: reaches past the index of ${other}: ${path}`]
    return knows[feature]?.includes(other) ? [] : [`${module.path}: ${feature} does not know ${other}`]
  })
}

const impure = /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)|\bprocess\.env\b|\bperformance\.now\(\)/

function pureBreaches(module: Module): string[] {
  const imports = importsOf(module)
    .map((specifier) => ({ specifier, path: target(module, specifier) }))
    .filter(({ specifier, path }) => {
      if (/^node:(fs|net|http|https|tls|dns|child_process|worker_threads)/.test(specifier)) return true
      if (!path.startsWith(`${server}/`))
        return ['pg', 'fastify', 'imapflow', 'nodemailer', 'undici'].includes(specifier)
      // What the platform's shells hand over may be named by its type.
      if (featureOf(path) === 'platform') return !isTypeOnly(module, specifier)
      return roleOf(path) !== null
    })
    .map(({ path }) => `${module.path}: a pure file imports ${path}`)
  return impure.test(module.text)
    ? [...imports, `${module.path}: a pure file reads time, chance or the environment`]
    : imports
}

function isTypeOnly(module: Module, specifier: string): boolean {
  return module.text
    .split(/(?=^import )/m)
    .filter((part) => part.includes(`'${specifier}'`))
    .every((part) => part.startsWith('import type'))
}

const house = modules()
const production = house.filter(
  (module) =>
    roleOf(module.path) !== 'test' &&
    module.path.startsWith('packages/') &&
    !module.path.startsWith('packages/testing/'),
)

describe('the house', () => {
  test('was really read', () => expect(production.length).toBeGreaterThan(modulesMin))

  test('imports point down', () => expect(house.flatMap(breaches)).toEqual([]))

  test.each([
    ['the platform importing a feature', `${server}/platform/x.ts`, `import { a } from '../campaigns/index.ts'`],
    [
      'a feature reaching past an index',
      `${server}/delivery/x.shell.ts`,
      `import { a } from '../campaigns/campaigns.sql.ts'`,
    ],
    ['a feature that knows too much', `${server}/campaigns/x.commands.ts`, `import { a } from '../delivery/index.ts'`],
    ['the ground importing a feature', `${server}/ground/time/x.ts`, `import { a } from '../../campaigns/x.ts'`],
    ['a pure file importing a shell', `${server}/campaigns/x.ts`, `import { a } from './campaigns.sql.ts'`],
    ['a pure file reading the clock', `${server}/campaigns/x.ts`, `export const now = () => Date.now()`],
    ['a pure file opening a socket', `${server}/inbox/x.ts`, `import { connect } from 'node:net'`],
    ['the contract doing I/O', 'packages/contract/src/x.ts', `import { Pool } from 'pg'`],
    ['the contract using Node.js', 'packages/contract/src/x.ts', `import { domainToASCII } from 'node:url'`],
    ['the contract using a global of Node.js', 'packages/contract/src/x.ts', `export const a = Buffer.from('')`],
    ['the contract using the document', 'packages/contract/src/x.ts', `import { a } from '../document/openapi.ts'`],
  ])('a planted violation is seen: %s', (_name, path, text) => expect(breaches({ path, text })).toHaveLength(1))

  test('there are no import cycles', () => expect(cycles(production)).toEqual([]))

  test('files are one idea long', () => {
    const long = production
      .filter((module) => module.text.split('\n').length - 1 > linesMax)
      .map((module) => module.path)
    expect(long).toEqual([])
  })

  test('nothing reads the time or chance outside the platform', () => {
    const reads = production.filter(
      (module) =>
        module.path.startsWith(`${server}/`) && !['platform', composition].includes(featureOf(module.path) ?? ''),
    )
    expect(
      reads
        .filter((module) => /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)/.test(module.text))
        .map(({ path }) => path),
    ).toEqual([])
  })

  test('SQL stands in *.sql.ts alone', () => {
    const statement = /`\s*(select\s[^`]*?\sfrom\s|insert into\s|update \w+ (\w+ )?set\s|delete from\s|with \w+ as \()/
    const others = production.filter(
      (module) => ![null, 'platform', composition].includes(featureOf(module.path)) && roleOf(module.path) !== 'sql',
    )
    expect(others.filter((module) => statement.test(module.text)).map(({ path }) => path)).toEqual([])
  })
})

/** Cycles of imports that exist at run time; types alone make none. */
function cycles(all: readonly Module[]): string[] {
  const edges = new Map(
    all.map((module) => [
      module.path,
      importsOf(module)
        .filter((specifier) => !isTypeOnly(module, specifier))
        .map((specifier) => target(module, specifier)),
    ]),
  )
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path) || trail.includes(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return found
}
