export { groupCardsOf } from './groups.ts'
export { hashPassword, randomPassword } from './passwords.ts'
