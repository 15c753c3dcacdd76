/** Liquid's messages for common mistakes in a text. Each has a plain sentence that its author reads instead. */
const words: readonly [pattern: RegExp, say: (found: string) => string][] = [
  [
    /^undefined filter: (.+)$/s,
    (filter) => `There is no filter ${filter}. A fallback is written {{ firstName | default: "there" }}.`,
  ],
  [/^output "(.+)" not closed$/s, (opened) => `${opened} is not closed. Write }} after the name.`],
  [/^tag "?(\{%.+)"? not closed$/s, (opened) => `${opened.replace(/"$/, '')} is not closed. ${closing(opened)}`],
  [/^tag "(.+)" not found$/s, (tag) => `There is no tag ${tag}.`],
]

/** A problem of a text in the words of its author. A problem without such words is returned unchanged. */
export function plainProblem(problem: string): string {
  for (const [pattern, say] of words) {
    const found = pattern.exec(problem)?.[1]
    if (found !== undefined) return say(found)
  }
  return problem
}

function closing(opened: string): string {
  const tag = /^\{%-?\s*(\w+).*%\}/s.exec(opened)?.[1]
  return tag === undefined ? 'Write %} after it.' : `Write {% end${tag} %} where it ends.`
}
