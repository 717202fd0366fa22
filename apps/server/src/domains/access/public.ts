export { give as giveAdministrator, requireAppointable } from './admins.ts'
export { auditRecorder, findLooks, lookAction, recordEvent, recordLook } from './audit.ts'
export { brandPolicyOf, brandsAbove, shownBrand } from './brand-chain.ts'
export { asksForSecondFactor, usualEnd } from './delegation.ts'
export { rightsOf } from './find-rights.ts'
export { requireFillable } from './folder-roles.ts'
export { type Giver, giverNow, holds } from './giver.ts'
export {
  calendarAbove,
  calendarFor,
  calendarOf,
  commonCalendar,
  infoAbove,
  infoOf,
  mapTypeAbove,
  shownInfoOf,
  shownMapType,
} from './group-info.ts'
export { changeGroup, openGroup } from './groups.ts'
export { joinsOf, tellOfJoins } from './join-requests.ts'
export { acceptJoin } from './joining.ts'
export { principalLater, rightsLater } from './later.ts'
export { findMemberRights, type MemberRights, rightsAt as standAt } from './member-rights.ts'
export { appoint, dismiss, enrolAccount, ownMember } from './members.ts'
export { menusFor } from './menus.ts'
export { makeAccount } from './new-account.ts'
export { appsOf, type OwnedApp, openCodes } from './open-codes.ts'
export { hashPassword, passTime, passwordMatches, randomPassword } from './passwords.ts'
export { findScope } from './scope.ts'
export { areaPrefix, narrow } from './scope-rules.ts'
export { findGroupFacts, findLook, findRules, fits, type GroupFacts } from './ui-rules.ts'
export { readUser, requireWhole } from './user-calls.ts'
