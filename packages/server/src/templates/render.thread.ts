import { serveItems } from '../platform/threads/serve-items.thread.ts'
import { answerRenderItem, type RenderAnswer, type RenderItem } from './render-item.ts'

serveItems<RenderItem, RenderAnswer>(answerRenderItem)
