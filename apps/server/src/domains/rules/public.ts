export { deliverDefaultRules } from './defaults.ts'
export { Effects, type EngineReading, RuleEngine, writeStates } from './engine.ts'
export { clearLimitOf, inWords, limitOf, type RuleLevel } from './evaluate.ts'
