import { readFile, writeFile } from 'node:fs/promises'
import { logEventsPage } from '../log-events.ts'
import { exampleEnvironment, settingsPage, settingsSchema } from './settings-texts.ts'

/** `npm run settings`: writes the texts that are generated from the tables of settings and log events. */
const root = new URL('../../../../../', import.meta.url)
const begins = '<!-- settings: written by npm run settings -->\n\n'

const page = new URL('docs/configuration.md', root)
const text = await readFile(page, 'utf8')
await writeFile(page, text.slice(0, text.indexOf(begins) + begins.length) + settingsPage())
await writeFile(new URL('.env.example', root), exampleEnvironment())
await writeFile(new URL('docs/log-events.md', root), logEventsPage())
await writeFile(new URL('docs/overture-toml.schema.json', root), `${JSON.stringify(settingsSchema(), null, 2)}\n`)
