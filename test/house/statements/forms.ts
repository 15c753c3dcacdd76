import { comparedWithParameter, joinedAccounts } from './account-conditions.ts'
import { type Catalogue, referenceTables } from './catalogue.ts'
import type { Finding } from './rules.ts'
import {
  type Block,
  calledName,
  listConditions,
  find,
  notBelow,
  type Relation,
  listRelations,
  type SqlNode,
  findTargetTable,
} from './tree.ts'

interface Statement {
  tree: SqlNode
  blocks: readonly Block[]
  /** Whether its text has no other statement. */
  alone: boolean
}

/** Forms that a server of Citus refuses, or that it runs in a way that PostgreSQL refuses. All were found on a real one. */
export function foreignForms({ tree, blocks, alone }: Statement, catalogue: Catalogue): Finding[] {
  return [
    ...(alone ? [] : schemaChanges(tree)),
    ...emptySelects(tree),
    ...blocks.flatMap((block) => [
      ...throughReferences(block, catalogue),
      ...inConflict(block, catalogue),
      ...inReturning(block, catalogue),
      ...inChange(block, catalogue),
      ...lockedLists(block),
      ...copied(block, catalogue),
    ]),
  ]
}

function schemaChanges(tree: SqlNode): Finding[] {
  return Object.keys(tree)
    .filter((kind) => /^(?:Alter|Comment|Create|Drop|Index|Rename|Truncate|Grant|View)/.test(kind))
    .map((kind): Finding => ['one statement', kind])
}

/** Citus stores the rows of some sub-selects, and rows without columns can't be read back. */
function emptySelects(tree: SqlNode): Finding[] {
  const inside = [
    ...find('SubLink', tree).map(({ subselect }) => subselect),
    ...find('RangeSubselect', tree).map(({ subquery }) => subquery),
    ...find('CommonTableExpr', tree).map(({ ctequery }) => ctequery),
  ]
  return inside
    .flatMap((query) => listArms((query as SqlNode)['SelectStmt']))
    .filter((select) => select['fromClause'] !== undefined && ((select['targetList'] as unknown[]) ?? []).length === 0)
    .map((select): Finding => ['empty select', String(find('RangeVar', select)[0]?.['relname'])])
}

/** The branches of a union, however deep, or the select itself if it is no union. */
function listArms(select: unknown): SqlNode[] {
  if (select === undefined) return []
  const { larg, rarg } = select as SqlNode
  return larg === undefined ? [select as SqlNode] : [...listArms(larg), ...listArms(rarg)]
}

/** A table that each server has does not tell Citus that two tables of accounts have their rows on one server. */
function throughReferences(block: Block, { ofAccounts }: Catalogue): Finding[] {
  const relations = listRelations(block)
  const references = relations.filter(({ table }) => referenceTables.has(table))
  const spread = relations.filter(({ table }) => ofAccounts.has(table) && !referenceTables.has(table))
  if (references.length === 0 || spread.length < 2) return []
  const tied = tiedAliases(block, spread)
  return spread.filter(({ alias }) => !tied.has(alias)).map(({ table }): Finding => ['reference join', table])
}

/** The aliases that equal accounts connect with the first one, or whose account a parameter names. */
function tiedAliases(block: Block, spread: readonly Relation[]): Set<string> {
  const conditions = listConditions(block)
  const aliases = new Set(spread.map(({ alias }) => alias))
  const pairs = conditions.flatMap(joinedAccounts).filter((pair) => pair.every((alias) => aliases.has(alias)))
  const tied = new Set([spread[0]!.alias, ...conditions.flatMap(comparedWithParameter)])
  for (const _round of spread)
    for (const pair of pairs) if (pair.some((alias) => tied.has(alias))) for (const alias of pair) tied.add(alias)
  return tied
}

function changesAccounts({ kind, node }: Block, { ofAccounts }: Catalogue): boolean {
  return kind !== 'SelectStmt' && (ofAccounts.has(findTargetTable(node)) || referenceTables.has(findTargetTable(node)))
}

function changeableIn(tree: unknown, names: ReadonlySet<string>): string[] {
  return [
    ...find('FuncCall', tree, notBelow)
      .map(calledName)
      .filter((name) => names.has(name)),
    ...find('SQLValueFunction', tree, notBelow).map(() => 'current_…'),
  ]
}

function inConflict(block: Block, catalogue: Catalogue): Finding[] {
  if (!changesAccounts(block, catalogue)) return []
  return changeableIn(block.node['onConflictClause'], catalogue.changeable).map((name): Finding => [
    'changeable in conflict',
    name,
  ])
}

function inReturning(block: Block, catalogue: Catalogue): Finding[] {
  if (!changesAccounts(block, catalogue)) return []
  const returned = block.node['returningList'] ?? block.node['returningClause']
  return [
    ...changeableIn(returned, catalogue.changeable).map((name): Finding => ['changeable in returning', name]),
    ...find('SubLink', returned).map((): Finding => ['select in returning', findTargetTable(block.node)]),
  ]
}

function inChange(block: Block, catalogue: Catalogue): Finding[] {
  const { kind, node } = block
  if ((kind !== 'UpdateStmt' && kind !== 'DeleteStmt') || !changesAccounts(block, catalogue)) return []
  const expressions = [node['targetList'], node['whereClause']]
  const intervals = find('A_Expr', expressions, notBelow).filter((sum) => {
    const isSum = ['+', '-'].includes(String(find('String', sum['name'])[0]?.['sval']))
    const names = find('TypeCast', sum, notBelow).flatMap((cast) =>
      find('String', (cast['typeName'] as SqlNode)['names']),
    )
    return isSum && names.some(({ sval }) => sval === 'interval') && find('ColumnRef', sum, notBelow).length > 0
  })
  return [
    ...changeableIn(expressions, catalogue.volatile).map((name): Finding => ['volatile in change', name]),
    ...intervals.map((): Finding => ['interval over column', findTargetTable(block.node)]),
  ]
}

/** Citus writes the rows of such a part as binary and reads them as text. */
function lockedLists({ kind, node, named }: Block): Finding[] {
  if (kind !== 'SelectStmt' || node['lockingClause'] === undefined) return []
  // A sub-select in the from-clause is searched too, but not the sub-selects of its conditions.
  const isFrom = (key: string) => key !== 'SubLink' && key !== 'withClause'
  const tables = find('RangeVar', node['fromClause'], isFrom).map(({ relname }) => relname as string)
  const hasList = find('RangeFunction', node['fromClause'], isFrom).length > 0 || tables.some((name) => named.has(name))
  return hasList ? [['lock in a joined list', tables.filter((name) => !named.has(name)).join(', ')]] : []
}

/** Citus copies such rows into the shards, which PostgreSQL refuses behind row-level security. */
function copied(block: Block, catalogue: Catalogue): Finding[] {
  const { kind, node } = block
  if (kind !== 'InsertStmt' || !changesAccounts(block, catalogue)) return []
  const source = (node['selectStmt'] as SqlNode | undefined)?.['SelectStmt'] as SqlNode | undefined
  if (source === undefined || source['valuesLists'] !== undefined) return []
  const isInserted =
    node['onConflictClause'] !== undefined ||
    node['returningList'] !== undefined ||
    node['returningClause'] !== undefined
  return isInserted ? [] : [['copied', findTargetTable(block.node)]]
}
