import { composition, entry, ground, knows, platform, purePackages, server, sources, subRooms } from './rooms.ts'
import { importsOf, isTest, type Import, type Module, roleOf, roomOf, subRoomOf } from './source.ts'

/** The breaches of the architecture's import rules in a module, one sentence each. */
export function breaches(module: Module): string[] {
  if (isTest(module)) return []
  if (module.path.startsWith('packages/contract/src/')) return contractBreaches(module)
  if (module.path.startsWith('packages/sdk/src/')) return sdkBreaches(module)
  if (module.path.startsWith('packages/mcp/src/')) return assistantBreaches(module)
  const home = purePackages.map((name) => `packages/${name}/src/`).find((folder) => module.path.startsWith(folder))
  if (home !== undefined) return purePackageBreaches(module, home)
  const room = roomOf(module.path)
  if (room === null) return []
  return [
    ...importsOf(module).flatMap((one) => importBreaches(module, room, one)),
    ...subRoomBreaches(module, room),
    ...(roleOf(module.path) === null ? pureBreaches(module, room) : []),
    ...timeBreaches(module),
  ]
}

/** Globals that only Node.js has. Browsers also load the contract. */
const ofNode = /\b(?:Buffer|process|require|__dirname|setImmediate)\b(?=[.(])/

function contractBreaches(module: Module): string[] {
  const outside = importsOf(module)
    .filter(({ specifier, path }) => specifier !== 'zod' && !path.startsWith('packages/contract/src/'))
    .map(({ specifier }) => `${module.path}: the contract imports zod alone, but here ${specifier}`)
  return ofNode.test(module.text) ? [...outside, `${module.path}: the contract uses what browsers lack`] : outside
}

/** The SDK runs wherever `fetch` exists and has no dependencies of its own. */
function sdkBreaches(module: Module): string[] {
  const outside = importsOf(module)
    .filter(({ specifier, path }) => specifier !== 'eventsource-parser' && !path.startsWith('packages/sdk/src/'))
    .map(({ specifier }) => `${module.path}: the client brings nothing along, but imports ${specifier}`)
  return ofNode.test(module.text) ? [...outside, `${module.path}: the client uses what only Node.js has`] : outside
}

/** The MCP server uses only the API, so that the API's limits, scopes and isolation apply. */
function assistantBreaches(module: Module): string[] {
  const rooms = ['packages/mcp/src/', 'packages/sdk/src/', 'packages/contract/src/']
  return importsOf(module)
    .filter(({ path }) => path.startsWith('packages/') && !rooms.some((room) => path.startsWith(room)))
    .map(({ specifier }) => `${module.path}: assistants use the API, but this imports ${specifier}`)
}

/** A pure package works in every program: without the server, without Node.js, and without a clock. */
function purePackageBreaches(module: Module, home: string): string[] {
  const outside = importsOf(module)
    .filter(({ path }) => !path.startsWith(home) && !path.startsWith('packages/contract/src/'))
    .map(({ specifier }) => `${module.path}: a pure package imports ${specifier}`)
  const impure = [ofNode, timeOrChance, timers, environment].some((one) => one.test(module.text))
  return impure ? [...outside, `${module.path}: a pure package uses Node.js, time or chance`] : outside
}

function importBreaches(module: Module, room: string, { path }: Import): string[] {
  if (path.startsWith('packages/testing/')) return [`${module.path}: imports what only tests use: ${path}`]
  const other = roomOf(path)
  if (other === null || other === room || other === ground) return []
  if (room === composition) return []
  if (other === composition) return [`${module.path}: imports the composition: ${path}`]
  if (room === ground || room === platform) return [`${module.path}: the ${room} imports ${path}`]
  if (other === platform) return []
  if (roleOf(path) !== null && roleOf(path) !== 'index')
    return [`${module.path}: reaches past the index of ${other}: ${path}`]
  return knows[room]?.includes(other) ? [] : [`${module.path}: ${room} does not know ${other}`]
}

function subRoomBreaches(module: Module, room: string): string[] {
  const order = subRooms[room]
  const own = subRoomOf(module.path)
  if (order === undefined || own === null) return []
  if (roleOf(module.path) === 'index') return [`${module.path}: a sub-room has no index`]
  if (!order.includes(own)) return [`${module.path}: ${room}/${own} is not in the plan of the house`]
  return importsOf(module)
    .filter(({ path }) => roomOf(path) === room)
    .filter(({ path }) => {
      const other = subRoomOf(path)
      // All sub-rooms may use the queries in the slice's own folder, but not its index, routes or worker.
      if (other === null) return room !== platform && ['index', 'routes', 'worker'].includes(roleOf(path) ?? '')
      return other !== own && !order.slice(0, order.indexOf(own)).includes(other)
    })
    .map(({ path }) => `${module.path}: ${room}/${own} comes before ${path}`)
}

const network = /^node:(fs|net|http|https|tls|dns|child_process|worker_threads|readline)(\/|$)/
const inputOutput = [
  'pg',
  'pg-copy-streams',
  'fastify',
  'imapflow',
  'nodemailer',
  'undici',
  'pino',
  'prom-client',
  'stripe',
]

function pureBreaches(module: Module, room: string): string[] {
  // Wiring imports everything that it connects, and opens no connection itself.
  const wiring = room === composition
  return importsOf(module)
    .filter(({ specifier, path, typeOnly }) => {
      if (typeOnly && roomOf(path) === platform) return false
      if (network.test(specifier)) return !typeOnly
      if (!path.startsWith(`${server}/`)) return !typeOnly && inputOutput.includes(specifier)
      if (wiring) return false
      return room !== platform && roomOf(path) === platform
        ? !sources.includes(path) || !typeOnly
        : roleOf(path) !== null
    })
    .map(({ path }) => `${module.path}: a pure file imports ${path}`)
}

const timeOrChance = /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)|\bperformance\.now\(\)/
const timers = /(?<![\w.])(?:setTimeout|setInterval|setImmediate)\(/
const environment = /\bprocess\.env\b/

function timeBreaches(module: Module): string[] {
  const found: string[] = []
  const mayRead = sources.includes(module.path)
  const room = roomOf(module.path)
  if (timeOrChance.test(module.text) && !mayRead && room !== platform)
    found.push(`${module.path}: reads time or chance, which are arguments`)
  if (timers.test(module.text) && !mayRead && roleOf(module.path) === null)
    found.push(`${module.path}: a pure file waits`)
  if (environment.test(module.text) && module.path !== entry && room !== platform)
    found.push(`${module.path}: reads the environment, which main.ts hands down`)
  return found
}

/** The actual imports between slices. They are compared with the plan, so that no unused permission remains. */
export function knownSlices(modules: readonly Module[]): Record<string, string[]> {
  const known: Record<string, string[]> = {}
  for (const module of modules) {
    const room = roomOf(module.path)
    if (room === null || [composition, platform, ground].includes(room)) continue
    known[room] ??= []
    for (const { path } of importsOf(module)) {
      const other = roomOf(path)
      if (other === null || other === room || [composition, platform, ground].includes(other)) continue
      if (!known[room].includes(other)) known[room].push(other)
    }
    known[room].sort()
  }
  return known
}

/** Cycles of imports, types included. */
export function cycles(modules: readonly Module[]): string[] {
  const edges = new Map(modules.map((module) => [module.path, importsOf(module).map(({ path }) => path)]))
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
