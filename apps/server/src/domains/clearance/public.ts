export { Sites } from './sites.ts'
