export { recordEvent } from './audit.ts'
export { codesOfMember } from './roles.ts'
export { findScope } from './scope.ts'
export { areaPrefix, narrow } from './scope-rules.ts'
