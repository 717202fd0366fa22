export { licencesDue, withoutContract } from './people-figures.ts'
