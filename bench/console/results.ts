export interface Result {
  job: string
  clicks?: { counted: number; most: number }
  seconds: number
  /** Null if no limit was promised. */
  secondsMost: number | null
}

/** Prints each result at once, and all of them as a table at the end. */
export class Results {
  readonly #all: Result[] = []

  add(result: Result): void {
    this.#all.push(result)
    process.stderr.write(`${row(result)}\n`)
  }

  print(): void {
    process.stdout.write(`| job | clicks | at most | seconds | at most |\n|---|---|---|---|---|\n`)
    for (const result of this.#all) process.stdout.write(`${row(result)}\n`)
  }
}

function row({ job, clicks, seconds, secondsMost }: Result): string {
  const [counted, most] = clicks === undefined ? ['', ''] : [clicks.counted, clicks.most]
  return `| ${job} | ${counted} | ${most} | ${seconds.toFixed(2)} | ${secondsMost ?? ''} |`
}

/** Measures in seconds how long the work takes. */
export async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) / 1000
}
