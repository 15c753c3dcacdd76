import { words } from '../text/words.ts'

export const text = words('proof', {
  label: 'Your password or a code of your authenticator',
  hint: 'To make sure that it is you.',
})
