export { recordEvent } from './audit.ts'
export { codesOfMember } from './roles.ts'
export { findScope } from './scope.ts'
export { areaPrefix, narrow, nothing } from './scope-rules.ts'
