import {
  addressColumns,
  campaignColumns,
  jsonColumns,
  type MovedCampaign,
  type Product,
  type ProductName,
} from './moved.ts'
import { findField, variableName } from '@overture/ground/text/merge-tag-names.ts'

interface TitledFile {
  name: ProductName
  product: Product
  campaigns: readonly { campaigns: readonly MovedCampaign[] }[]
  /** Whether the file is a list of opt-outs. Everyone in it is suppressed, and nothing else of it is read. */
  isList: boolean
}

interface Column {
  /** Counted from 1. */
  number: number
  title: string
  name: string
  /** The lead field or custom variable that the cells of the column become. */
  target: string
}

/** Returns sentences about the columns of a file that the user should read before the move. */
export function columnNotes(titles: readonly string[], file: TitledFile): string[] {
  const columns = titles.flatMap((title, index): Column[] => {
    const name = variableName(title)
    return title.trim() === ''
      ? []
      : [{ number: index + 1, title: title.trim(), name, target: findField(name) ?? name }]
  })
  const { isList } = file
  return [
    ...addressNotes(columns, isList),
    ...twiceNotes(isList ? columns.filter(({ name }) => addressColumns.includes(name)) : columns),
    ...(isList ? [] : [...untitledNotes(titles), ...unknownNotes(columns, file)]),
  ]
}

function addressNotes(columns: readonly Column[], isList: boolean): string[] {
  if (columns.some(({ name }) => addressColumns.includes(name))) return []
  return [`No column has a known title for addresses${isList ? ' or domains' : ''}, so no row is moved.`]
}

function twiceNotes(columns: readonly Column[]): string[] {
  const targets = [...new Set(columns.map(({ target }) => target))]
  return targets.flatMap((one) => {
    const same = columns.filter(({ target }) => target === one)
    if (same.length < 2) return []
    const titles = same.map(({ number, title }) => `${number} (${title})`).join(', ')
    return [`Columns ${titles} all mean ${one}. Each row uses the first one that is not empty.`]
  })
}

function untitledNotes(titles: readonly string[]): string[] {
  const numbers = titles.flatMap((title, index) => (title.trim() === '' ? [index + 1] : []))
  return numbers.length > 0 ? [`Columns without a title are ignored: ${numbers.join(', ')}.`] : []
}

function unknownNotes(
  columns: readonly Column[],
  { name: product, product: { ledger }, campaigns }: TitledFile,
): string[] {
  const usedVariables = campaigns.flatMap(({ campaigns: ones }) => ones.flatMap(({ variables }) => variables))
  const known = new Set([...ledger, ...campaignColumns, ...jsonColumns, ...usedVariables])
  const unknown = columns.filter(({ name }) => !known.has(name) && findField(name) === null)
  return unknown.map(
    ({ number, title, target }) =>
      `Column ${number} (${title}) is unknown for ${product}, and no text uses it. It becomes customVariables.${target}.`,
  )
}
