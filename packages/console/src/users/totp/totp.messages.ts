import { words } from '../../platform/text/words.ts'

export const text = words('totp', {
  title: 'Two-step verification',
  off: 'You sign in with your password only. Add an authenticator app to ask for a code, too.',
  on: 'You sign in with your password and a code from your authenticator app.',
  onMark: 'On',
  setUp: 'Set up an authenticator',
  prove: 'Continue',
  scan: 'Scan this QR code with your authenticator app, or enter the key.',
  picture: 'QR code with the key for your authenticator',
  secret: 'Key',
  copySecret: 'Copy key',
  code: 'Code',
  codeHint: 'The six digits that the app shows.',
  confirm: 'Turn on',
  codesTitle: 'Save your recovery codes',
  codesText:
    'They are shown only once. If you lose your authenticator, each code signs you in once. Store them safely.',
  codes: 'Recovery codes',
  copyCodes: 'Copy codes',
  kept: 'I saved them',
  remove: 'Remove the authenticator',
  removeTitle: 'Remove the authenticator?',
  removeText: 'You sign in with your password only. Your recovery codes stop working.',
  removed: 'Authenticator removed',
})
