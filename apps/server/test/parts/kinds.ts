import { adviceKind } from '#domains/advice/kind'
import { gangKind, managerKind } from '#domains/briefings/kind'
import { securityKind } from '#domains/checks/patrol-kind'
import { civilKind } from '#domains/civil/patrol'
import { dayCheckKind } from '#domains/daychecks/kind'
import { constructionKind, safetyLogKind } from '#domains/daylogs/kind'
import { driverKind } from '#domains/drivers/kind'
import { dustKind } from '#domains/dustchecks/kind'
import { examineKind } from '#domains/examine/kind'
import { fireKind } from '#domains/fire/kind'
import { hazardKind } from '#domains/hazards/hazard-kind'
import { permitKind } from '#domains/hazards/permit-kind'
import { houseKind } from '#domains/houses/kind'
import { machineKind } from '#domains/machines/kind'
import { materialKind } from '#domains/materials/kind'
import { measureKind } from '#domains/measures/kind'
import { taskKind } from '#domains/measuring/kind'
import { badKind } from '#domains/misconduct/kind'
import { planKind } from '#domains/plans/kind'
import { improvementKind } from '#domains/quality/improvement-kind'
import { qualityKind } from '#domains/quality/patrol'
import { rectifyKind } from '#domains/rectify/kind'
import { penaltyKind } from '#domains/rectify/penalty'
import { scheduleKind } from '#domains/schedule/kind'
import { inspectionKind } from '#domains/scoring/kind'
import { sheetKind } from '#domains/sheets/kind'
import { spotKind } from '#domains/spotchecks/kind'
import { stepKind } from '#domains/steps/kind'
import { stopKind } from '#domains/stops/kind'
import { campaignKind as themeCampaignKind, themeKind } from '#domains/themes/kind'
import { workKind } from '#domains/works/kind'

/** Every kind of the record engine on which a part in a project acts. */
export const kinds = [
  rectifyKind,
  stopKind,
  securityKind,
  qualityKind,
  civilKind,
  improvementKind,
  measureKind,
  taskKind,
  houseKind,
  inspectionKind,
  adviceKind,
  sheetKind,
  workKind,
  machineKind,
  dayCheckKind,
  planKind,
  badKind,
  materialKind,
  stepKind,
  spotKind,
  safetyLogKind,
  constructionKind,
  examineKind,
  themeKind,
  themeCampaignKind,
  scheduleKind,
  gangKind,
  managerKind,
  hazardKind,
  permitKind,
  driverKind,
  fireKind,
  dustKind,
  penaltyKind,
]

/** Kinds that no part in a project acts on. */
export const elsewhere: Readonly<Record<string, string>> = {
  expert: 'belongs to the institution that keeps the library',
  expertTrip: 'belongs to the institution that keeps the library',
  expertActivity: 'belongs to the institution that holds it',
  expertDraw: 'belongs to the institution that draws',
  provinces: 'belongs to the authority that organises it',
  notice: 'belongs to whoever sends it',
  documentTravel: 'goes from level to level, not by the part in a project',
}
