import { columnPath, find, type SqlNode } from './tree.ts'

/** The aliases whose account_id a condition compares with a parameter; '' if the column has no alias. */
export function comparedWithParameter(condition: SqlNode): string[] {
  return equalSides(condition).flatMap(([left, right]) => [...aliasBeside(left, right), ...aliasBeside(right, left)])
}

/** The aliases on both sides of each `a.account_id = b.account_id` of a condition. */
export function joinedAccounts(condition: SqlNode): [string, string][] {
  return equalSides(condition).flatMap(([left, right]): [string, string][] => {
    const [one, other] = [accountAlias(left), accountAlias(right)]
    return one === null || other === null ? [] : [[one, other]]
  })
}

/** The pairs of expressions that a condition makes equal: several for `(a, b) = ($1, $2)`, none for other conditions. */
function equalSides(condition: SqlNode): [SqlNode, SqlNode][] {
  const expression = condition['A_Expr'] as SqlNode | undefined
  if (expression === undefined || expression['kind'] !== 'AEXPR_OP') return []
  if (find('String', expression['name'])[0]?.['sval'] !== '=') return []
  const [left, right] = [sides(expression['lexpr']), sides(expression['rexpr'])]
  return left.length === right.length ? left.map((one, index) => [one, right[index] as SqlNode]) : []
}

function sides(expression: unknown): SqlNode[] {
  const row = (expression as SqlNode)['RowExpr'] as SqlNode | undefined
  return row === undefined ? [expression as SqlNode] : (row['args'] as SqlNode[])
}

function aliasBeside(column: SqlNode, other: SqlNode): string[] {
  const alias = isParameter(other) ? accountAlias(column) : null
  return alias === null ? [] : [alias]
}

function accountAlias(column: SqlNode): string | null {
  if (column['ColumnRef'] === undefined) return null
  const path = columnPath(column['ColumnRef'])
  return path.at(-1) === 'account_id' ? (path.at(-2) ?? '') : null
}

function isParameter(node: SqlNode): boolean {
  if (node['ParamRef'] !== undefined) return true
  const cast = node['TypeCast'] as SqlNode | undefined
  return cast !== undefined && isParameter(cast['arg'] as SqlNode)
}
