import { composition, entry, knows, platform, purePackages, server, sources, subRooms } from './rooms.ts'
import { readImports, isTest, type Import, type Module, findRole, findRoom, findSubRoom } from './source.ts'

/** The breaches of the architecture's import rules in a module, one sentence each. */
export function breaches(module: Module): string[] {
  if (isTest(module)) return []
  if (module.path.startsWith('packages/contract/src/')) return contractBreaches(module)
  if (module.path.startsWith('packages/sdk/src/')) return sdkBreaches(module)
  if (module.path.startsWith('packages/mcp/src/')) return assistantBreaches(module)
  const pure = /^packages\/([^/]+)\/src\//.exec(module.path)?.[1] ?? ''
  if (purePackages[pure] !== undefined) return purePackageBreaches(module, [pure, ...purePackages[pure]])
  const room = findRoom(module.path)
  if (room === null) return []
  return [
    ...readImports(module).flatMap((one) => importBreaches(module, room, one)),
    ...subRoomBreaches(module, room),
    ...(findRole(module.path) === null ? pureBreaches(module, room) : []),
    ...timeBreaches(module),
  ]
}

/** Globals that only Node.js has. Browsers also load the contract. */
const ofNode = /\b(?:Buffer|process|require|__dirname|setImmediate)\b(?=[.(])/

function contractBreaches(module: Module): string[] {
  const outside = readImports(module)
    .filter(({ specifier, path }) => specifier !== 'zod' && !path.startsWith('packages/contract/src/'))
    .map(({ specifier }) => `${module.path}: the contract imports zod alone, but here ${specifier}`)
  return ofNode.test(module.text) ? [...outside, `${module.path}: the contract uses what browsers lack`] : outside
}

/** The SDK runs wherever `fetch` exists and has no dependencies of its own. */
function sdkBreaches(module: Module): string[] {
  const outside = readImports(module)
    .filter(({ specifier, path }) => specifier !== 'eventsource-parser' && !path.startsWith('packages/sdk/src/'))
    .map(({ specifier }) => `${module.path}: the client brings nothing along, but imports ${specifier}`)
  return ofNode.test(module.text) ? [...outside, `${module.path}: the client uses what only Node.js has`] : outside
}

/** The MCP server uses only the API, so that the API's limits, scopes and isolation apply. */
function assistantBreaches(module: Module): string[] {
  const rooms = ['packages/mcp/src/', 'packages/sdk/src/', 'packages/contract/src/']
  return readImports(module)
    .filter(({ path }) => path.startsWith('packages/') && !rooms.some((room) => path.startsWith(room)))
    .map(({ specifier }) => `${module.path}: assistants use the API, but this imports ${specifier}`)
}

/** A pure package imports only pure packages and libraries, and waits for nothing. */
function purePackageBreaches(module: Module, allowed: readonly string[]): string[] {
  const outside = readImports(module)
    .filter(({ specifier, path, typeOnly }) => {
      if (path.startsWith('packages/')) return !allowed.some((one) => path.startsWith(`packages/${one}/src/`))
      return !typeOnly && (network.test(specifier) || inputOutput.includes(specifier))
    })
    .map(({ specifier }) => `${module.path}: a pure package imports ${specifier}`)
  const role = findRole(module.path)
  const named = role === null || role === 'index' ? [] : [`${module.path}: a pure package has no ${role}`]
  return [...outside, ...named, ...timeBreaches(module)]
}

function importBreaches(module: Module, room: string, { path }: Import): string[] {
  if (path.startsWith('packages/testing/')) return [`${module.path}: imports what only tests use: ${path}`]
  const other = findRoom(path)
  if (other === null || other === room) return []
  if (room === composition) return []
  if (other === composition) return [`${module.path}: imports the composition: ${path}`]
  if (room === platform) return [`${module.path}: the platform imports ${path}`]
  if (other === platform) return []
  if (findRole(path) !== null && findRole(path) !== 'index')
    return [`${module.path}: reaches past the index of ${other}: ${path}`]
  return knows[room]?.includes(other) ? [] : [`${module.path}: ${room} does not know ${other}`]
}

function subRoomBreaches(module: Module, room: string): string[] {
  const order = subRooms[room]
  const own = findSubRoom(module.path)
  if (order === undefined || own === null) return []
  if (findRole(module.path) === 'index') return [`${module.path}: a sub-room has no index`]
  if (!order.includes(own)) return [`${module.path}: ${room}/${own} is not in the plan of the house`]
  return readImports(module)
    .filter(({ path }) => findRoom(path) === room)
    .filter(({ path }) => {
      const other = findSubRoom(path)
      // All sub-rooms may use the queries in the slice's own folder, but not its index, routes or worker.
      if (other === null) return room !== platform && ['index', 'routes', 'worker'].includes(findRole(path) ?? '')
      return other !== own && !order.slice(0, order.indexOf(own)).includes(other)
    })
    .map(({ path }) => `${module.path}: ${room}/${own} comes before ${path}`)
}

/**
 * Imports that leave a sub-room for a file of the slice's own folder and come back from there, directly or through other files of
 * that folder: into the same sub-room or a later one. They make a cycle of rooms, which no import shows alone.
 */
export function returningImports(modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  return modules.flatMap((module) => {
    const room = findRoom(module.path)
    const own = findSubRoom(module.path)
    const order = room === null || room === platform ? undefined : subRooms[room]
    if (order === undefined || own === null || isTest(module)) return []
    const inFolder = ({ path }: Import): boolean => findRoom(path) === room && findSubRoom(path) === null
    const starts = readImports(module).filter(inFolder)
    return starts.flatMap((start) => {
      const reached = reachedFrom(start.path, { byPath, inFolder })
      const back = reached.find((path) => {
        const other = findSubRoom(path)
        return findRoom(path) === room && other !== null && order.indexOf(other) >= order.indexOf(own)
      })
      return back === undefined ? [] : [`${module.path}: imports ${start.path}, which leads back to ${back}`]
    })
  })
}

/** Everything that a file and the files of its own folder import, in turn. */
function reachedFrom(
  start: string,
  { byPath, inFolder }: { byPath: ReadonlyMap<string, Module>; inFolder: (one: Import) => boolean },
): string[] {
  const seen = new Set([start])
  const reached: string[] = []
  for (const path of seen) {
    const module = byPath.get(path)
    for (const imported of module === undefined ? [] : readImports(module)) {
      if (inFolder(imported)) seen.add(imported.path)
      else reached.push(imported.path)
    }
  }
  return reached
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
  return readImports(module)
    .filter(({ specifier, path, typeOnly }) => {
      if (typeOnly && findRoom(path) === platform) return false
      if (network.test(specifier)) return !typeOnly
      if (!path.startsWith(`${server}/`)) return !typeOnly && inputOutput.includes(specifier)
      if (wiring) return false
      return room !== platform && findRoom(path) === platform
        ? !sources.includes(path) || !typeOnly
        : findRole(path) !== null
    })
    .map(({ path }) => `${module.path}: a pure file imports ${path}`)
}

const timeOrChance = /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)|\bperformance\.now\(\)/
const timers = /(?<![\w.])(?:setTimeout|setInterval|setImmediate)\(/
const environment = /\bprocess\.env\b/

function timeBreaches(module: Module): string[] {
  const found: string[] = []
  const mayRead = sources.includes(module.path)
  const room = findRoom(module.path)
  if (timeOrChance.test(module.text) && !mayRead && room !== platform)
    found.push(`${module.path}: reads time or chance, which are arguments`)
  if (timers.test(module.text) && !mayRead && findRole(module.path) === null)
    found.push(`${module.path}: a pure file waits`)
  if (environment.test(module.text) && module.path !== entry && room !== platform)
    found.push(`${module.path}: reads the environment, which main.ts hands down`)
  return found
}

/** The actual imports between slices. They are compared with the plan, so that no unused permission remains. */
export function knownSlices(modules: readonly Module[]): Record<string, string[]> {
  const known: Record<string, string[]> = {}
  for (const module of modules) {
    const room = findRoom(module.path)
    if (room === null || [composition, platform].includes(room)) continue
    known[room] ??= []
    for (const { path } of readImports(module)) {
      const other = findRoom(path)
      if (other === null || other === room || [composition, platform].includes(other)) continue
      if (!known[room].includes(other)) known[room].push(other)
    }
    known[room].sort()
  }
  return known
}

/** Cycles of imports, types included. */
export function cycles(modules: readonly Module[]): string[] {
  const edges = new Map(modules.map((module) => [module.path, readImports(module).map(({ path }) => path)]))
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
