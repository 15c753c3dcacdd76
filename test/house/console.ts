import { parseAst } from 'vite'
import { readImports, type Module } from './source.ts'

/** The sources of the console. */
const home = 'packages/console/src/'
const platform = `${home}platform/`
/** The only file that may call fetch. */
const clientsFetch = 'packages/console/src/platform/api/paced-fetch.ts'
const clock = `${platform}time/clock.ts`

/** Files that compose the console and may therefore import any of it. */
const composition = ['app.tsx', 'main.tsx', 'pages.ts', 'routes.tsx', 'paths.ts', 'subscriptions.ts'].map(
  (name) => home + name,
)
const shell = `${home}shell/`

/** The roles of a feature's files by suffix. A file without one is pure: props in, markup out. */
const roles = ['page', 'panel', 'queries', 'actions', 'messages', 'test']

/** Attributes whose text users read or hear, so it must come from the translated messages. */
const toldAttributes = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label', 'aria-description'])

/** The breaches of the console's import and text rules in a module, one sentence each. */
export function consoleBreaches(module: Module): string[] {
  if (!module.path.startsWith(home)) return []
  return [...importBreaches(module), ...textBreaches(module), ...pureBreaches(module), ...wordsInMarkup(module)].map(
    (what) => `${module.path}: ${what}`,
  )
}

function importBreaches(module: Module): string[] {
  return readImports(module).flatMap(({ specifier, path }) => {
    if (specifier === 'zod' || path.startsWith('packages/server/')) return [`a browser does not load ${specifier}`]
    if (path.startsWith('packages/contract/') && !withoutSchemas.includes(path)) return [`${specifier} brings schemas`]
    if (!path.startsWith(home) || path.endsWith('.css')) return []
    const from = findFeature(module.path)
    const to = findFeature(path)
    if (from === 'platform' && to !== 'platform') return [`the platform knows ${specifier}`]
    if (from === null || from === to || to === 'platform' || composition.includes(path)) return []
    if (to === 'shell') return [`a feature knows what is around it: ${specifier}`]
    if (module.path.startsWith(shell) && path.endsWith('/index.ts')) return []
    return path.endsWith('/index.ts') || to === null ? [] : [`reaches past the index of ${to}`]
  })
}

/** The contract's files that contain tables and no schemas. */
const withoutSchemas = [
  'packages/contract/src/vocabularies.ts',
  'packages/contract/src/lead-finder/lead-finder-vocabulary.ts',
  'packages/contract/src/delivery/reply-limits.ts',
  'packages/contract/src/team/operation-roles.ts',
  'packages/contract/src/team/roles.ts',
]

function findFeature(path: string): string | null {
  const parts = path.slice(home.length).split('/')
  return parts.length > 1 ? parts[0]! : null
}

/** Forms and questions that every role may send, or that change nothing. */
const openForms = [
  'packages/console/src/users/',
  'packages/console/src/assistants/',
  'packages/console/src/sandbox/',
  'packages/console/src/platform/',
  'packages/console/src/lead-finder/',
  'packages/console/src/sequence/ai-draft.panel.tsx',
  'packages/console/src/sending-accounts/connect.page.tsx',
  'packages/console/src/meetings/busy-calendar.panel.tsx',
]

/** A user whose role can't do something sees that before filling in a form. */
function lacksOperation({ path, text }: Module): boolean {
  if (openForms.some((start) => path.startsWith(start))) return false
  return [...text.matchAll(/<(?:Form|AskFirst)\b((?:=>|[^>])*)>/g)].some(([, given]) => !given!.includes('operation='))
}

function textBreaches(module: Module): string[] {
  const { path, text } = module
  return [
    ...(lacksOperation(module) ? ['has a form or a question without its operation'] : []),
    ...(/\bDate\.now\(|\bnew Date\(\)/.test(text) && path !== clock ? ['reads a clock'] : []),
    ...(/dangerouslySetInnerHTML|\binnerHTML\b/.test(text) ? ['writes markup from text'] : []),
    ...(/\bfetch\(/.test(text) && path !== clientsFetch ? ['asks past the client of the API'] : []),
  ]
}

function pureBreaches(module: Module): string[] {
  const { path } = module
  const feature = findFeature(path)
  const role = roles.find((one) => new RegExp(`\\.${one}\\.tsx?$`).test(path))
  if (
    feature === null ||
    feature === 'platform' ||
    feature === 'shell' ||
    role !== undefined ||
    path.endsWith('/index.ts')
  )
    return []
  return readImports(module)
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

/** Finds untranslatable text in the markup: text between tags or in attributes that screen readers announce. */
function wordsInMarkup({ path, text }: Module): string[] {
  if (!path.endsWith('.tsx')) return []
  const found: string[] = []
  visit(parseAst(text, { lang: 'tsx' }) as unknown as Node, (node) => {
    const words =
      node.type === 'JSXText'
        ? node.value
        : node.type === 'JSXAttribute' && toldAttributes.has(String(node.name?.name))
          ? (node['value'] as Node | null)?.value
          : null
    if (typeof words === 'string' && /\p{L}{2}/u.test(words)) found.push(`words in markup: ${words.trim()}`)
  })
  return found
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const inner of Object.values(node).flat())
    if (inner !== null && typeof inner === 'object' && 'type' in inner) visit(inner as Node, see)
}
