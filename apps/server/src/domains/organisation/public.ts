export { getBrand, saveBrand } from './brands.ts'
export { openBody } from './governments.ts'
export { openCompany } from './groups.ts'
export { openSite } from './project-opening.ts'
