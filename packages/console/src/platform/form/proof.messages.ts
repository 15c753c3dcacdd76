import { words } from '../text/words.ts'

export const text = words('proof', {
  label: 'Your password or authenticator code',
  hint: 'Confirms that it is you.',
})
