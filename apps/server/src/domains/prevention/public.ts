export { forgetTemperatures, keepTempAlarms } from './keep.ts'
