import type { SourceSyntax } from './source/parse-source.ts'

export interface TextIssue {
  line: number
  column: number
  message: string
}

export interface UnknownPlace {
  at: readonly [from: number, to: number]
  message: string
}

export interface TextEditorProps {
  label: string
  /** The source of the text: plain, or with HTML and Liquid. */
  value: string
  change: (value: string) => void
  /** The variables that can be inserted; none if the text is not a template. */
  variables?: readonly string[]
  issues: readonly TextIssue[]
  /** The places of names that no lead has. */
  unknown?: readonly UnknownPlace[]
  invalid?: boolean
  describedBy: string
  placeholder?: string
  /** Fewer lines at the beginning. */
  compact?: boolean
  /** Handles a key before the editor does. Returns whether it did. */
  keys?: (event: KeyboardEvent) => boolean
}

export interface RichEditorProps extends TextEditorProps {
  variables: readonly string[]
  syntax: SourceSyntax
  /** Shows the source instead, because the user wants it (null) or because of a part that can't be shown. */
  showSource: (because: string | null) => void
}
