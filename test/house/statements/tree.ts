import { loadModule, parseSync } from 'libpg-query'

/** A node of PostgreSQL's own parse tree as JSON: `{ SelectStmt: {…} }` with its contents. */
export type SqlNode = Record<string, unknown>

await loadModule()

/** Parses the statements of a text with PostgreSQL's own grammar. */
export function parse(text: string): SqlNode[] {
  const { stmts = [] } = parseSync(text) as { stmts?: { stmt: SqlNode }[] }
  return stmts.map(({ stmt }) => stmt)
}

/** Every node of a kind in a tree. Nodes for which `into` returns false are not searched. */
export function find(kind: string, tree: unknown, into: (kind: string) => boolean = () => true): SqlNode[] {
  if (Array.isArray(tree)) return tree.flatMap((one) => find(kind, one, into))
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(key === kind ? [value as SqlNode] : []),
    ...(into(key) ? find(kind, value, into) : []),
  ])
}

/** The parts of a column's name: `a.b` is ['a', 'b']. A star is left out. */
export function columnPath(node: unknown): string[] {
  const fields = ((node as SqlNode)['fields'] ?? []) as { String?: { sval: string } }[]
  return fields.flatMap(({ String: text }) => (text === undefined ? [] : [text.sval]))
}

/** The name of a called function without its schema. */
export function calledName(call: SqlNode): string {
  const names = call['funcname'] as { String: { sval: string } }[]
  return names.at(-1)?.String.sval ?? ''
}

/** One query level of a statement: the tables that it reads or writes, and its conditions. */
export interface Block {
  kind: 'SelectStmt' | 'UpdateStmt' | 'DeleteStmt' | 'InsertStmt'
  node: SqlNode
  /** Names of common table expressions that are visible here. */
  named: ReadonlySet<string>
}

const kinds = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'] as const

/** All query levels of a tree. Sub-selects, common table expressions and branches of unions are separate levels. */
export function listBlocks(tree: unknown, named: ReadonlySet<string> = new Set()): Block[] {
  if (Array.isArray(tree)) return tree.flatMap((one) => listBlocks(one, named))
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => {
    // The tree has no kind for the branches of a union.
    const kind = kinds.find((one) => one === key) ?? (key === 'larg' || key === 'rarg' ? 'SelectStmt' : undefined)
    if (kind === undefined) return listBlocks(value, named)
    const node = value as SqlNode
    const inside = new Set([...named, ...namedIn(node)])
    return [{ kind, node, named: inside }, ...listBlocks(node, inside)]
  })
}

function namedIn(node: SqlNode): string[] {
  return listCtes(node).map((cte) => cte['ctename'] as string)
}

/** The common table expressions of a level. */
export function listCtes(node: SqlNode): SqlNode[] {
  const ctes = ((node['withClause'] as SqlNode | undefined)?.['ctes'] ?? []) as { CommonTableExpr: SqlNode }[]
  return ctes.map(({ CommonTableExpr }) => CommonTableExpr)
}

/** The table that a level inserts into, updates or deletes from. */
export function findTargetTable(node: SqlNode): string {
  return (node['relation'] as SqlNode)['relname'] as string
}

export interface Relation {
  table: string
  alias: string
}

/** The tables of this level: those in its from-clause, and the one that it changes. Common table expressions are left out. */
export function listRelations({ kind, node, named }: Block): Relation[] {
  const inFrom = [node['fromClause'], node['usingClause']].flatMap((from) => find('RangeVar', from, notBelow))
  const target = kind === 'UpdateStmt' || kind === 'DeleteStmt' ? [node['relation'] as SqlNode] : []
  return [...target.map(toRelation), ...inFrom.map(toRelation).filter(({ table }) => !named.has(table))]
}

function toRelation(range: SqlNode): Relation {
  const table = range['relname'] as string
  return { table, alias: ((range['alias'] as SqlNode | undefined)?.['aliasname'] as string | undefined) ?? table }
}

/** Stops the search at sub-selects, which are separate levels. */
export const notBelow = (key: string): boolean => key !== 'subquery' && key !== 'SubLink' && key !== 'withClause'

/** The conditions that all rows of a level fulfill: the parts of its `where` and its joins that are connected by `and`. */
export function listConditions({ node }: Block): SqlNode[] {
  const joins = [node['fromClause'], node['usingClause']].flatMap((from) => find('JoinExpr', from, notBelow))
  return [node['whereClause'], ...joins.map((join) => join['quals'])].flatMap(conjuncts)
}

function conjuncts(condition: unknown): SqlNode[] {
  if (condition === undefined || condition === null) return []
  const bool = (condition as SqlNode)['BoolExpr'] as SqlNode | undefined
  if (bool?.['boolop'] === 'AND_EXPR') return (bool['args'] as SqlNode[]).flatMap(conjuncts)
  return [condition as SqlNode]
}
