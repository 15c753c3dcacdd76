import { comparedWithParameter } from './account-conditions.ts'
import type { Catalogue } from './catalogue.ts'
import { foreignForms } from './forms.ts'
import type { SentStatement } from './texts.ts'
import {
  type Block,
  listBlocks,
  calledName,
  columnPath,
  listConditions,
  listCtes,
  find,
  notBelow,
  parse,
  type Relation,
  listRelations,
  type SqlNode,
  findTargetTable,
} from './tree.ts'

/**
 * The rules for statements in a distributed database, where each account is on one server. A statement that follows them runs on the
 * account's server and returns the same result as on a single server. A comparison with the account's id selects the server.
 */
export const rules = {
  account: 'each relation with account_id is compared with a parameter',
  'plain read': 'what crosses accounts only reads: no lock, no change, no common table expression, no lateral join',
  snapshot: 'no table is read that a part of the same statement changes',
  'changeable over column': 'no function that changes its answer is given a column in an update or a delete',
  'changeable in case': 'no function that changes its answer stands within case or coalesce where something is changed',
  'simple case': 'each branch of a case is a condition of its own',
  ctid: 'rows are named by their key',
  'select in values': 'inserted values are no sub-selects',
  bulk: 'many rows are inserted as values, or from a table of the account',
  function: 'no function is called that reads a table',
  session: 'settings end with the transaction',
  'one statement': 'a change of the schema is sent alone',
  'empty select': 'a sub-select has a column',
  'reference join': 'tables of accounts are joined with each other, not through a table that each server has',
  'changeable in conflict': 'no function that changes its answer stands in on conflict',
  'changeable in returning': 'no function that changes its answer stands in returning',
  'select in returning': 'nothing is selected in returning',
  'volatile in change': 'no volatile function stands in an update or a delete',
  'interval over column': 'no interval is added to a column in an update or a delete',
  'lock in a joined list': 'rows are locked in a part that reads tables alone, not lists of values',
  copied: 'what is inserted from a select has returning or on conflict',
} as const

export type Rule = keyof typeof rules

export interface Breach {
  rule: Rule
  statement: string
  what: string
}

export type Finding = [rule: Rule, what: string]

/** The rules that a statement breaks. */
export function findBreaches({ name, text }: SentStatement, catalogue: Catalogue): Breach[] {
  const crosses = name.endsWith('AcrossAccounts')
  const trees = parse(text)
  const findings = trees.flatMap((tree): Finding[] => {
    const blocks = listBlocks(tree)
    return [
      ...foreignForms({ tree, blocks, alone: trees.length === 1 }, catalogue),
      ...(crosses ? notPlain(tree, blocks, catalogue) : blocks.flatMap((block) => uncompared(block, catalogue))),
      ...snapshots(blocks),
      ...blocks.flatMap((block) => changeableParts(block, catalogue)),
      ...blocks.flatMap((block) => inserted(block, catalogue, crosses)),
      ...called(tree, catalogue),
    ]
  })
  const unique = new Map(findings.map(([rule, what]) => [`${rule} ${what}`, { rule, statement: name, what }]))
  return [...unique.values()]
}

function uncompared(block: Block, { ofAccounts }: Catalogue): Finding[] {
  const relations = listRelations(block).filter(({ table }) => ofAccounts.has(table))
  if (relations.length === 0) return []
  const compared = new Set(listConditions(block).flatMap(comparedWithParameter))
  const joins = [block.node['fromClause'], block.node['usingClause']].flatMap((from) =>
    find('JoinExpr', from, notBelow),
  )
  const shared = joins.some((join) => find('String', join['usingClause']).some(({ sval }) => sval === 'account_id'))
  const isCompared = ({ alias }: Relation) =>
    compared.has(alias) || (compared.has('') && (shared || relations.length === 1))
  return relations.filter((one) => !isCompared(one)).map(({ table }): Finding => ['account', table])
}

function notPlain(tree: SqlNode, blocks: readonly Block[], { ofAccounts }: Catalogue): Finding[] {
  const changed = blocks.filter(({ kind, node }) => kind !== 'SelectStmt' && ofAccounts.has(findTargetTable(node)))
  const found: Finding[] = changed.map(({ kind }) => ['plain read', kind])
  // Tables without accounts are on one server.
  if (!find('RangeVar', tree).some(({ relname }) => ofAccounts.has(relname as string))) return found
  const laterals = find('RangeSubselect', tree).filter(({ lateral }) => lateral === true)
  return [
    ...found,
    ...find('LockingClause', tree).map((): Finding => ['plain read', 'for update']),
    ...blocks.filter(({ node }) => listCtes(node).length > 0).map((): Finding => ['plain read', 'with']),
    ...laterals.map((): Finding => ['plain read', 'lateral']),
  ]
}

function snapshots(blocks: readonly Block[]): Finding[] {
  return blocks.flatMap(({ node }) => {
    const ctes = listCtes(node)
    return ctes.flatMap((cte) => {
      const others = [{ ...node, withClause: undefined }, ...ctes.filter((one) => one !== cte)]
      const changed = listBlocks(cte['ctequery'])
        .filter(({ kind }) => kind !== 'SelectStmt')
        .map((block) => findTargetTable(block.node))
      const read = new Set(others.flatMap((other) => readIn(other)))
      return changed.filter((table) => read.has(table)).map((table): Finding => ['snapshot', table])
    })
  })
}

