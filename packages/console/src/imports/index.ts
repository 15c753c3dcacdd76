export { FileDrop } from './file-drop.tsx'
export { SheetChoice } from './sheet-choice.panel.tsx'
