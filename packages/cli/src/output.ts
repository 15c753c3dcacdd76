import { AppError } from '@overture/contract/errors.ts'
import { OvertureError } from '@overture/sdk'

export interface OutputOptions {
  json?: boolean
}

/** The resource as the API would answer it, or one line for people. */
export function show(resource: unknown, line: string, { json }: OutputOptions): void {
  console.log(json === true ? JSON.stringify(resource, null, 2) : line)
}

/** The list envelope of docs/contract.md, "Conventions", all on one page. */
export function pageOfAll<Item>(results: readonly Item[]) {
  return {
    results,
    pagination: { currentPage: 1, totalPages: results.length === 0 ? 0 : 1, totalCount: results.length },
    nextCursor: null,
  }
}

/** A refusal tells its code and every issue; anything else is for whoever mends it. */
export function fail(error: Error): void {
  process.exitCode = 1
  if (error instanceof AppError) {
    console.error(`${error.code}: ${error.message}`)
    for (const issue of error.details?.issues ?? []) console.error(`  ${issue.path}: ${issue.message}`)
  } else {
    console.error(isExpected(error) ? error.message : (error.stack ?? error.message))
  }
}

/** What the one who typed the command can mend: a setting, a file or a server that is not there. */
export class CommandError extends Error {}

function isExpected(error: Error): boolean {
  // A torn or foreign gzip file tells itself by zlib's code.
  const isBroken = 'code' in error && String(error.code).startsWith('Z_')
  // By its name, for its module is part of the server, which few commands need.
  const isSetting = error.name === 'ConfigError'
  return isSetting || error instanceof CommandError || error instanceof OvertureError || 'syscall' in error || isBroken
}