/** The tables in any from-clause of a tree. */
function readIn(tree: unknown): string[] {
  return find('fromClause', tree)
    .concat(find('usingClause', tree))
    .flatMap((from) => find('RangeVar', from))
    .map(({ relname }) => relname as string)
}

/** The expressions of an update or a delete, and those of an insert with values. */
function listExpressions({ kind, node }: Block): unknown[] {
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return [node['targetList'], node['whereClause']]
  if (kind !== 'InsertStmt') return []
  const values = ((node['selectStmt'] as SqlNode | undefined)?.['SelectStmt'] as SqlNode | undefined)?.['valuesLists']
  return [values, node['onConflictClause']]
}

function changeableParts(block: Block, { changeable, ofAccounts }: Catalogue): Finding[] {
  const { node, kind } = block
  const expressions = listExpressions(block)
  const isChangeable = (call: SqlNode) => changeable.has(calledName(call))
  const overColumn =
    kind === 'InsertStmt'
      ? []
      : expressions
          .flatMap((one) => changeables(one, isChangeable))
          .filter(({ args }) => find('ColumnRef', args, notBelow).length > 0)
  const inCase = expressions
    .flatMap((one) => [...find('CaseExpr', one, notBelow), ...find('CoalesceExpr', one, notBelow)])
    .flatMap((one) => changeables(one, isChangeable))
  return [
    ...overColumn.map(({ called: name }): Finding => ['changeable over column', name]),
    ...inCase.map(({ called: name }): Finding => ['changeable in case', name]),
    ...simpleCases(kind, node),
    ...byPlace(block, ofAccounts),
  ]
}

function byPlace(block: Block, ofAccounts: ReadonlySet<string>): Finding[] {
  const tables = listRelations(block).filter(({ table }) => ofAccounts.has(table))
  const columns = find('ColumnRef', block.node, notBelow).filter((column) => columnPath(column).at(-1) === 'ctid')
  return columns.length === 0 ? [] : tables.map(({ table }): Finding => ['ctid', table])
}

function simpleCases(kind: Block['kind'], node: SqlNode): Finding[] {
  return find('CaseExpr', node, (key) => notBelow(key) && key !== 'selectStmt')
    .filter(({ arg }) => arg !== undefined)
    .map((): Finding => ['simple case', kind])
}

/** Types whose text depends on settings of the session. */
const readBySettings: readonly string[] = ['date', 'timestamptz', 'timestamp']

function changeables(tree: unknown, isChangeable: (call: SqlNode) => boolean): { called: string; args: unknown }[] {
  const calls = find('FuncCall', tree, notBelow).filter(isChangeable)
  const casts = find('TypeCast', tree, notBelow).filter((cast) => {
    const type = find('String', (cast['typeName'] as SqlNode)['names']).at(-1)?.['sval'] as string
    return readBySettings.includes(type) && find('ColumnRef', cast['arg'], notBelow).length > 0
  })
  return [
    ...calls.map((call) => ({ called: calledName(call), args: call['args'] })),
    ...casts.map((cast) => ({ called: 'cast to a time', args: cast['arg'] })),
    ...find('SQLValueFunction', tree, notBelow).map(() => ({ called: 'current_…', args: [] })),
  ]
}

function inserted(block: Block, { ofAccounts }: Catalogue, crosses: boolean): Finding[] {
  if (block.kind !== 'InsertStmt') return []
  const { node, named } = block
  const table = findTargetTable(node)
  const source = (node['selectStmt'] as SqlNode | undefined)?.['SelectStmt'] as SqlNode | undefined
  if (source === undefined || !ofAccounts.has(table)) return []
  if (source['valuesLists'] !== undefined)
    return find('SubLink', source['valuesLists']).map((): Finding => ['select in values', table])
  if (crosses) return []
  const levels = listBlocks({ SelectStmt: source }, named)
  const tied = levels.some((level) => {
    const own = listRelations(level).filter((one) => ofAccounts.has(one.table))
    return own.length > 0 && listConditions(level).some((one) => comparedWithParameter(one).length > 0)
  })
  const fromChange = relationsNamed(source).some((name) => named.has(name))
  return tied || fromChange ? [] : [['bulk', table]]
}

function relationsNamed(select: SqlNode): string[] {
  return find('RangeVar', select['fromClause']).map(({ relname }) => relname as string)
}

function called(tree: SqlNode, { touchingTables }: Catalogue): Finding[] {
  const settings = find('VariableSetStmt', tree).filter((set) => set['is_local'] !== true)
  return find('FuncCall', tree)
    .flatMap((call): Finding[] => {
      const name = calledName(call)
      if (touchingTables.has(name)) return [['function', name]]
      if (name !== 'set_config') return []
      const local = find('boolval', (call['args'] as unknown[])[2])[0]?.['boolval'] === true
      return local ? [] : [['session', 'set_config']]
    })
    .concat(settings.map(({ name }): Finding => ['session', String(name)]))
}
