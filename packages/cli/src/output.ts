import type { AppError } from '@overture/contract/errors.ts'

export interface OutputOptions {
  json?: boolean
}

/** Prints the resource as the API returns it, or one line for people. */
export function show(resource: unknown, line: string, { json }: OutputOptions): void {
  console.log(json === true ? JSON.stringify(resource, null, 2) : line)
}

/** The list envelope of docs/contract.md, "Conventions", with all results on one page. */
export function pageOfAll<Item>(results: readonly Item[]) {
  return {
    results,
    pagination: { currentPage: 1, totalPages: results.length === 0 ? 0 : 1, totalCount: results.length },
    nextCursor: null,
  }
}

/**
 * Prints an error. A refusal is printed with its code and all issues, an error that the user can fix as its message, and a bug with its
 * stack.
 */
export function fail(error: Error): void {
  process.exitCode = 1
  if (isRefusal(error)) {
    console.error(`${error.code}: ${error.message}`)
    for (const issue of error.details?.issues ?? []) console.error(`  ${issue.path}: ${issue.message}`)
  } else {
    console.error(isExpected(error) ? error.message : (error.stack ?? error.message))
  }
}

/** An error that the user can fix: a setting, a file or a server that is missing. */
export class CommandError extends Error {}

// These errors are recognized by their names and symbols. An import of their classes would load the client and parts of the server, which
// few commands need and `--help` does not.
function isRefusal(error: Error): error is AppError {
  return error.name === 'AppError'
}

function isExpected(error: Error): boolean {
  // A damaged file, or one that is not gzip, is recognized by the code of zlib.
  const isBroken = 'code' in error && String(error.code).startsWith('Z_')
  const isOfClient = Symbol.for('overture.error') in error
  const isRefused = error.name === 'ConfigError' || (error.name === 'MigrationError' && error.cause === undefined)
  return isRefused || error instanceof CommandError || isOfClient || 'syscall' in error || isBroken
}
