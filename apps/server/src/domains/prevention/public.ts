export { forgetTemperatures, keepTempAlarms } from './keep.ts'
export { tellTempAlarms } from './tell.ts'
