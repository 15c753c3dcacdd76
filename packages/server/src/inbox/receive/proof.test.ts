import { expect, test } from 'vitest'
import { allows, type WriterProof } from './proof.ts'

const proofs: WriterProof[] = ['message_id', 'authentication', 'unknown', 'none']

test.each([
  ['branches', ['message_id', 'authentication']],
  ['label', ['message_id', 'authentication']],
  ['colleagues', ['message_id', 'authentication']],
  ['reply_to', ['message_id', 'authentication']],
  ['settle', ['message_id', 'authentication']],
  ['opt_out_of_another', ['authentication']],
] as const)('the consequence `%s` needs one of %j', (consequence, needed) => {
  expect(proofs.filter((proof) => allows(proof, consequence))).toEqual(needed)
})
