import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createData } from './data.ts'

/**
 * Loads files of people with the operator's command, each twice into its own database. Prints the time and the command's peak memory,
 * without PostgreSQL, and checks that the second load changes nothing.
 */
const { values } = parseArgs({ options: { people: { type: 'string', default: '100000,1000000' } } })
const root = join(import.meta.dirname, '../..')
const pollMs = 100

console.log('| people | file | first load | rows/s | peak memory | again | peak memory | added or changed again |')
console.log('|---|---|---|---|---|---|---|---|')
for (const count of values.people.split(',').map(Number)) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-load-'))
  try {
    const file = join(folder, 'people.jsonl')
    await pipeline(Readable.from(lines(count)), createWriteStream(file))
    const first = await load(file, folder)
    const again = await load(file, folder)
    const { peopleAdded, peopleChanged, companiesAdded, companiesChanged } = again.summary
    if (first.summary.peopleAdded !== count) throw new Error(`loaded ${first.summary.peopleAdded} of ${count}`)
    const cells = [
      count,
      megabytes((await stat(file)).size),
      `${first.seconds.toFixed(0)} s`,
      (count / first.seconds).toFixed(0),
      megabytes(first.peakBytes),
      `${again.seconds.toFixed(0)} s`,
      megabytes(again.peakBytes),
      peopleAdded + peopleChanged + companiesAdded + companiesChanged,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Summary = Record<'peopleAdded' | 'peopleChanged' | 'companiesAdded' | 'companiesChanged' | 'bad', number>

async function load(file: string, folder: string): Promise<{ summary: Summary; seconds: number; peakBytes: number }> {
  const start = performance.now()
  const command = spawn(
    process.execPath,
    [join(root, 'packages/cli/bin/overture.js'), 'finder', 'load', file, '--json'],
    {
      env: { ...process.env, OVERTURE_DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let peakBytes = 0
  const poll = setInterval(() => {
    void peakMemory(command.pid!).then((bytes) => (peakBytes = Math.max(peakBytes, bytes)))
  }, pollMs)
  try {
    const output = await text(command.stdout)
    return { summary: JSON.parse(output) as Summary, seconds: (performance.now() - start) / 1000, peakBytes }
  } finally {
    clearInterval(poll)
  }
}

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** Lines in the format of People Data Labs: one person each, with their company. */
function* lines(count: number): Generator<string> {
  const data = createData(count)
  for (let number = 1; number <= count; number++) {
    const person = data.person(number)
    const company = data.companies[person.companyNumber! - 1]!
    const row = {
      id: `person-${number}`,
      first_name: 'Ada',
      last_name: `Example ${number}`,
      job_title: person.title,
      job_title_levels: [person.seniority],
      job_title_role: person.department,
      work_email: number % 20 === 0 ? undefined : `person${number}@${company.domain}`,
      mobile_phone: number % 6 === 0 ? undefined : `+1555${String(number).padStart(7, '0')}`,
      location_locality: person.place.city,
      location_region: person.place.state,
      location_country: person.place.country,
      inferred_years_experience: person.years,
      job_start_date: '2024-03-01',
      job_company_id: `company-${company.number}`,
      job_company_name: company.name,
      job_company_website: company.domain,
      job_company_industry: company.industry,
      job_company_employee_count: company.employees,
      job_company_location_country: company.place.country,
      job_company_location_locality: company.place.city,
    }
    yield `${JSON.stringify(row)}\n`
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
