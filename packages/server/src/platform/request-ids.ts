import { crockfordDigits } from '@overture/ground/text/crockford.ts'
import { newId } from './ids.ts'

const counterLength = 6
const counterEnd = 32 ** counterLength

/**
 * Request ids: an id of this process followed by a counter of six characters. Every request needs an id, and requesting random
 * bytes from the system each time was the largest single cost of a request outside of I/O.
 */
export function createRequestIds(): () => string {
  let start = newId('req')
  let count = 0
  return () => {
    if (count === counterEnd) {
      start = newId('req')
      count = 0
    }
    let rest = count++
    let text = ''
    for (let index = 0; index < counterLength; index++) {
      text = crockfordDigits[rest & 31] + text
      rest >>>= 5
    }
    return start + text
  }
}
