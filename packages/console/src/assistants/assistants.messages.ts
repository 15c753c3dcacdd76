import { words } from '../platform/text/words.ts'

export const text = words('assistants', {
  title: 'Assistants',
  name: 'Assistant',
  host: 'Host',
  environment: 'Environment',
  environments: { test: 'Test', live: 'Live' },
  canDo: 'Permissions',
  scope: { read: 'Read', write: 'Write', send: 'Send', live: 'Live' },
  lastUsed: 'Last used',
  never: 'Never',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this access?',
  revokeText: (name: string) => `“${name}” is refused from its next request on.`,
  none: 'No assistants connected',
  noneText: 'Add the address of this server with /mcp in your assistant. It then asks for access here.',
})
