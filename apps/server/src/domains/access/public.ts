export { recordEvent } from './audit.ts'
export { codesOfMember } from './roles.ts'
export { areaPrefix, findScope, narrow } from './scope.ts'
