export { FactorSetup } from './second-factor.tsx'
