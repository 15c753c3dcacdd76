export { AreaField, CheckField, CheckGroup, NumberField, SelectField, TextField, type Choice } from './fields.tsx'
export { Filters, Form, Pair } from './form.tsx'
export { useSearchParams, useTypedParam } from './search-params.ts'
export { default as formStyles } from './form.module.css'
