export { hashPassword, randomPassword } from './passwords.ts'
