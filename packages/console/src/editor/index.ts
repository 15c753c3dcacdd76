export { EditorField } from './editor-field.tsx'
export { knownVariables } from './variables.ts'
export { gistOf } from './source/gist.ts'
export { filledSource, replyBody } from './reply-body.ts'
