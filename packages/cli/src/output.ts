import type { AppError } from '@overture/contract/errors.ts'

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
  if (isRefusal(error)) {
    console.error(`${error.code}: ${error.message}`)
    for (const issue of error.details?.issues ?? []) console.error(`  ${issue.path}: ${issue.message}`)
  } else {
    console.error(isExpected(error) ? error.message : (error.stack ?? error.message))
  }
}

/** What the one who typed the command can mend: a setting, a file or a server that is not there. */
export class CommandError extends Error {}

// These tell themselves by their names and marks: their modules are the client and parts of the server, which few commands
// need and `--help` does not.
function isRefusal(error: Error): error is AppError {
  return error.name === 'AppError'
}

function isExpected(error: Error): boolean {
  // A torn or foreign gzip file tells itself by zlib's code.
  const isBroken = 'code' in error && String(error.code).startsWith('Z_')
  const isOfClient = Symbol.for('overture.error') in error
  const isRefused = error.name === 'ConfigError' || (error.name === 'MigrationError' && error.cause === undefined)
  return isRefused || error instanceof CommandError || isOfClient || 'syscall' in error || isBroken
}
