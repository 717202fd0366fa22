export { CraneSite } from './site.ts'
export { Sites } from './sites.ts'
