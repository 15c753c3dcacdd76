import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { SpreadsheetText } from '@overture/ground/text/spreadsheet-text.ts'
import { CommandError } from '../../output.ts'
import { FormatError, type MovedCampaign, type Product } from './moved.ts'

const campaignBytesMax = 50 * 1024 * 1024
/** File names of lists of people who must not be contacted. The products export these lists as separate files. */
const listName = /unsub|opt[-_ ]?out|block|suppress|bounce|do[-_ ]?not/i

export interface CampaignFile {
  file: string
  campaigns: MovedCampaign[]
}

export interface LeadFile {
  file: string
  bytes: number
  /** Whether the file is a list of opt-outs. Everyone in it is suppressed. */
  isList: boolean
}

/** Opens the given files. The file extension says whether a file has campaigns or leads. */
export async function openFiles(product: Product, files: readonly string[]) {
  const campaigns: CampaignFile[] = []
  const leads: LeadFile[] = []
  for (const file of files) {
    const found = await stat(file).catch(() => null)
    if (found === null || !found.isFile()) throw new CommandError(`${file} is not a file.`)
    const ending = extname(file).toLowerCase()
    if (ending === '.json') campaigns.push({ file, campaigns: await readCampaigns(product, file, found.size) })
    else if (ending === '.csv') leads.push({ file, bytes: found.size, isList: listName.test(basename(file)) })
    else throw new CommandError(`${file}: Use JSON files for campaigns and CSV files for leads and opt-outs.`)
  }
  return { campaigns, leads }
}

async function readCampaigns(product: Product, file: string, bytes: number): Promise<MovedCampaign[]> {
  if (bytes > campaignBytesMax) throw new CommandError(`${file} is larger than 50 MiB, too large for a campaign.`)
  const text = new SpreadsheetText().read(await readFile(file), true)
  try {
    return product.campaigns(JSON.parse(text))
  } catch (error) {
    if (error instanceof FormatError) throw new CommandError(`${file}: no campaign: ${error.message}`)
    if (error instanceof SyntaxError)
      throw new CommandError(`${file}:${errorLine(text, error)}: no JSON: ${error.message}`)
    throw error
  }
}

/** The line at which the JSON parser failed. For a text that ends too early it is the last line. */
function errorLine(text: string, { message }: SyntaxError): number {
  const position = /at position (\d+)/.exec(message)?.[1]
  const read = position === undefined ? text : text.slice(0, Number(position))
  return read.split('\n').length
}

/** The campaign of a file of leads whose rows name no campaign: the only campaign, or the one with the name of the file. */
export function campaignOfFile(file: string, campaigns: readonly CampaignFile[]): MovedCampaign | null {
  const all = campaigns.flatMap(({ campaigns: ones }) => ones)
  if (all.length === 1) return all[0]!
  const named = campaigns.filter(({ file: other }) => stem(other) === stem(file))
  const [only] = named.flatMap(({ campaigns: ones }) => ones)
  return named.length === 1 && named[0]!.campaigns.length === 1 ? only! : null
}

function stem(file: string): string {
  return basename(file, extname(file)).toLowerCase()
}
