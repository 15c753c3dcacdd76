import { strToU8, zipSync, type Zippable } from 'fflate'

export interface WorkbookFacts {
  /** The XML of the rows of each sheet by its name. */
  sheets: Record<string, string>
  /** The names of the hidden sheets. */
  hidden?: readonly string[]
  /** The XML of the items of the shared strings. */
  shared?: string
  /** Number formats of the cell styles, by their index: the number of a built-in format, or a format code. */
  styles?: readonly (number | string)[]
  countsFrom1904?: boolean
  /** More files of the archive, or others in place of those made here. */
  files?: Record<string, Uint8Array>
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** Makes an .xlsx file, as spreadsheet programs write it (ECMA-376-1, 12 and 18). */
export function makeWorkbook(facts: WorkbookFacts): Uint8Array {
  const names = Object.keys(facts.sheets)
  const sheets = names.map((name, index) => {
    const state = facts.hidden?.includes(name) === true ? ' state="hidden"' : ''
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`
  })
  const date1904 = facts.countsFrom1904 === true ? '<workbookPr date1904="1"/>' : '<workbookPr/>'
  const files: Zippable = {
    // Excel writes the strings after the sheets that use them.
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        xml(`<worksheet xmlns="${main}"><sheetData>${facts.sheets[name]}</sheetData></worksheet>`),
      ]),
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${relations}">${date1904}<sheets>${sheets.join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships>${names
        .map((_name, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`)
        .join('')}</Relationships>`,
    ),
    'xl/styles.xml': xml(stylesXml(facts.styles ?? [])),
    'xl/sharedStrings.xml': xml(`<sst xmlns="${main}">${facts.shared ?? ''}</sst>`),
    ...facts.files,
  }
  return zipSync(files)
}

function stylesXml(styles: readonly (number | string)[]): string {
  const formats = styles.map((style, index) => ({ id: typeof style === 'number' ? style : 164 + index, style }))
  const own = formats.filter(({ style }) => typeof style === 'string')
  const codes = own.map(({ id, style }) => `<numFmt numFmtId="${id}" formatCode="${style}"/>`).join('')
  // The formats of `cellStyleXfs` are not those of cells.
  const cells = formats.map(({ id }) => `<xf numFmtId="${id}"/>`).join('')
  const parts = [
    `<numFmts>${codes}</numFmts>`,
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>',
    `<cellXfs>${cells}</cellXfs>`,
  ]
  return `<styleSheet xmlns="${main}">${parts.join('')}</styleSheet>`
}

function xml(text: string): Uint8Array {
  return strToU8(`${head}\n${text}`)
}
