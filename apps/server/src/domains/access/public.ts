export { recordEvent } from './audit.ts'
export { codesOfMember } from './roles.ts'
export { findScope, narrow } from './scope.ts'
