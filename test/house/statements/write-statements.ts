import { writeFile } from 'node:fs/promises'
import { statementsByHand } from './by-hand.ts'
import { statementsFile, writeStatements } from './sent-list.ts'
import { statementsOfFiles } from './texts.ts'

/** `npm run statements`: writes the list of statements that `overture distribute --check` tries on each server. */
const { statements } = await statementsOfFiles()
await writeFile(statementsFile, writeStatements([...statements, ...(await statementsByHand())]))
process.exit(0)
