import { writeFile } from 'node:fs/promises'
import { statementsFile, writeStatements } from './sent-list.ts'
import { statementsOfFiles } from './texts.ts'

/** `npm run statements`: writes the list of statements that `overture distribute --check` tries on each server. */
await writeFile(statementsFile, writeStatements((await statementsOfFiles()).statements))
process.exit(0)
