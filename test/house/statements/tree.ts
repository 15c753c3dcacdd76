import { loadModule, parseSync } from 'libpg-query'

/** A node of PostgreSQL's own parse tree, as JSON: `{ SelectStmt: {…} }` and what is in it. */
export type SqlNode = Record<string, unknown>

await loadModule()

/** The statements of a text, by PostgreSQL's own grammar. */
export function parse(text: string): SqlNode[] {
  const { stmts = [] } = parseSync(text) as { stmts?: { stmt: SqlNode }[] }
  return stmts.map(({ stmt }) => stmt)
}

/** Every node of a kind in a tree; where `into` says no, what is below is passed over. */
export function find(kind: string, tree: unknown, into: (kind: string) => boolean = () => true): SqlNode[] {
  if (Array.isArray(tree)) return tree.flatMap((one) => find(kind, one, into))
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(key === kind ? [value as SqlNode] : []),
    ...(into(key) ? find(kind, value, into) : []),
  ])
}

/** `a.b` as ['a', 'b'], a star left out. */
export function columnPath(node: unknown): string[] {
  const fields = ((node as SqlNode)['fields'] ?? []) as { String?: { sval: string } }[]
  return fields.flatMap(({ String: text }) => (text === undefined ? [] : [text.sval]))
}

/** The name of a function that is called, without its schema. */
export function calledName(call: SqlNode): string {
  const names = call['funcname'] as { String: { sval: string } }[]
  return names.at(-1)?.String.sval ?? ''
}

/** One level of a statement: what it reads or writes, and what its rows are compared with. */
export interface Block {
  kind: 'SelectStmt' | 'UpdateStmt' | 'DeleteStmt' | 'InsertStmt'
  node: SqlNode
  /** Names of common table expressions that can be meant here. */
  named: ReadonlySet<string>
}

const kinds = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'] as const

/** All levels of a tree: sub-selects, common table expressions and branches of unions are levels of their own. */
export function blocksOf(tree: unknown, named: ReadonlySet<string> = new Set()): Block[] {
  if (Array.isArray(tree)) return tree.flatMap((one) => blocksOf(one, named))
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => {
    // Branches of a union are written without their kind.
    const kind = kinds.find((one) => one === key) ?? (key === 'larg' || key === 'rarg' ? 'SelectStmt' : undefined)
    if (kind === undefined) return blocksOf(value, named)
    const node = value as SqlNode
    const inside = new Set([...named, ...namedIn(node)])
    return [{ kind, node, named: inside }, ...blocksOf(node, inside)]
  })
}

function namedIn(node: SqlNode): string[] {
  return ctesOf(node).map((cte) => cte['ctename'] as string)
}

/** The common table expressions that a level begins with. */
export function ctesOf(node: SqlNode): SqlNode[] {
  const ctes = ((node['withClause'] as SqlNode | undefined)?.['ctes'] ?? []) as { CommonTableExpr: SqlNode }[]
  return ctes.map(({ CommonTableExpr }) => CommonTableExpr)
}

export interface Relation {
  table: string
  alias: string
}

/** What a level names itself: in its from-clause, and what it changes. Common table expressions are left out. */
export function relationsOf({ kind, node, named }: Block): Relation[] {
  const inFrom = [node['fromClause'], node['usingClause']].flatMap((from) => find('RangeVar', from, notBelow))
  const target = kind === 'UpdateStmt' || kind === 'DeleteStmt' ? [node['relation'] as SqlNode] : []
  return [...target.map(relationOf), ...inFrom.map(relationOf).filter(({ table }) => !named.has(table))]
}

function relationOf(range: SqlNode): Relation {
  const table = range['relname'] as string
  return { table, alias: ((range['alias'] as SqlNode | undefined)?.['aliasname'] as string | undefined) ?? table }
}

/** Sub-selects are levels of their own. */
export const notBelow = (key: string): boolean => key !== 'subquery' && key !== 'SubLink' && key !== 'withClause'

/** What all rows of a level meet: the parts of its `where` and of its joins that are tied by `and`. */
export function conditionsOf({ node }: Block): SqlNode[] {
  const joins = [node['fromClause'], node['usingClause']].flatMap((from) => find('JoinExpr', from, notBelow))
  return [node['whereClause'], ...joins.map((join) => join['quals'])].flatMap(conjuncts)
}

function conjuncts(condition: unknown): SqlNode[] {
  if (condition === undefined || condition === null) return []
  const bool = (condition as SqlNode)['BoolExpr'] as SqlNode | undefined
  if (bool?.['boolop'] === 'AND_EXPR') return (bool['args'] as SqlNode[]).flatMap(conjuncts)
  return [condition as SqlNode]
}
