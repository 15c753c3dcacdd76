import { Option, type Command } from 'commander'
import {
  loadDemoPeople,
  loadPeopleFile,
  reloadSearchCluster,
  type LoadProgress,
} from '@overture/server/lead-finder/index.ts'
import type { Executor } from '@overture/server/platform/db/database.ts'
import { show, type OutputOptions } from '../output.ts'
import { ProgressLine } from '../progress-line.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

export function registerFinder(program: Command): void {
  const finder = program.command('finder').description('The people database')
  finder
    .command('load <file>')
    .description(
      'Load people or companies from CSV or JSON Lines, gzipped or not. A second load changes only differences',
    )
    .option('--map <names...>', 'our field and its name in the file, such as jobTitle=title', collectName, {})
    .option('--bad-rows <file>', 'file for rows that could not be read, with the reason')
    .option('--json', 'print the counts')
    .action(load)
  finder
    .command('demo')
    .description("Load the demo people of every test environment; the server's first start does it")
    .option('--json', 'print the result as JSON')
    .action(demo)
  finder
    .command('reload')
    .description('Load people into a new index of the search cluster, then switch to it. Searches keep working')
    .addOption(new Option('--dataset <name>', 'the people to load').choices(['live', 'demo']).default('live'))
    .option('--json', 'print the counts')
    .action(reload)
}

interface LoadCommandOptions extends OutputOptions {
  map: Record<string, string>
  badRows?: string
}

async function load(file: string, { map, badRows, ...options }: LoadCommandOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const line = process.stderr.isTTY && options.json !== true ? new ProgressLine(process.stderr) : null
    const progress = ({ bytesRead, bytesTotal }: LoadProgress): void => line?.show(bytesRead, bytesTotal)
    try {
      const act = { accountId: '', action: 'finder.load', targetId: null }
      const recorded = (tx: Executor) => recordOperator(app, tx, act)
      const summary = await loadPeopleFile(app, file, { mapping: map, progress, badRowsPath: badRows, recorded })
      line?.end()
      const { rows, bad, peopleAdded, peopleChanged, companiesAdded, companiesChanged } = summary
      const text =
        `${rows} rows: ${peopleAdded} people added, ${peopleChanged} changed; ` +
        `${companiesAdded} companies added, ${companiesChanged} changed; ${bad} bad`
      show(summary, summary.badRowsPath === null ? text : `${text}, see ${summary.badRowsPath}`, options)
    } finally {
      line?.end()
    }
  })
}

async function demo(options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const act = { accountId: '', action: 'finder.demo', targetId: null }
    const recorded = (tx: Executor) => recordOperator(app, tx, act)
    const loaded = await loadDemoPeople(app.db, { now: app.clock.now(), recorded })
    show({ loaded }, loaded ? 'The demo people are loaded.' : 'The demo people were already loaded.', options)
  })
}

async function reload({ dataset, ...options }: OutputOptions & { dataset: 'live' | 'demo' }): Promise<void> {
  await withApp(async ({ app, databaseUrl }) => {
    await recordOperator(app, app.db, { accountId: '', action: 'finder.reload', targetId: dataset })
    const counts = await reloadSearchCluster(app, databaseUrl, dataset)
    show(counts, `${counts.people} people and ${counts.companies} companies are in the new index.`, options)
  })
}

function collectName(text: string, known: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=')
  return { ...known, [text.slice(0, at)]: text.slice(at + 1) }
}
