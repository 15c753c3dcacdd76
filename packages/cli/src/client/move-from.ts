import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandError, show, type OutputOptions } from '../output.ts'
import { ProgressLine } from '../progress-line.ts'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'
import { makeDrafts } from './move/drafts.ts'
import { openFiles } from './move/files.ts'
import { instantly } from './move/instantly.ts'
import { lemlist } from './move/lemlist.ts'
import { products, type Product, type ProductName } from './move/moved.ts'
import { addNewLeads } from './move/new-leads.ts'
import { suppressOptOuts, type Move } from './move/opt-outs.ts'
import { Report } from './move/report.ts'
import { smartlead } from './move/smartlead.ts'

interface MoveOptions extends ClientOptions, OutputOptions {
  report: string
  live?: boolean
}

const known: Readonly<Record<ProductName, Product>> = { instantly, smartlead, lemlist }

/**
 * `overture move-from instantly FILES… --report FILE`: moves opt-outs first and campaigns as drafts, and contacts no lead a second time.
 */
export function registerMoveFrom(program: Command): void {
  withClientOptions(
    program
      .command('move-from <product> <files...>')
      .description(`Move in from ${products.join(', ')}: campaigns as JSON, leads and opt-outs as CSV`)
      .requiredOption('--report <file>', 'CSV file for the outcome of each row')
      .option('--live', 'allow a live key (default: only test keys)')
      .option('--json', 'print the counts as JSON'),
  ).action(moveFrom)
}

async function moveFrom(name: string, files: string[], options: MoveOptions): Promise<void> {
  const product = products.find((one) => one === name)
  if (product === undefined) throw new CommandError(`Use one of ${products.join(', ')}.`)
  if (files.some((file) => resolve(file) === resolve(options.report)))
    throw new CommandError('The report would overwrite one of the files. Choose another name with --report.')
  const opened = await openFiles(known[product], files)
  const overture = await connectClient(options)
  const { environment } = await overture.account.get()
  if (environment === 'live' && options.live !== true)
    throw new CommandError('This is a live key. Move in with a test key first, check the drafts, then add --live.')
  const progress = process.stderr.isTTY && options.json !== true ? new ProgressLine(process.stderr) : null
  // Leads are read twice, so that all opt-outs are in before the first lead.
  const bytesTotal = opened.leads.reduce((sum, { bytes, isList }) => sum + bytes * (isList ? 1 : 2), 0)
  let bytesRead = 0
  const report = new Report(options.report)
  const onBytes = (bytes: number) => progress?.show((bytesRead += bytes), bytesTotal)
  try {
    await moveAll({ overture, name: product, product: known[product], ...opened, report, onBytes })
  } finally {
    progress?.end()
    await report.close()
  }
  const counts = Object.fromEntries(report.counts)
  const line = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`)
  show(counts, `${line.join(', ') || 'Nothing to move'}: see ${options.report}`, options)
}

async function moveAll(move: Move): Promise<void> {
  const found = await suppressOptOuts(move)
  const drafts = await makeDrafts(move, found)
  await addNewLeads(move, found, drafts)
}
