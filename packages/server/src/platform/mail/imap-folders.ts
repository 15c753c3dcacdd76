export interface MailFolder {
  path: string
  /** The purpose of the folder according to the server or its well-known name. `all` is Gmail's All Mail. */
  use: 'inbox' | 'sent' | 'junk' | 'drafts' | 'trash' | 'archive' | 'all' | null
}

const uses: Record<string, MailFolder['use']> = {
  '\\Sent': 'sent',
  '\\Junk': 'junk',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Archive': 'archive',
  '\\All': 'all',
}

/** The purpose of a folder, by its special use (RFC 6154) or its well-known name. */
export function folderUse(path: string, specialUse: string | undefined): MailFolder['use'] {
  return path.toUpperCase() === 'INBOX' ? 'inbox' : (uses[specialUse ?? ''] ?? null)
}
