export { groupCardsOf } from './groups.ts'
