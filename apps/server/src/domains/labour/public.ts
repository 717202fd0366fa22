export { joinLicence, type LicenceColumns, licenceColumns, licenceHolds, licenceIs, licenceState } from './licences.ts'
export { accountColumns, each, enterProject, getStay, type Newcomer, refreshContractFlag, requirePresentTeam, type Stay } from './stays.ts'
export { registerTeamExport } from './teams.ts'
export { requirePresentUnit } from './units.ts'
