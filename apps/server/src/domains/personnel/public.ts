export { expiredByProject, lacksContract, licencesDue, withoutContract } from './people-figures.ts'
