import { parseAst } from 'vite'
import { importsOf, type Module } from './source.ts'

/** Where the console's pages are made. */
const home = 'packages/console/src/'
const platform = `${home}platform/`
/** What the client itself asks with. */
const clientsFetch = 'packages/console/src/platform/api/paced-fetch.ts'
const clock = `${platform}time/clock.ts`

/** What puts the rest together, and may therefore know all of it. */
const composition = ['app.tsx', 'main.tsx', 'pages.ts', 'routes.tsx', 'paths.ts', 'subscriptions.ts'].map(
  (name) => home + name,
)
const shell = `${home}shell/`

/** What a file of a feature does, by its suffix; one without is pure: props in, markup out. */
const roles = ['page', 'panel', 'queries', 'actions', 'messages', 'test']

/** What is on a page and what is not: to be told in words of a language. */
const toldAttributes = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label', 'aria-description'])

/** What a module of the console does against its order, each in a sentence. */
export function consoleBreaches(module: Module): string[] {
  if (!module.path.startsWith(home)) return []
  return [...importBreaches(module), ...textBreaches(module), ...pureBreaches(module), ...wordsInMarkup(module)].map(
    (what) => `${module.path}: ${what}`,
  )
}

function importBreaches(module: Module): string[] {
  return importsOf(module).flatMap(({ specifier, path }) => {
    if (specifier === 'zod' || path.startsWith('packages/server/')) return [`a browser does not load ${specifier}`]
    if (path.startsWith('packages/contract/') && !withoutSchemas.includes(path)) return [`${specifier} brings schemas`]
    if (!path.startsWith(home) || path.endsWith('.css')) return []
    const from = featureOf(module.path)
    const to = featureOf(path)
    if (from === 'platform' && to !== 'platform') return [`the platform knows ${specifier}`]
    if (from === null || from === to || to === 'platform' || composition.includes(path)) return []
    if (to === 'shell') return [`a feature knows what is around it: ${specifier}`]
    if (module.path.startsWith(shell) && path.endsWith('/index.ts')) return []
    return path.endsWith('/index.ts') || to === null ? [] : [`reaches past the index of ${to}`]
  })
}

/** The contract's files that are tables and no schemas. */
const withoutSchemas = [
  'packages/contract/src/vocabularies.ts',
  'packages/contract/src/lead-finder/lead-finder-vocabulary.ts',
]

function featureOf(path: string): string | null {
  const parts = path.slice(home.length).split('/')
  return parts.length > 1 ? parts[0]! : null
}

function textBreaches({ path, text }: Module): string[] {
  return [
    ...(/\bDate\.now\(|\bnew Date\(\)/.test(text) && path !== clock ? ['reads a clock'] : []),
    ...(/dangerouslySetInnerHTML|\binnerHTML\b/.test(text) ? ['writes markup from text'] : []),
    ...(/\bfetch\(/.test(text) && path !== clientsFetch ? ['asks past the client of the API'] : []),
  ]
}

function pureBreaches(module: Module): string[] {
  const { path } = module
  const feature = featureOf(path)
  const role = roles.find((one) => new RegExp(`\\.${one}\\.tsx?$`).test(path))
  if (
    feature === null ||
    feature === 'platform' ||
    feature === 'shell' ||
    role !== undefined ||
    path.endsWith('/index.ts')
  )
    return []
  return importsOf(module)
    .filter(({ typeOnly }) => !typeOnly)
    .filter(
      (one) =>
        one.specifier === '@tanstack/react-query' ||
        /\.(?:queries|actions)\.ts$/.test(one.path) ||
        one.path === `${platform}api/query.ts` ||
        one.path === `${platform}api/action.ts`,
    )
    .map(({ specifier }) => `a file without a role asks or writes: ${specifier}`)
}

interface Node {
  type: string
  value?: unknown
  name?: { name?: unknown }
  [field: string]: unknown
}

/** Letters between tags, or in what a screen reader says, that no language can replace. */
function wordsInMarkup({ path, text }: Module): string[] {
  if (!path.endsWith('.tsx')) return []
  const found: string[] = []
  visit(parseAst(text, { lang: 'tsx' }) as unknown as Node, (node) => {
    const said =
      node.type === 'JSXText'
        ? node.value
        : node.type === 'JSXAttribute' && toldAttributes.has(String(node.name?.name))
          ? (node['value'] as Node | null)?.value
          : null
    if (typeof said === 'string' && /\p{L}{2}/u.test(said)) found.push(`words in markup: ${said.trim()}`)
  })
  return found
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const inner of Object.values(node).flat())
    if (inner !== null && typeof inner === 'object' && 'type' in inner) visit(inner as Node, see)
}
