export { type Health, healthOf } from './fitness.ts'
export { expiredByProject, lacksContract, licencesDue, withoutContract } from './people-figures.ts'
