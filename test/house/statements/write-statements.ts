import { writeFile } from 'node:fs/promises'
import { listSentStatements, statementsFile } from './sent-list.ts'

/** `npm run statements`: writes the list of statements that `overture distribute --check` tries on each server. */
await writeFile(statementsFile, await listSentStatements())
process.exit(0)
