export { expiredByProject, licencesDue, withoutContract } from './people-figures.ts'
