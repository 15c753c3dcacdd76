import './tokens.css'
import { useLanguage } from './platform/text/words.ts'

// Before anything with words in it is read.
useLanguage(document.documentElement.lang)
const { mount } = await import('./app.tsx')
mount(document.querySelector('#root')!)
