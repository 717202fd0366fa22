export { deliverDefaultRules, isExpressible } from './defaults.ts'
export { Effects, type EngineReading, RuleEngine, writeStates } from './engine.ts'
export { clearLimitOf, inWords, limitOf, type RuleLevel } from './evaluate.ts'
export { type RuleInForce, rulesInForce } from './in-force.ts'
